// Batches recorded in a safetensors file.
#include "runtime/data/TensorSource.h"

#include "runtime/data/OpenData.h"
#include "runtime/random/Philox.h"

using namespace weft::runtime;

Result<std::unique_ptr<DataSource>> TensorSource::open(const Facts &facts, const Entry &entry,
                                                       const std::string &path) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  std::unique_ptr<TensorSource> source(new TensorSource(std::move(*file)));
  for (const Argument &argument : entry.inputs) {
    const StoredTensor *tensor = source->file.find(argument.name);
    if (!tensor)
      tensor = source->file.find("in." + argument.name);
    if (!tensor)
      return Error{Code::Name,
                   text("%s: lacks `%s` (or `in.%s`), an input of %s", path.c_str(),
                        argument.name.c_str(), argument.name.c_str(), entry.name.c_str())};
    if (!converts(tensor->type, argument.element))
      return Error{Code::Type,
                   text("%s: tensor `%s` holds %s, expected %s", path.c_str(), tensor->name.c_str(),
                        elementTypeName(tensor->type), elementName(argument.element))};
    if (tensor->shape.size() != argument.dims.size() + 1)
      return Error{Code::Size,
                   text("%s: tensor `%s` has shape %s, expected the step and then %s", path.c_str(),
                        tensor->name.c_str(), shapeText(tensor->shape).c_str(),
                        facts.dimNames(argument.dims).c_str())};
    if (!source->tensors.empty() && tensor->shape[0] != source->steps)
      return Error{Code::Size, text("%s: `%s` has %lld steps, `%s` has %lld", path.c_str(),
                                    tensor->name.c_str(), wide(tensor->shape[0]),
                                    source->tensors[0]->name.c_str(), wide(source->steps))};
    source->steps = tensor->shape[0];
    source->tensors.push_back(tensor);
  }
  if (source->steps < 1)
    return Error{Code::Size, text("%s: holds no steps", path.c_str())};
  source->batch = source->tensors[0]->shape.size() > 1 ? source->tensors[0]->shape[1] : 1;
  return std::unique_ptr<DataSource>(std::move(source));
}

Status TensorSource::setSizes(EntryRun &run, int64_t) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::vector<int64_t> shape(tensors[i]->shape.begin() + 1, tensors[i]->shape.end());
    if (Status status = run.bindShape(static_cast<int>(i), shape, "tensor " + tensors[i]->name);
        !status)
      return status;
  }
  return success();
}

Status TensorSource::fillTraining(EntryRun &run, BatchPlace place) const {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Argument &argument = run.entry().inputs[i];
    int64_t count = run.inputCount(static_cast<int>(i));
    int64_t skipped =
        (place.step - 1) * count * static_cast<int64_t>(elementBytes(tensors[i]->type));
    int64_t bad = convert(tensors[i]->type, file.data(*tensors[i]) + skipped, count,
                          argument.element, run.input(static_cast<int>(i)));
    if (bad >= 0)
      return Error{Code::Value,
                   text("%s: tensor `%s` holds a value that %s cannot hold, in step %lld",
                        file.path().c_str(), tensors[i]->name.c_str(),
                        argument.element == Element::Int ? "int32" : "bool", wide(place.step))};
  }
  return success();
}

std::string TensorSource::description() const {
  return text("%lld recorded batches of %lld", wide(steps), wide(batch));
}

uint64_t TensorSource::fingerprint() const {
  uint64_t hash = 0;
  for (const StoredTensor *tensor : tensors)
    hash ^= streamNamed(
        {reinterpret_cast<const char *>(file.data(*tensor)), tensor->end - tensor->begin});
  return hash;
}

static Result<std::unique_ptr<DataSource>> openTensors(const Model &model, const Training &training,
                                                       const std::string &path,
                                                       const DataRequest &) {
  return TensorSource::open(model.facts, model.facts.entries[training.gradient], path);
}

DataKind weft::runtime::tensorsKind() {
  return {"tensors", "FILE.safetensors", false, {{}, openTensors}};
}
