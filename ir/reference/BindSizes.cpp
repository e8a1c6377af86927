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

LogicalResult BindSizes::isSize(StringRef dim, int64_t size, const std::string &source) {
  int64_t least = dims.mayBeEmpty(dim) ? 0 : 1;
  constexpr int64_t most = INT32_MAX; // so every position is an int
  if (size > most)
    return report() << source << ": " << dim << " is " << size << ", but the largest size is "
                    << most;
  if (size >= least)
    return success();
  return report() << source << ": " << dim << " is " << size << ", expected at least " << least;
}

LogicalResult BindSizes::take(DimAttr dim, int64_t size, const std::string &source) {
  if (failed(isSize(dim.getValue(), size, source)))
    return failure();
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
  if (failed(isSize(name, size, "the caller")))
    return failure();
  known[name] = {size, "the caller"};
  return success();
}

LogicalResult BindSizes::add(const Incoming &tensor) {
  ArrayRef<DimAttr> names = tensor.type.getDims();
  if (tensor.array->data.index() != elementIndex(tensor.type))
    return report() << tensor.name << " has elements " << elementName(tensor.array->data.index())
                    << ", the program wants " << elementName(elementIndex(tensor.type));
  if (tensor.array->shape.size() != names.size())
    return report() << tensor.name << " has " << tensor.array->shape.size()
                    << " dimensions, expected " << names.size() << ": ["
                    << llvm::join(
                           llvm::map_range(names, [](DimAttr dim) { return dim.getValue(); }), ", ")
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
  std::optional<int64_t> limit = sizes.find(tensor.indexed.getValue());
  if (!limit)
    return report() << "the size of " << tensor.indexed.getValue() << " is not whole";
  for (int64_t index : tensor.array->wholes())
    if (index < 0 || index >= *limit)
      return report() << tensor.name << " holds " << index << ", but " << tensor.indexed.getValue()
                      << " has size " << *limit;
  return success();
}

/// Whether there is a size for what `tensor` holds positions of.
LogicalResult BindSizes::knowsIndexed(const Incoming &tensor) {
  if (!tensor.indexed)
    return success();
  for (const std::string &name : dims.size(tensor.indexed).dims())
    if (!known.contains(name)) {
      bool follows = name != tensor.indexed.getValue();
      return report() << "the size of " << name << " is not known: " << tensor.name
                      << " holds positions of "
                      << (follows ? tensor.indexed.getValue() : StringRef("it"))
                      << (follows ? ", which follows from it" : "") << ", and no input has it";
    }
  return success();
}

/// What does not hold, and who gave the sizes that it is about.
LogicalResult BindSizes::refuse(StringRef entry, const std::string &text, RequireAttr what) {
  std::set<std::string> names;
  for (const Size &side : {what.getLeft(), what.getRight()})
    for (const std::string &name : dims.resolve(side).dims())
      names.insert(name);
  InFlightDiagnostic error = report() << entry << ": " << text;
  StringRef between = "; ";
  for (const std::string &name : names)
    if (auto found = known.find(name); found != known.end()) {
      error << between << name << " = " << found->second.size << " comes from "
            << found->second.source;
      between = ", ";
    }
  return error;
}

FailureOr<Sizes> BindSizes::finish(ArrayRef<RequireAttr> asked, StringRef entry) {
  Sizes sizes;
  for (DimOp op : dims.declared())
    if (std::optional<int64_t> value = valueOf(dims.size(op.getSymName())))
      sizes.set(op.getDim(), *value);
  for (const Incoming &tensor : tensors)
    if (failed(knowsIndexed(tensor)))
      return failure();
  for (RequireAttr what : asked)
    if (auto text = broken(what, [&](const std::string &name) {
          std::optional<int64_t> size = sizes.find(name);
          return size ? size : valueOf(Size::dim(name));
        }))
      return refuse(entry, *text, what);
  for (const Incoming &tensor : tensors)
    if (failed(check(tensor, sizes)))
      return failure();
  return sizes;
}
