// Writes a kernel with numbers in the place of names, and hashes that.
#include "ir/cpu/tuning/KernelKey.h"

#include "mlir/IR/AttrTypeSubElements.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MD5.h"

using namespace mlir;

namespace weft::cpu {
namespace {

class Writer {
public:
  explicit Writer(const kernel::DimTable &table) : table(table) {
    renamed.addReplacement([this](model::DimAttr dim) { return numbered(dim); });
    renamed.addReplacement(
        [this](model::SizeAttr size) -> std::optional<std::pair<Attribute, WalkResult>> {
          return std::pair<Attribute, WalkResult>(
              model::SizeAttr::get(size.getContext(), numbered(size.getValue())),
              WalkResult::skip());
        });
    renamed.addReplacement(
        [this](kernel::LayoutAttr layout) -> std::optional<std::pair<Attribute, WalkResult>> {
          return std::pair<Attribute, WalkResult>(numbered(layout), WalkResult::skip());
        });
    // In memory as any whole number, and kernels do not ask what it is a position of.
    renamed.addReplacement(
        [](model::DimIndexType index) -> Type { return IntegerType::get(index.getContext(), 32); });
  }

  KernelKey key(kernel::FusedOp op) {
    out << stringifyFamily(op.getFamily()) << '\n';
    // Types first: they list dimensions in an order, where strides are sums without one.
    for (BlockArgument argument : op.getBody().getArguments())
      put(argument);
    for (Type type : op->getResultTypes())
      out << renamed.replace(type) << '\n';
    out << renamed.replace(Attribute(op.getLayoutsAttr())) << '\n';
    if (op.getPacksAttr())
      out << renamed.replace(Attribute(op.getPacksAttr())) << '\n';
    for (Operation &each : op.getBody().front())
      write(each);
    KernelKey key;
    for (const auto &[name, number] : numbers) {
      std::optional<int64_t> size = table.known(llvm::StringRef(name));
      out << number << " = ";
      size ? out << *size : out << "?";
      out << '\n';
      if (!size)
        key.dims.push_back(name);
    }
    llvm::MD5 hash;
    hash.update(text);
    llvm::MD5::MD5Result digest = hash.final();
    key.hash = digest.digest().str().take_front(16).str();
    return key;
  }

private:
  void put(Value value) {
    values.try_emplace(value, values.size());
    out << renamed.replace(value.getType()) << '\n';
  }

  void write(Operation &op) {
    out << op.getName();
    for (Value operand : op.getOperands())
      out << ' ' << values.lookup(operand);
    out << ' ' << renamed.replace(Attribute(op.getAttrDictionary())) << '\n';
    for (Value result : op.getResults())
      put(result);
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          put(argument);
        for (Operation &inner : block)
          write(inner);
      }
  }

  std::string number(const std::string &name) {
    return "d" + std::to_string(numbers.try_emplace(name, numbers.size()).first->second);
  }
  model::DimAttr numbered(model::DimAttr dim) {
    return model::DimAttr::get(dim.getContext(), number(dim.str()));
  }
  Size numbered(const Size &size) {
    return table.folded(size).substitute(
        [&](const std::string &name) { return std::optional(Size::dim(number(name))); });
  }
  kernel::LayoutAttr numbered(kernel::LayoutAttr layout) {
    llvm::SmallVector<model::DimAttr> dims;
    llvm::SmallVector<Size> strides;
    for (model::DimAttr dim : layout.getDims())
      dims.push_back(numbered(dim));
    for (const Size &stride : layout.getStrides())
      strides.push_back(numbered(stride));
    return kernel::LayoutAttr::get(layout.getContext(), dims, strides, layout.getStorage());
  }

  const kernel::DimTable &table;
  llvm::MapVector<std::string, unsigned, std::map<std::string, unsigned>> numbers;
  llvm::DenseMap<Value, unsigned> values;
  AttrTypeReplacer renamed;
  std::string text;
  llvm::raw_string_ostream out{text};
};
} // namespace

KernelKey keyOf(kernel::FusedOp op, const kernel::DimTable &dims) {
  return Writer(dims).key(op);
}

} // namespace weft::cpu
