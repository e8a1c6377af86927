// The bounds of a mask over whole blocks (all kept, none kept), against every element of them.
#include "Draw.h"
#include "tools/kernel/Jit.h"
#include "tools/kernel/NamedTensor.h"

#include "codegen/emit/MaskBounds.h"
#include "ir/reference/Interpreter.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::model;
using namespace weft::test;
using namespace weft::trial;
using mlir::Value;

namespace {

/// Writes whether a block is never and always kept: sizes, then batch, first row, rows, first
/// column, columns.
using Judge = void(const int64_t *, const int64_t *, char *);

const char *const names[] = {"head", "seq", "key"};

/// A mask over heads (the batch), queries and keys, and two operands that it may read.
class Mask {
public:
  /// `text` may be empty: then it is drawn.
  explicit Mask(Draw &draw, const Sizes &fixed = {}) : draw(draw), builder(&context) {
    context.loadDialect<ModelDialect, mlir::func::FuncDialect>();
    mlir::Location loc = builder.getUnknownLoc();
    module = mlir::ModuleOp::create(builder, loc);
    builder.setInsertionPointToEnd(module->getBody());
    for (const char *name : names) {
      auto at = fixed.find(name);
      DimOp::create(builder, loc, dim(name),
                    at == fixed.end() ? SizeAttr()
                                      : SizeAttr::get(&context, Size::number(at->second)));
      auto &entry = table.dims[name];
      entry.number = table.dims.size() - 1;
      if (at != fixed.end())
        entry.size = at->second;
    }
    mlir::Type types[] = {tensor(builder.getI32Type(), {"seq", "head"}),
                          tensor(builder.getI1Type(), {"key"})};
    function = mlir::func::FuncOp::create(builder, loc, "mask", builder.getFunctionType(types, {}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
  }

  DimAttr dim(llvm::StringRef name) { return DimAttr::get(&context, name); }

  NamedTensorType tensor(mlir::Type element, llvm::ArrayRef<llvm::StringRef> dims) {
    DimList list;
    for (llvm::StringRef name : dims)
      list.push_back(dim(name));
    return NamedTensorType::get(&context, element, list);
  }

  /// `make<AddOp>(x, y)`
  template <class Op, class... Given> Value make(Given... given) {
    return Op::create(builder, builder.getUnknownLoc(), given...);
  }
  Value index(const char *name) { return make<IndexOp>(dim(name)); }
  Value number(int64_t value) { return make<ConstantOp>(builder.getI64IntegerAttr(value)); }

  Value whole(int depth) {
    if (depth == 0 || draw.chance(0.1))
      switch (draw.below(8)) {
      case 0:
        return number(draw.below(9) - 2);
      case 1: { // a large one
        static const int64_t some[] = {INT32_MAX, INT32_MIN, 1000000007, -1000000007,
                                       65536,     1 << 20,   1 << 30,    123456789};
        return number(some[draw.below(std::size(some))]);
      }
      case 2:
        return function.getArgument(0);
      case 3:
        return make<SizeOp>(
            SizeAttr::get(&context, Size::dim(names[draw.below(3)]) * Size::dim("key")));
      default:
        return index(names[draw.below(2) + draw.below(2)]);
      }
    Value y = draw.chance(0.5) ? whole(depth - 1) : number(draw.below(9) - 2), x = whole(depth - 1);
    if (typeOf(x).getDims().empty() && typeOf(y).getDims().empty())
      x = index("key"); // numbers alone are folded
    switch (draw.below(10)) {
    case 0:
    case 1:
      return make<AddOp>(x, y);
    case 2:
    case 3:
      return make<SubOp>(x, y);
    case 4:
      return make<MulOp>(x, y);
    case 5:
      return draw.chance(0.5) ? make<MinOp>(x, y) : make<MaxOp>(x, y);
    case 6:
      return make<FloorDivOp>(x, y);
    case 7:
      return make<ModOp>(x, y);
    case 8:
      return make<WhereOp>(truth(depth - 1), x, y);
    default:
      return draw.chance(0.5) ? make<NegOp>(make<AddOp>(x, y)) : make<ToIntOp>(truth(depth - 1));
    }
  }

  Value truth(int depth) {
    if (depth == 0)
      return draw.chance(0.3) ? Value(function.getArgument(1))
                              : make<ConstantOp>(builder.getBoolAttr(draw.chance(0.5)));
    switch (draw.below(9)) {
    case 0:
      return make<AndOp>(truth(depth - 1), truth(depth - 1));
    case 1:
      return make<OrOp>(truth(depth - 1), truth(depth - 1));
    case 2:
      return make<NotOp>(truth(depth - 1));
    case 3:
      return make<WhereOp>(truth(depth - 1), truth(depth - 1), truth(depth - 1));
    default:
      return make<CompareOp>(Comparison(draw.below(6)), whole(depth - 1), whole(depth - 1));
    }
  }

  /// Ends the function with `mask` as its result, and compiles its bounds.
  bool finish(Value mask) {
    mlir::func::ReturnOp::create(builder, builder.getUnknownLoc(), mask);
    function.setType(
        builder.getFunctionType(function.getArgumentTypes(), mlir::TypeRange(mask.getType())));
    cpu::IsaEmission emission{jit.module(), cpu::Isa::x86_64_v3, table};
    llvm::IRBuilder<> b(jit.module().getContext());
    llvm::Type *pointer = b.getPtrTy();
    llvm::Function *code = emission.function(
        "judge", llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false));
    b.SetInsertPoint(&code->getEntryBlock());
    cpu::Axes axes;
    axes.batch = {dim("head")};
    axes.rows = {dim("seq")};
    if (draw.chance(0.4)) // several dimensions as one
      axes.rows.insert(draw.chance(0.5) ? axes.rows.begin() : axes.rows.end(),
                       axes.batch.pop_back_val());
    axes.columns = {dim("key")};
    rows = axes.rows;
    auto given = [&](int i) -> llvm::Value * {
      return b.CreateLoad(b.getInt64Ty(),
                          b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), code->getArg(1), i));
    };
    cpu::TaskRange block{given(0), given(1), given(2), given(3), given(4)};
    emit::MaskBounds bounds(b, emission, code->getArg(0), axes, mask);
    emit::MaskBounds::Verdict verdict = bounds.judge(block);
    for (int i : {0, 1})
      b.CreateStore(b.CreateZExt(i ? verdict.always : verdict.never, b.getInt8Ty()),
                    b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), code->getArg(2), i));
    b.CreateRetVoid();
    judge = jit.compile() ? jit.function<Judge>("judge") : nullptr;
    dims.clear();
    for (DimAttr dim : typeOf(mask).getDims())
      dims.push_back(dim.str());
    return judge;
  }

  Tensor interpreted(const Sizes &sizes) {
    llvm::StringMap<int64_t> given;
    for (const char *name : names)
      if (!table.dims[name].size)
        given[name] = sizes.at(name);
    reference::Array numbers, switches;
    numbers.shape = {sizes.at("seq"), sizes.at("head")};
    reference::Wholes wholes(sizes.at("seq") * sizes.at("head"));
    for (auto &each : wholes)
      each = draw.chance(0.8) ? draw.below(40) - 10 : int32_t(draw.below(1ll << 32));
    numbers.data = wholes;
    switches.shape = {sizes.at("key")};
    reference::Switches bits(sizes.at("key"));
    for (auto &&bit : bits)
      bit = draw.chance(0.5);
    switches.data = bits;
    auto results = reference::Interpreter(*module, given).run("mask", {numbers, switches});
    Tensor result(dims, sizes);
    if (failed(results)) {
      ADD_FAILURE() << "the interpreter refuses";
      return result;
    }
    const auto &kept = std::get<reference::Switches>((*results)[0].data);
    result.data.assign(kept.begin(), kept.end());
    return result;
  }

  struct Verdict {
    bool never, always;
  };
  struct Block {
    int64_t batch, firstRow, rows, firstColumn, columns;
  };
  Verdict verdictOf(const Sizes &sizes, const Block &block) {
    std::vector<int64_t> numbers(table.dims.size());
    for (const char *name : names)
      numbers[table.dims[name].number] = sizes.at(name);
    const int64_t given[] = {block.batch, block.firstRow, block.rows, block.firstColumn,
                             block.columns};
    char verdict[2];
    judge(numbers.data(), given, verdict);
    return {verdict[0] != 0, verdict[1] != 0};
  }

  /// How many elements of a block are kept.
  int64_t kept(const Tensor &mask, const Sizes &sizes, const Block &block) {
    int64_t count = 0;
    for (int64_t row = block.firstRow; row < block.firstRow + block.rows; ++row)
      for (int64_t key = block.firstColumn; key < block.firstColumn + block.columns; ++key) {
        Index at{{"head", block.batch}, {"key", key}};
        int64_t rest = row;
        for (DimAttr dim : llvm::reverse(rows)) {
          at[dim.str()] = rest % sizes.at(dim.str());
          rest /= sizes.at(dim.str());
        }
        count += mask.at(at) != 0;
      }
    return count;
  }

  int64_t rowCount(const Sizes &sizes) {
    int64_t count = 1;
    for (DimAttr dim : rows)
      count *= sizes.at(dim.str());
    return count;
  }
  Block block(const Sizes &sizes) {
    Block block{};
    block.batch = rows.size() == 1 ? draw.below(sizes.at("head")) : 0;
    block.firstRow = draw.below(rowCount(sizes));
    block.rows = 1 + draw.below(std::min<int64_t>(rowCount(sizes) - block.firstRow, 17));
    block.firstColumn = draw.below(sizes.at("key"));
    block.columns = 1 + draw.below(std::min<int64_t>(sizes.at("key") - block.firstColumn, 33));
    return block;
  }
  std::string text() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }

