// Products of what parameters are multiplied by with itself, out of all loops.
#include "passes/model/moments/Moments.h"

#include "ir/model/Entries.h"
#include "passes/model/loops/Stacked.h"

using namespace mlir;

namespace weft::model {
namespace {

/// A product by a parameter.
struct Product {
  ContractOp op;
  bool weightFirst;

  ParamOp weight() { return (weightFirst ? op.getLhs() : op.getRhs()).getDefiningOp<ParamOp>(); }
  /// What it is multiplied by; another value once a loop in front has further results.
  Value other() { return weightFirst ? op.getRhs() : op.getLhs(); }
};

std::vector<Product> productsIn(func::FuncOp function) {
  std::vector<Product> products;
  function.walk([&](ContractOp op) {
    bool left = op.getLhs().getDefiningOp<ParamOp>() != nullptr;
    bool right = op.getRhs().getDefiningOp<ParamOp>() != nullptr;
    if (left != right)
      products.push_back({op, left});
  });
  return products;
}

/// What the weights are multiplied by, with each dimension that is added up under another name.
Value renamed(OpBuilder &builder, Product product, DimList &names) {
  Value x = product.other();
  DimList taken(typeOf(x).getDims());
  llvm::append_range(taken, cast<NamedTensorType>(product.weight().getType()).getDims());
  for (DimAttr dim : product.op.getOver()) {
    names.push_back(otherName(product.op, dim, taken));
    taken.push_back(names.back());
    x = RegroupOp::create(builder, product.op.getLoc(), x, ArrayRef(dim), ArrayRef(names.back()));
  }
  return x;
}

/// What a value of a loop's pass is to the loop's surroundings: stacked along the dimension, if
/// `stacks`, else added up. Null where it has that dimension itself.
Value outOf(RepeatOp loop, Value value, bool stacks) {
  DimAttr dim = loop.getDimAttr();
  if (typeOf(value).has(dim))
    return {};
  Location loc = value.getLoc();
  RepeatOp with = withStacked(loop, value);
  Value stack = with.getResults().back();
  if (stacks)
    return stack;
  OpBuilder builder(with->getContext());
  builder.setInsertionPointAfter(with);
  return SumOp::create(builder, loc, ArrayRef(dim), stack);
}

void addResult(func::FuncOp function, Value value, StringRef name) {
  function.getBody().front().getTerminator()->insertOperands(function.getNumResults(), value);
  MLIRContext *context = function.getContext();
  auto attributes =
      DictionaryAttr::get(context, NamedAttribute(StringAttr::get(context, attr::name),
                                                  StringAttr::get(context, name)));
  (void)function.insertResult(function.getNumResults(), value.getType(), attributes);
}

} // namespace

std::vector<Moment> addMoments(func::FuncOp function) {
  std::vector<Moment> moments;
  /// Of products of a block with the same left side, as q, k and v have, there is one.
  struct Known {
    Product product;
    DimList rows, positions, loops;
    Moment moment;
  };
  std::vector<Known> known;
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  for (Product product : productsIn(function)) {
    ParamOp weight = product.weight();
    std::string parameter = weight.getName().str();
    DimList rows(product.op.getOver()), positions, others;
    for (DimAttr dim : typeOf(product.other()).getDims())
      if (!typeOf(weight.getResult()).has(dim))
        positions.push_back(dim);
    auto declared = symbols.lookup<ParameterOp>(parameter);
    DimList loops(
        cast<NamedTensorType>(declared.getType()).getDims().take_front(declared.getLoops()));
    auto same = llvm::find_if(known, [&](Known &each) {
      return each.product.op->getBlock() == product.op->getBlock() &&
             each.product.other() == product.other() && each.rows == rows &&
             each.positions == positions && each.loops == loops;
    });
    if (same != known.end()) {
      moments.push_back(same->moment);
      moments.back().parameter = parameter;
      continue;
    }
    OpBuilder builder(product.op);
    Value again = renamed(builder, product, others);
    Value moment =
        ContractOp::create(builder, product.op.getLoc(), positions, product.other(), again);
    while (moment && moment.getParentBlock() != &function.getBody().front()) {
      auto loop = cast<RepeatOp>(moment.getParentBlock()->getParentOp());
      moment = outOf(loop, moment, llvm::is_contained(loops, loop.getDimAttr()));
    }
    if (!moment)
      continue;
    moments.push_back({parameter, function.getNumResults(), rows, others});
    known.push_back({product, rows, positions, loops, moments.back()});
    addResult(function, moment, "moment " + std::to_string(known.size()));
  }
  return moments;
}

} // namespace weft::model
