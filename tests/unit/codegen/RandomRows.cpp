// Kernels of rows at random.
#include "RandomRows.h"

#include "KernelHarness.h"
#include "RandomOps.h"

using namespace mlir;
using namespace weft::model;
using weft::kernel::LayoutAttr;

namespace weft::test {

/// Writes one.
class RowsWriter {
public:
  RowsWriter(RandomRows &to, MLIRContext &context, uint64_t seed)
      : to(to), draw(seed), builder(&context), loc(builder.getUnknownLoc()) {}

  void write() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
    builder.setInsertionPointToEnd(module->getBody());
    declareDims();
    SmallVector<Type> types;
    SmallVector<Attribute> layouts;
    for (int64_t i = 0, count = 1 + draw.below(4); i < count; ++i)
      types.push_back(declareInput(layouts));
    auto function = func::FuncOp::create(builder, loc, "f", builder.getFunctionType(types, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    func::ReturnOp::create(builder, loc);

    OpBuilder::InsertionGuard guard(builder);
    Region region;
    Block *body = builder.createBlock(&region);
    for (auto [i, type] : llvm::enumerate(types))
      ops.pool.push_back({body->addArgument(type, loc), 4, -2, true});
    bool scan = draw.chance(0.1);
    for (int64_t i = 0, count = 2 + draw.below(scan ? 4 : 9); i < count;)
      i += scan ? ops.stepWithoutReduction() : ops.step();
    Value scanned = scan ? ops.scan() : Value();
    SmallVector<Value> results = scanned ? SmallVector<Value>{scanned} : chosen();
    SmallVector<Type> resultTypes;
    for (Value value : results) {
      resultTypes.push_back(value.getType());
      layouts.push_back(layoutOf(DimList(typeOf(value).getDims())));
    }
    kernel::YieldOp::create(builder, loc, results);
    builder.setInsertionPoint(function.getBody().front().getTerminator());
    // A table is the same kernel in f64.
    auto family = draw.chance(0.15) ? kernel::Family::table : kernel::Family::rows;
    auto fused = kernel::FusedOp::create(builder, loc, resultTypes, family, "random",
                                         ValueRange(function.getArguments()),
                                         builder.getArrayAttr(layouts), DictionaryAttr());
    fused.getBody().takeBody(region);
    // What nothing uses would have no loop.
    SmallVector<Operation *> all;
    for (Operation &op : fused.getBody().front().without_terminator())
      all.push_back(&op);
    for (Operation *op : llvm::reverse(all))
      if (op->use_empty())
        op->erase();
    to.written = Kernel::alone(fused);
  }

private:
  //===-- Dimensions

  int64_t size() {
    static const int64_t some[] = {1, 2, 3, 5, 7, 8, 9, 11, 13, 15, 16, 17, 23, 31, 32, 33, 64, 65};
    return some[draw.below(draw.chance(0.2) ? std::size(some) : 12)];
  }

  void declare(const std::string &name, std::optional<Size> size) {
    dims.push_back(DimAttr::get(builder.getContext(), name));
    DimOp::create(builder, loc, dims.back(),
                  size ? SizeAttr::get(builder.getContext(), *size) : SizeAttr());
  }

  void declareDims() {
    int64_t count = 2 + draw.below(3);
    to.points.resize(4);
    for (int64_t i = 0; i < count; ++i) {
      std::string name(1, char('a' + i));
      bool fixed = draw.chance(0.35);
      int64_t first = draw.chance(0.05) ? 9001 : size(); // several tasks
      for (Sizes &point : to.points)
        point[name] = fixed || &point == to.points.data() ? first : size();
      declare(name, fixed ? std::optional(Size::number(first)) : std::nullopt);
    }
    auto derive = [&](const std::string &name, const Size &size) {
      for (Sizes &point : to.points)
        point[name] =
            *size.evaluate([&](const std::string &dim) { return std::optional(point.at(dim)); });
      declare(name, size);
    };
    derive("r", Size::dim("a"));
    derive("m", Size::dim("a") * Size::dim("b"));
    derive("w", Size::dim("a") + Size::dim("b"));
    derive("p", Size::number(2));
  }

  /// The most elements that a value over `names` has.
  double elements(ArrayRef<DimAttr> names) {
    double most = 0;
    for (const Sizes &point : to.points) {
      double count = 1;
      for (DimAttr name : names)
        count *= double(point.at(name.str()));
      most = std::max(most, count);
    }
    return most;
  }

  //===-- Operands and results

  LayoutAttr layoutOf(DimList names) {
    if (draw.chance(0.4))
      names = draw.shuffled(names);
    LayoutAttr dense = LayoutAttr::dense(builder.getContext(), names);
    if (names.empty() || !draw.chance(0.15))
      return dense;
    // A part of something wider: a gap behind each row.
    SmallVector<Size> strides(dense.getStrides());
    for (Size &stride : MutableArrayRef(strides).drop_back())
      stride = stride * Size::number(3);
    return LayoutAttr::get(builder.getContext(), names, strides);
  }

  Type declareInput(SmallVector<Attribute> &layouts) {
    DimList names;
    do {
      names.clear();
      for (DimAttr each : draw.shuffled(dims))
        if (draw.chance(0.45) && names.size() < 4)
          names.push_back(each);
    } while (elements(names) > RandomOps::mostElements);
    char kind = draw.chance(0.65) ? 'f' : draw.chance(0.6) ? 'i' : 'b';
    DimList varying = names;
    if (!names.empty() && draw.chance(0.1)) // constant along one
      varying.erase(varying.begin() + draw.below(int64_t(names.size())));
    layouts.push_back(layoutOf(varying));
    RandomRows::Input input{{}, {}, kind};
    for (DimAttr each : names)
      input.dims.push_back(each.str());
    for (DimAttr each : varying)
      input.varying.push_back(each.str());
    to.operands.push_back(input);
    Type element = kind == 'f'   ? Type(builder.getF32Type())
                   : kind == 'i' ? Type(builder.getI32Type())
                                 : Type(builder.getI1Type());
    return NamedTensorType::get(builder.getContext(), element, names);
  }

  Value arranged(Value value) {
    DimList names(typeOf(value).getDims());
    if (names.size() < 2 || draw.chance(0.5))
      return value;
    auto type = NamedTensorType::get(builder.getContext(), typeOf(value).getElement(),
                                     draw.shuffled(names));
    return ArrangeOp::create(builder, loc, type, value);
  }

  // The last values have most in them.
  SmallVector<Value> chosen() {
    SmallVector<Value> results;
    for (int64_t i = 0, count = 1 + draw.below(3); i < count; ++i) {
      int64_t back = std::min<int64_t>(draw.below(4), int64_t(ops.pool.size()) - 1);
      results.push_back(arranged(ops.pool[ops.pool.size() - 1 - back].value));
    }
    return results;
  }

  RandomRows &to;
  Draw draw;
  OpBuilder builder;
  Location loc;
  std::vector<DimAttr> dims;
  RandomOps ops{builder, draw, dims, [this](ArrayRef<DimAttr> names) { return elements(names); }};
};

RandomRows::RandomRows(MLIRContext &context, uint64_t seed) {
  RowsWriter(*this, context, seed).write();
}

std::vector<Tensor> RandomRows::inputs(const Sizes &sizes, unsigned seed) const {
  std::vector<Tensor> result;
  Draw draw(seed);
  for (const Input &input : operands) {
    Tensor values(input.varying, sizes);
    for (double &x : values.data)
      x = input.kind == 'f'   ? double(draw.below(33) - 16) / 4
          : input.kind == 'i' ? double(draw.below(23) - 7)
                              : double(draw.below(2));
    result.push_back(Tensor::of(input.dims, sizes, [&](const Index &i) { return values.at(i); }));
  }
  return result;
}

} // namespace weft::test
