// The memory of parameters, their initial values, and writing them.
#include "runtime/model/Parameters.h"

#include "runtime/base/InitialValues.h"
#include "runtime/machine/Ranges.h"
#include "runtime/model/Slices.h"

#include <algorithm>

using namespace weft::runtime;

static constexpr const char *tooLarge = "this model is too large for this machine";
static constexpr const char *tooLargeForDevice = "this model is too large for the device";

Result<Parameters> Parameters::create(const Facts &facts, MemorySource source) {
  Parameters created;
  created.facts = &facts;
  created.device = source.device;
  for (const Parameter &parameter : facts.parameters) {
    int64_t bytes = bytesOf(parameter.element);
    for (int64_t size : stackedShape(facts, parameter))
      if (__builtin_mul_overflow(bytes, size, &bytes))
        return Error{Code::Memory,
                     text("parameter `%s` is too large for any machine", parameter.name.c_str())};
    Result<Mirror> mirror =
        Mirror::create(source, bytes, text("parameter `%s`", parameter.name.c_str()), tooLarge);
    if (!mirror)
      return mirror.error();
    created.mirrors.push_back(std::move(*mirror));
  }
  created.given.resize(facts.parameters.size());
  created.placed.resize(facts.parameters.size(), !source.device);
  created.absent.resize(facts.parameters.size());
  created.addresses.resize(facts.parameters.size());
  created.versions.resize(facts.parameters.size(), created.changes);
  return created;
}

void Parameters::adopt(int parameter, char *memory) {
  auto number = static_cast<size_t>(parameter);
  absent[number] = false;
  mirrors[number] = Mirror::over(device, memory, mirrors[number].size(),
                                 text("parameter `%s`", facts->parameters[number].name.c_str()));
  placed[number] = !device;
}

void Parameters::adopt(char *start, const std::vector<int64_t> &offsets, const Kinds &kinds) {
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (kinds(facts->parameters[i].kind)) {
      if (offsets[i] < 0)
        absent[i] = true;
      else
        adopt(static_cast<int>(i), start + offsets[i]);
    }
  changed();
}

Status Parameters::need(int parameter) const {
  if (!isAbsent(parameter))
    return success();
  return Error{Code::Usage,
               text("this program carries `%s` packed as its products read it, and nothing else of "
                    "it; load weights, or have it built without --inference",
                    facts->parameters[static_cast<size_t>(parameter)].name.c_str())};
}

void *Parameters::data(int parameter) const {
  auto number = static_cast<size_t>(parameter);
  given[number] = true;
  return mirrors[number].read();
}

void *Parameters::follow(int parameter) {
  auto number = static_cast<size_t>(parameter);
  given[number] = true;
  return mirrors[number].follow();
}

char *Parameters::forWriting(size_t parameter) {
  given[parameter] = true;
  absent[parameter] = false;
  return mirrors[parameter].write();
}

void Parameters::changed() {
  std::fill(versions.begin(), versions.end(), ++changes);
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (given[i])
      mirrors[i].write();
}

Status Parameters::fresh(const Kinds &kinds) const {
  if (!device)
    return success();
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (kinds(facts->parameters[i].kind))
      mirrors[i].fetch();
  return device->wait();
}

Status Parameters::place(const Kinds &kinds) {
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (!placed[i] && kinds(facts->parameters[i].kind)) {
      if (Status status = mirrors[i].place(tooLargeForDevice); !status)
        return status;
      placed[i] = true;
    }
  return success();
}

int64_t Parameters::bytesToPlace(const Kinds &kinds) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < mirrors.size(); ++i)
    bytes += placed[i] || !kinds(facts->parameters[i].kind) ? 0 : mirrors[i].size();
  return bytes;
}

void *const *Parameters::forCode() {
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (placed[i])
      addresses[i] = mirrors[i].forCode();
  return addresses.data();
}

void Parameters::written(const Entry &entry) {
  if (!entry.writes.empty())
    ++changes;
  for (int number : entry.writes) {
    auto i = static_cast<size_t>(number);
    versions[i] = changes;
    if (placed[i]) {
      mirrors[i].written();
      given[i] = mirrors[i].isFollowed();
    }
  }
}

void Parameters::publish() {
  for (Mirror &mirror : mirrors)
    mirror.publish();
}

static void fillConstant(const Parameter &parameter, char *values, int64_t begin, int64_t end) {
  values += begin * bytesOf(parameter.element);
  if (parameter.element == Element::Float)
    std::fill_n(reinterpret_cast<float *>(values), end - begin,
                static_cast<float>(parameter.value));
  else if (parameter.element == Element::Int)
    std::fill_n(reinterpret_cast<int32_t *>(values), end - begin,
                static_cast<int32_t>(parameter.value));
  else
    std::fill_n(values, end - begin, static_cast<char>(parameter.value != 0));
}

void Parameters::initialize(Pool &pool, uint64_t seed, const Kinds &kinds) {
  for (size_t i = 0; i < mirrors.size(); ++i) {
    const Parameter &parameter = facts->parameters[i];
    if (!kinds(parameter.kind))
      continue;
    const bool isConstant =
        parameter.initial == InitialValue::Constant || parameter.element != Element::Float;
    auto draw = parameter.initial == InitialValue::Normal            ? fillNormal
                : parameter.initial == InitialValue::TruncatedNormal ? fillTruncatedNormal
                                                                     : fillUniform;
    char *values = forWriting(i);
    for (const Slice &slice : slicesOf(*facts, parameter))
      overRanges(pool, "initial values", slice.count, [&](int64_t begin, int64_t end) {
        if (isConstant)
          return fillConstant(parameter, values, slice.offset + begin, slice.offset + end);
        DenormalsKept kept; // deviations may be small
        draw(reinterpret_cast<float *>(values) + slice.offset + begin, end - begin, parameter.value,
             seed, slice.name, begin);
      });
  }
  changed();
}

void weft::runtime::addSlices(const Facts &facts, const Parameter &parameter, const void *values,
                              std::vector<TensorToWrite> &tensors) {
  std::vector<int64_t> shape = sliceShape(facts, parameter);
  for (const Slice &slice : slicesOf(facts, parameter))
    tensors.push_back(
        {slice.name, parameter.element, shape,
         static_cast<const char *>(values) + slice.offset * bytesOf(parameter.element)});
}

Status Parameters::save(const std::string &path, const Kinds &kinds) const {
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (kinds(facts->parameters[i].kind))
      if (Status status = need(static_cast<int>(i)); !status)
        return status;
  if (Status status = fresh(kinds); !status)
    return status;
  std::vector<TensorToWrite> tensors;
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (kinds(facts->parameters[i].kind))
      addSlices(*facts, facts->parameters[i], mirrors[i].read(), tensors);
  return writeSafetensors(path, tensors);
}
