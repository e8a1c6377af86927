// Batches recorded in a safetensors file.
#include "runtime/data/TensorSource.h"

#include "runtime/base/Philox.h"
#include "runtime/data/Fingerprint.h"
#include "runtime/data/OpenData.h"

#include <algorithm>
#include <functional>

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
  Result<std::string> hash = source->hashed();
  if (!hash)
    return hash.error();
  source->hash = *hash;
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
    Result<int64_t> bad = file.read(*tensors[i], (place.step - 1) * count, count, argument.element,
                                    run.input(static_cast<int>(i)));
    if (!bad)
      return bad.error();
    if (*bad >= 0)
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

/// Gives the bytes of a tensor to `take`, a piece after the other.
static Status inPieces(const SafetensorsFile &file, const StoredTensor &tensor,
                       const std::function<void(std::string_view)> &take) {
  constexpr uint64_t most = 1 << 18;
  uint64_t all = tensor.end - tensor.begin;
  std::vector<std::byte> piece(std::min(all, most));
  for (uint64_t offset = 0; offset < all; offset += most) {
    std::span<std::byte> now = std::span(piece).first(std::min(all - offset, most));
    if (Status status = file.readBytes(tensor, offset, now); !status)
      return status;
    take({reinterpret_cast<const char *>(now.data()), now.size()});
  }
  return success();
}

Result<std::string> TensorSource::hashed() const {
  Fingerprint print;
  for (const StoredTensor *tensor : tensors) {
    print.addPart(tensor->name);
    print.addPart(elementTypeName(tensor->type));
    print.addPart(shapeText(tensor->shape));
    Status status = inPieces(file, *tensor, [&](std::string_view bytes) { print.add(bytes); });
    if (!status)
      return status.error();
    print.endPart();
  }
  return print.text();
}

/// As checkpoints of earlier versions have it, which cannot tell one order of tensors from another.
Result<uint64_t> TensorSource::hashedAsBefore() const {
  uint64_t all = 0;
  for (const StoredTensor *tensor : tensors) {
    uint64_t hash = streamNamed("");
    Status status =
        inPieces(file, *tensor, [&](std::string_view bytes) { hash = streamNamed(bytes, hash); });
    if (!status)
      return status.error();
    all ^= hash;
  }
  return all;
}

Result<bool> TensorSource::hasFingerprint(const std::string &before) const {
  if (before == hash || before.starts_with("2:"))
    return before == hash;
  Result<uint64_t> earlier = hashedAsBefore();
  if (!earlier)
    return earlier.error();
  return before == hexadecimal(*earlier);
}

static Result<std::unique_ptr<DataSource>> openTensors(const Model &model, const Training &training,
                                                       const std::string &path,
                                                       const DataRequest &) {
  return TensorSource::open(model.facts, model.facts.entries[training.gradient], path);
}

DataKind weft::runtime::tensorsKind() {
  return {"tensors", "FILE.safetensors", false, {{}, openTensors}};
}
