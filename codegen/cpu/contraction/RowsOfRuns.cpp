// How launches of a contraction by several runs can be one, of the rows of all.
#include "codegen/cpu/contraction/RowsOfRuns.h"

#include "ir/kernel/Walk.h"
#include "ir/model/Dims.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// A buffer along the dimension whose places are runs' own: bytes from a place to the next, and of
/// a place; 0 where the buffer does not have it.
struct Places {
  Size pitch = Size::number(0), bytes = Size::number(0);
};

class Rows {
public:
  Rows(kernel::FusedOp op, const Emission &emission)
      : op(op), emission(emission), dims(op->getParentOfType<mlir::ModuleOp>()) {}

  /// Finds a dimension of `rows` that will do.
  bool find(ArrayRef<DimAttr> rows, Function *run) {
    if (!op.getBody().front().getOps<model::RandomOp>().empty())
      return false;
    return any_of(rows, [&](DimAttr each) {
      along = each;
      return !emission.dims.known(each.getValue()) && !looksAt() && readsOthers(run) &&
             placesOfAll();
    });
  }

  DimAttr along;
  std::vector<Places> buffers;

  /// The numbers of the other sizes that the kernel reads.
  SmallVector<uint32_t> reads;

private:
  /// Whether something that is computed depends on the place along the dimension, or on how many
  /// there are.
  bool looksAt() {
    return any_of(op.getBody().front(), [&](mlir::Operation &inner) {
      if (auto index = dyn_cast<model::IndexOp>(inner))
        return index.getDimAttr() == along;
      if (auto clamp = dyn_cast<model::ClampOp>(inner))
        return clamp.getDim() == along.getValue();
      if (auto extent = dyn_cast<model::SizeOp>(inner))
        return is_contained(extent.getSize().getValue().dims(), along.getValue());
      return false;
    });
  }

  /// Finds what else the code reads; false where it may be anything, or where it follows from the
  /// dimension, so that it would be another size where rows of several runs are one.
  bool readsOthers(Function *run) {
    std::optional<SmallVector<unsigned>> numbers = emit::sizesRead(run->getArg(0));
    if (!numbers)
      return false;
    reads.clear();
    for (const auto &dim : emission.dims.dims) {
      if (dim.getKey() == along.getValue() || !is_contained(*numbers, dim.getValue().number))
        continue;
      if (is_contained(dims.size(dim.getKey()).dims(), along.getValue()))
        return false;
      reads.push_back(dim.getValue().number);
    }
    llvm::sort(reads); // a table of names has no order
    return true;
  }

  model::NamedTensorType typeOf(unsigned buffer) {
    const unsigned operands = op.getNumOperands();
    return cast<model::NamedTensorType>(buffer < operands
                                            ? op.getOperand(buffer).getType()
                                            : op.getResult(buffer - operands).getType());
  }

  bool placesOfAll() {
    buffers.clear();
    for (auto [i, layout] : enumerate(op.getLayoutsAttr())) {
      std::optional<Places> places = placesOf(typeOf(unsigned(i)), layout);
      if (!places)
        return false;
      buffers.push_back(*places);
    }
    return true;
  }

  /// Nothing where places do not follow each other, or something lies within them that is not the
  /// buffer's.
  std::optional<Places> placesOf(model::NamedTensorType type, mlir::Attribute layout) const {
    if (!is_contained(type.getDims(), along))
      return Places{};
    auto strided = dyn_cast<kernel::LayoutAttr>(layout);
    if (!strided || !strided.stride(along))
      return std::nullopt;
    DimList others;
    for (DimAttr dim : type.getDims())
      if (dim != along)
        others.push_back(dim);
    if (!kernel::walkOver(emission.dims, strided, others).contiguous())
      return std::nullopt;
    for (const Size &stride : strided.getStrides())
      if (is_contained(stride.dims(), along.getValue()))
        return std::nullopt;
    Size element = Size::number(model::bytesOf(kernel::storageOf(type, layout), 1));
    return Places{*strided.stride(along) * element, kernel::sizeOf(others) * element};
  }

  kernel::FusedOp op;
  const Emission &emission;
  model::Dims dims;
};

/// WeftRows::describe.
Function *emitDescription(Rows &rows, const kernel::ContractionForm &form, Function *tasks,
                          StringRef name, Emission &emission) {
  Type *pointer = PointerType::get(emission.module.getContext(), 0);
  Function *function = emission.function(
      (name + ".rows").str(),
      FunctionType::get(Type::getVoidTy(emission.module.getContext()), {pointer, pointer}, false));
  IRBuilder<> b(&function->getEntryBlock());
  Value *sizes = function->getArg(0), *about = function->getArg(1);
  SmallVector<Value *> numbers{emission.size(b, kernel::sizeOf(form.rows), sizes),
                               b.CreateCall(tasks, {sizes})};
  for (const Places &each : rows.buffers)
    for (const Size &size : {each.pitch, each.bytes})
      numbers.push_back(emission.size(b, size, sizes));
  for (auto [i, value] : enumerate(numbers))
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), about, i));
  b.CreateRetVoid();
  return function;
}

} // namespace

GlobalVariable *emitRowsOfRuns(kernel::FusedOp op, const kernel::ContractionForm &form, Tile tile,
                               const KernelFunctions &functions, StringRef name,
                               Emission &emission) {
  Rows rows(op, emission);
  if (!rows.find(form.rows, functions.run))
    return nullptr;
  Module &module = emission.module;
  auto constant = [&](Constant *value, StringRef what) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                              GlobalValue::InternalLinkage, value, name + "." + what);
  };
  SmallVector<uint32_t> reads = rows.reads;
  const size_t read = reads.size();
  reads.push_back(0); // which nobody reads: an array of none would have no place
  IRBuilder<> b(module.getContext());
  return constant(ConstantStruct::getAnon(
                      {b.getInt32(emission.dims.dims.lookup(rows.along.getValue()).number),
                       b.getInt32(op.getNumOperands()), b.getInt64(uint64_t(tile.rows)),
                       constant(ConstantDataArray::get(module.getContext(), reads), "reads"),
                       b.getInt32(uint32_t(read)),
                       emitDescription(rows, form, functions.tasks, name, emission)}),
                  "about");
}

} // namespace weft::cpu