private:
  Draw &draw;
  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  kernel::DimTable table;
  Jit jit{cpu::Isa::x86_64_v3};
  Judge *judge = nullptr;
  DimList rows;
  std::vector<std::string> dims;
};

/// Compares the verdicts on blocks with their elements; gives how many were judged empty or full.
int compare(Mask &mask, const Sizes &sizes, int blocks, uint64_t seed) {
  int clear = 0;
  Tensor elements = mask.interpreted(sizes);
  for (int i = 0; i < blocks; ++i) {
    Mask::Block block = mask.block(sizes);
    Mask::Verdict verdict = mask.verdictOf(sizes, block);
    int64_t kept = mask.kept(elements, sizes, block), all = block.rows * block.columns;
    clear += verdict.never || verdict.always;
    if ((!verdict.never || kept == 0) && (!verdict.always || kept == all))
      continue;
    ADD_FAILURE() << "WEFT_SEED=" << seed << ": " << kept << " of " << all << " are kept in rows "
                  << block.firstRow << " + " << block.rows << ", keys " << block.firstColumn
                  << " + " << block.columns << " of head " << block.batch
                  << ", which is said to be " << (verdict.never ? "empty" : "full") << "\n"
                  << mask.text();
    break;
  }
  return clear;
}

// A block is never skipped that has a kept element, nor taken for full where one is not kept.
TEST(MaskBounds, SayNothingWrongOfMasksAtRandom) {
  Seeds seeds(150);
  const int64_t some[] = {1, 2, 3, 7, 16, 33, 40, 65};
  for (uint64_t i = 0; i < seeds.count && !HasFailure(); ++i) {
    Draw draw(seeds.first + i);
    Sizes fixed;
    for (const char *name : names)
      if (draw.chance(0.3))
        fixed[name] = some[draw.below(std::size(some))];
    Mask mask(draw, fixed);
    if (!mask.finish(mask.truth(1 + int(draw.below(4)))))
      return;
    for (int point = 0; point < 4; ++point) {
      Sizes sizes = fixed;
      for (const char *name : names)
        sizes.insert({name, some[draw.below(std::size(some))]});
      compare(mask, sizes, 60, seeds.first + i);
    }
  }
}

