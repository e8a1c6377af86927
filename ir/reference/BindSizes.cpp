// Sizes of a run: from inputs, then what follows from them, then every check.
#include "ir/reference/BindSizes.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;
using namespace weft::reference;

static StringRef elementName(size_t index) {
  return index == 0 ? "float" : index == 1 ? "int" : "bool";
}

static size_t elementIndex(NamedTensorType type) {
  return type.isFloat() ? 0 : type.isBool() ? 2 : 1;
}

LogicalResult BindSizes::take(Dim dim, int64_t size, const std::string &source) {
  auto [entry, isNew] = known.try_emplace(dim.getValue(), Known{size, source});
  if (isNew || entry->second.size == size)
    return success();
  return report() << source << ": " << dim.getValue() << " is " << size << ", but "
                  << entry->second.source << " has " << dim.getValue() << " " << entry->second.size;
}

LogicalResult BindSizes::give(StringRef name, int64_t size) {
  if (!dims.has(name))
    return report() << "there is no dimension `" << name << "`";
  if (dims.size(name) != Size::dim(std::string_view(name)))
    return report() << "dimension `" << name << "` does not come with the data";
  if (size < 0)
    return report() << "dimension `" << name << "` cannot be " << size;
  known[name] = {size, "the caller"};
  return success();
}

LogicalResult BindSizes::add(const Incoming &tensor) {
  ArrayRef<Dim> names = tensor.type.getDims();
  if (tensor.array->data.index() != elementIndex(tensor.type))
    return report() << tensor.name << " has elements " << elementName(tensor.array->data.index())
                    << ", the program wants " << elementName(elementIndex(tensor.type));
  if (tensor.array->shape.size() != names.size())
    return report() << tensor.name << " has " << tensor.array->shape.size()
                    << " dimensions, expected " << names.size() << ": ["
                    << llvm::join(llvm::map_range(names, [](Dim dim) { return dim.getValue(); }),
                                  ", ")
                    << "]";
  size_t elements = std::visit([](const auto &data) { return data.size(); }, tensor.array->data);
  if (int64_t(elements) != countOf(tensor.array->shape))
    return report() << tensor.name << " has " << elements << " elements, its shape says "
                    << countOf(tensor.array->shape);
  for (auto [dim, size] : llvm::zip_equal(names, tensor.array->shape))
    if (dims.size(dim) == Size::dim(std::string_view(dim.getValue())) &&
        failed(take(dim, size, tensor.name)))
      return failure();
  tensors.push_back(tensor);
  return success();
}

std::optional<int64_t> BindSizes::valueOf(const Size &size) const {
  return size.evaluate([&](const std::string &name) -> std::optional<int64_t> {
    auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second.size);
  });
}

LogicalResult BindSizes::check(const Incoming &tensor, const Sizes &sizes) {
  for (auto [dim, size] : llvm::zip_equal(tensor.type.getDims(), tensor.array->shape))
    if (std::optional<int64_t> expected = sizes.find(dim.getValue()); expected && *expected != size)
      return report() << tensor.name << ": " << dim.getValue() << " is " << size
                      << ", the program has " << dim.getValue() << " = " << dims.size(dim).str()
                      << (dims.fixed(dim) ? "" : " = " + std::to_string(*expected));
  if (!tensor.indexed)
    return success();
  int64_t limit = sizes[tensor.indexed];
  for (int64_t index : tensor.array->wholes())
    if (index < 0 || index >= limit)
      return report() << tensor.name << " holds " << index << ", but " << tensor.indexed.getValue()
                      << " has size " << limit;
  return success();
}

FailureOr<Sizes> BindSizes::finish(MLIRContext *context) {
  Sizes sizes;
  for (DimOp op : dims.declared()) {
    Size size = dims.size(op.getSymName());
    std::vector<std::string> needed = size.dims();
    if (!llvm::all_of(needed, [&](const std::string &name) { return known.contains(name); }))
      continue;
    std::optional<int64_t> value = valueOf(size);
    if (!value || *value < 0) {
      InFlightDiagnostic error = report();
      error << "dimension `" << op.getSymName() << "` = " << size.str() << " is not a size";
      for (const std::string &name : needed)
        error << (name == needed.front() ? " where " : ", ") << name << " is " << known[name].size;
      return error;
    }
    sizes.set(op.getSymNameAttr(), *value);
    SizeAttr bound = op.getBoundAttr();
    if (std::optional<int64_t> most =
            bound ? valueOf(dims.resolve(bound.getValue())) : std::nullopt;
        most && *value > *most) {
      std::string source =
          known.contains(op.getSymName()) ? known[op.getSymName()].source + ": " : "";
      return report() << source << op.getSymName() << " is " << *value << ", this build allows "
                      << op.getSymName() << " <= " << *most;
    }
  }
  for (const Incoming &tensor : tensors)
    if (failed(check(tensor, sizes)))
      return failure();
  return sizes;
}
