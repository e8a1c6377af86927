// Fills tensors with numbers and writes them.
#include "Sample.h"

#include "ir/model/Model.h"
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"

#include "ir/model/Entries.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <fmt/format.h>

#include <fstream>
#include <list>
#include <stdexcept>

using namespace mlir;

namespace weft::test {

namespace {

/// Owns what a file is written from.
class File {
public:
  template <class Value>
  void add(const std::string &name, runtime::Element element, const std::vector<int64_t> &shape,
           std::vector<Value> values) {
    auto &kept = storage.emplace_back(sizeof(Value) * std::max<size_t>(values.size(), 1));
    std::copy(values.begin(), values.end(), reinterpret_cast<Value *>(kept.data()));
    tensors.push_back({name, element, {shape.begin(), shape.end()}, kept.data()});
  }
  void write(const std::string &path) {
    std::sort(tensors.begin(), tensors.end(), [](auto &a, auto &b) { return a.name < b.name; });
    if (!runtime::writeSafetensors(path, tensors))
      throw std::runtime_error(path + " cannot be written");
  }

private:
  std::list<std::vector<std::byte>> storage;
  std::vector<runtime::TensorToWrite> tensors;
};

} // namespace

testing::AssertionResult does(const std::string &command, const std::filesystem::path &folder) {
  std::string said = (folder / "said").string();
  if (std::system(fmt::format("{} > {} 2>&1", command, said).c_str()) == 0)
    return testing::AssertionSuccess();
  std::ifstream file(said);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  return testing::AssertionFailure() << command << "\n" << text;
}

void writeFloats(const reference::NamedArrays &arrays, const std::string &path) {
  File file;
  for (auto &entry : arrays) {
    reference::Floats values = asFloats(entry.getValue()).floats();
    file.add(entry.getKey().str(), runtime::Element::Float,
             {entry.getValue().shape.begin(), entry.getValue().shape.end()},
             std::vector<float>(values.begin(), values.end()));
  }
  file.write(path);
}

void writeTensors(const Tensors &tensors, const std::string &path) {
  File file;
  for (const auto &[name, tensor] : tensors) {
    std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end());
    if (auto *whole = std::get_if<reference::Wholes>(&tensor.data))
      file.add(name, runtime::Element::Int, shape,
               std::vector<int32_t>(whole->begin(), whole->end()));
    else
      file.add(name, runtime::Element::Float, shape,
               std::vector<float>(tensor.floats().begin(), tensor.floats().end()));
  }
  file.write(path);
}

void writeInputs(ModuleOp module, const std::string &entry, const SizesByName &sizes, uint64_t seed,
                 const std::string &path) {
  func::FuncOp function;
  for (auto each : module.getOps<func::FuncOp>())
    if (auto name = each->getAttrOfType<StringAttr>(model::attr::entry); name && name == entry)
      function = each;
  if (!function)
    throw std::runtime_error("no entry " + entry);
  model::Dims dims(module);
  auto sizeOf = [&](model::DimAttr dim) {
    auto size = dims.size(dim).evaluate(
        [&](const std::string &name) -> std::optional<int64_t> { return sizes.at(name); });
    return *size;
  };
  std::mt19937_64 random(seed);
  File file;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto type = model::typeOf(function.getArgument(i));
    std::vector<int64_t> shape;
    size_t count = 1;
    for (model::DimAttr dim : type.getDims())
      count *= shape.emplace_back(sizeOf(dim));
    auto name = function.getArgAttrOfType<StringAttr>(i, model::attr::name).str();
    model::DimAttr index = type.indexed();
    if (type.isFloat()) {
      std::normal_distribution<float> normal;
      std::vector<float> data(count);
      for (float &each : data)
        each = normal(random);
      file.add(name, runtime::Element::Float, shape, std::move(data));
    } else if (type.isBool()) {
      std::vector<uint8_t> data(count);
      for (uint8_t &each : data)
        each = random() % 3 != 0;
      file.add(name, runtime::Element::Bool, shape, std::move(data));
    } else {
      std::vector<int32_t> data(count);
      for (int32_t &each : data)
        each = static_cast<int32_t>(random() % static_cast<uint64_t>(index ? sizeOf(index) : 3));
      file.add(name, runtime::Element::Int, shape, std::move(data));
    }
  }
  file.write(path);
}

void randomize(const std::string &path, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0, 0.4f);
  File file;
  {
    auto old = runtime::SafetensorsFile::open(path);
    if (!old)
      throw std::runtime_error(path + " cannot be read");
    for (const runtime::StoredTensor &tensor : old->tensors()) {
      std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end());
      size_t count = 1;
      for (int64_t size : shape)
        count *= size;
      std::vector<float> data(count);
      for (float &each : data)
        each = normal(random);
      file.add(tensor.name, runtime::Element::Float, shape, std::move(data));
    }
  }
  file.write(path);
}

} // namespace weft::test