// And most blocks of the masks that models have are judged empty or full.
TEST(MaskBounds, KnowWhatACausalMaskSkips) {
  Draw draw(1);
  Mask mask(draw);
  Value key = mask.index("key"), seq = mask.index("seq");
  Value causal = mask.make<CompareOp>(Comparison::le, key, seq);
  Value near = mask.make<CompareOp>(Comparison::lt, mask.make<SubOp>(seq, key), mask.number(16));
  ASSERT_TRUE(mask.finish(mask.make<AndOp>(causal, near)));
  EXPECT_GT(compare(mask, {{"head", 1}, {"seq", 200}, {"key", 200}}, 400, 1), 200);
}

// Positions times what leaves 32 bits wrap as values do, and so do blocks of them.
TEST(MaskBounds, WrapAsValuesDo) {
  Draw draw(2);
  Mask mask(draw);
  Value key = mask.make<MulOp>(mask.index("key"), mask.number(1000000007));
  Value seq = mask.make<MulOp>(mask.index("seq"), mask.number(7));
  ASSERT_TRUE(mask.finish(mask.make<CompareOp>(Comparison::le, key, seq)));
  // Of blocks of one key it is known all the same.
  EXPECT_GT(compare(mask, {{"head", 2}, {"seq", 40}, {"key", 40}}, 4000, 2), 50);
}

} // namespace
