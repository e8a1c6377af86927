// How launches of a contraction by several runs can be one, of the rows of all.
#include "codegen/cpu/contraction/RowsOfRuns.h"

#include "ir/kernel/Walk.h"
#include "ir/model/Dims.h"

#include <set>

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
  bool find(ArrayRef<DimAttr> rows) {
    if (!op.getBody().front().getOps<model::RandomOp>().empty())
      return false;
    return any_of(rows, [&](DimAttr each) {
      along = each;
      return !emission.dims.known(each.getValue()) && !looksAt() && placesOfAll();
    });
  }

  DimAttr along;
  std::vector<Places> buffers;

  /// The numbers of the other sizes that come with the data.
  SmallVector<uint32_t> reads() {
    SmallVector<uint32_t> numbers;
    for (const std::string &name : names())
      if (name != along.getValue() && !emission.dims.known(name))
        numbers.push_back(emission.dims.dims.lookup(name).number);
    return numbers;
  }

private:
  bool looksAt() {
    return any_of(op.getBody().front().getOps<model::IndexOp>(),
                  [&](model::IndexOp index) { return index.getDimAttr() == along; });
  }

  model::NamedTensorType typeOf(unsigned buffer) {
    const unsigned operands = op.getNumOperands();
    return cast<model::NamedTensorType>(buffer < operands
                                            ? op.getOperand(buffer).getType()
                                            : op.getResult(buffer - operands).getType());
  }

  /// Every dimension that the kernel's code may ask for the size of.
  std::set<std::string> names() {
    std::set<std::string> all;
    for (auto [i, layout] : enumerate(op.getLayoutsAttr())) {
      for (DimAttr dim : typeOf(unsigned(i)).getDims())
        all.insert(dim.getValue().str());
      if (auto strided = dyn_cast<kernel::LayoutAttr>(layout))
        for (const Size &stride : strided.getStrides())
          for (const std::string &name : stride.dims())
            all.insert(name);
    }
    return all;
  }

  bool placesOfAll() {
    buffers.clear();
    // What follows from the dimension would be another size where rows of several runs are one.
    for (const std::string &name : names())
      if (name != along.getValue() && is_contained(dims.size(name).dims(), along.getValue()))
        return false;
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
    Size element = Size::number(model::bytesOf(kernel::storageOf(type, layout)));
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
  if (!rows.find(form.rows))
    return nullptr;
  Module &module = emission.module;
  auto constant = [&](Constant *value, StringRef what) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                              GlobalValue::InternalLinkage, value, name + "." + what);
  };
  SmallVector<uint32_t> reads = rows.reads();
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
