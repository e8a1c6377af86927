// Reading parameters from a file: everything is checked before anything is changed.
#include "runtime/model/Parameters.h"
#include "runtime/model/Slices.h"

#include <cmath>
#include <set>

using namespace weft::runtime;

class Parameters::Loader {
public:
  Loader(const Facts &facts, const SafetensorsFile &file, const Kinds &kinds)
      : facts(facts), file(file), kinds(kinds) {}
  Status plan();
  Status checkValues() const;
  std::vector<Move> moves;

private:
  Status planParameter(int number);
  Status accept(const StoredTensor &tensor, int number, int64_t offset,
                const std::vector<int64_t> &shape);
  Status checkSurplus() const;
  const Facts &facts;
  const SafetensorsFile &file;
  const Kinds &kinds;
  std::vector<std::string> missing;
  std::set<std::string, std::less<>> known; // names that the model has, of whatever kind
};

/// The names of a parameter's dimensions with their sizes: "model = 64, head = 4".
static std::string sizesText(const Facts &facts, const Parameter &parameter, int first) {
  std::string out;
  for (size_t i = static_cast<size_t>(first); i < parameter.dims.size(); ++i) {
    const Dimension &dimension = facts.dims[parameter.dims[i]];
    out +=
        text("%s%s = %lld", out.empty() ? "" : ", ", dimension.name.c_str(), wide(*dimension.size));
  }
  return out.empty() ? "a single number" : out;
}

Status Parameters::Loader::accept(const StoredTensor &tensor, int number, int64_t offset,
                                  const std::vector<int64_t> &shape) {
  const Parameter &parameter = facts.parameters[number];
  const char *path = file.path().c_str(), *name = tensor.name.c_str();
  if (tensor.shape != shape)
    return Error{Code::Size, text("%s: tensor `%s` has shape %s, the model expects %s (%s)", path,
                                  name, shapeText(tensor.shape).c_str(), shapeText(shape).c_str(),
                                  sizesText(facts, parameter,
                                            static_cast<int>(parameter.dims.size() - shape.size()))
                                      .c_str())};
  if (!converts(tensor.type, parameter.element))
    return Error{Code::Type, text("%s: tensor `%s` holds %s, the model expects %s", path, name,
                                  elementTypeName(tensor.type), elementName(parameter.element))};
  moves.push_back({&tensor, number, offset, countOf(shape)});
  return success();
}

Status Parameters::Loader::planParameter(int number) {
  const Parameter &parameter = facts.parameters[number];
  std::vector<Slice> slices = slicesOf(facts, parameter);
  bool wanted = kinds(parameter.kind);
  if (!wanted || parameter.loops > 0)
    for (const Slice &slice : slices)
      known.insert(slice.name);
  const StoredTensor *stacked = file.find(parameter.name);
  if (!wanted || stacked || slices.empty())
    known.insert(parameter.name);
  if (!wanted || slices.empty())
    return success();
  if (stacked) {
    for (const Slice &slice : slices)
      if (parameter.loops > 0 && file.find(slice.name))
        return Error{Code::Value,
                     text("%s: has `%s` and also `%s`, which is a part of it", file.path().c_str(),
                          parameter.name.c_str(), slice.name.c_str())};
    return accept(*stacked, number, 0, stackedShape(facts, parameter));
  }
  std::vector<int64_t> shape = sliceShape(facts, parameter);
  for (const Slice &slice : slices) {
    const StoredTensor *tensor = file.find(slice.name);
    if (!tensor) {
      missing.push_back(slice.name);
      continue;
    }
    if (Status status = accept(*tensor, number, slice.offset, shape); !status)
      return status;
  }
  return success();
}

Status Parameters::Loader::checkSurplus() const {
  std::vector<std::string> surplus;
  for (const StoredTensor &tensor : file.tensors())
    if (!known.count(tensor.name))
      surplus.push_back(tensor.name);
  if (missing.empty() && surplus.empty())
    return success();
  std::string message = file.path() + ": ";
  if (!missing.empty())
    message += "lacks " + listed(missing);
  if (!surplus.empty())
    message += (missing.empty() ? "has " : ", and has ") + listed(surplus) +
               ", which this model does not know";
  return Error{Code::Name, message + "; is it of another model or config?"};
}

Status Parameters::Loader::plan() {
  for (size_t i = 0; i < facts.parameters.size(); ++i)
    if (Status status = planParameter(static_cast<int>(i)); !status)
      return status;
  return checkSurplus();
}

/// The position of the first value that is not finite or does not convert, or -1.
static Result<int64_t> firstBad(const SafetensorsFile &file, const StoredTensor &tensor,
                                int64_t all, Element element) {
  constexpr int64_t step = 1 << 14;
  std::vector<float> piece(static_cast<size_t>(std::min(step, all))); // or as many int32
  for (int64_t i = 0; i < all; i += step) {
    int64_t count = std::min(step, all - i);
    Result<int64_t> read = file.read(tensor, i, count, element, piece.data());
    if (!read)
      return read;
    int64_t bad = *read;
    for (int64_t j = 0; bad < 0 && element == Element::Float && j < count; ++j)
      if (!std::isfinite(piece[static_cast<size_t>(j)]))
        bad = j;
    if (bad >= 0)
      return i + bad;
  }
  return int64_t(-1);
}

Status Parameters::Loader::checkValues() const {
  for (const Move &move : moves) {
    Element element = facts.parameters[move.parameter].element;
    Result<int64_t> bad = firstBad(file, *move.tensor, move.count, element);
    if (!bad)
      return bad.error();
    if (*bad < 0)
      continue;
    return Error{Code::Value,
                 text("%s: tensor `%s` holds %s at %s: these weights are broken, take others",
                      file.path().c_str(), move.tensor->name.c_str(),
                      element == Element::Float ? "NaN or infinity" : "a value out of range",
                      positionText(move.tensor->shape, *bad).c_str())};
  }
  return success();
}

/// Whether each parameter now lies in the file: its slices are there one behind the other, as
/// float32, and the file's system can map them.
std::vector<bool> Parameters::map(Parameters &parameters, const SafetensorsFile &file,
                                  std::span<const Move> moves) {
  std::vector<Mirror> &mirrors = parameters.mirrors;
  std::vector<int64_t> starts(mirrors.size(), -1);
  std::vector<bool> lies(mirrors.size(), true), none(mirrors.size());
  for (const Move &move : moves) {
    auto number = static_cast<size_t>(move.parameter);
    auto begin = static_cast<int64_t>(move.tensor->begin);
    if (starts[number] < 0)
      starts[number] = begin;
    lies[number] = lies[number] && move.tensor->type == ElementType::F32 &&
                   parameters.facts->parameters[number].element == Element::Float &&
                   begin % int64_t(sizeof(float)) == 0 &&
                   begin == starts[number] + move.offset * int64_t(sizeof(float));
  }
  for (size_t i = 0; i < mirrors.size(); ++i)
    lies[i] = lies[i] && starts[i] >= 0;
  if (lies == none)
    return none;
  Result<MappedFile> mapped = file.map();
  if (!mapped)
    return none;
  for (size_t i = 0; i < mirrors.size(); ++i)
    if (lies[i])
      parameters.adopt(static_cast<int>(i), mapped->data() + starts[i]);
  parameters.maps.push_back(std::move(*mapped));
  return lies;
}

Status Parameters::isUnchanged() const {
  for (const MappedFile &file : maps)
    if (Status status = file.isUnchanged(); !status)
      return status;
  return success();
}

Status Parameters::load(std::span<const Source> sources) {
  std::vector<Loader> loaders;
  loaders.reserve(sources.size());
  for (const Source &source : sources) {
    Loader &loader = loaders.emplace_back(*facts, source.file, source.kinds);
    if (Status status = loader.plan(); !status)
      return status;
    if (Status status = loader.checkValues(); !status)
      return status;
  }
  for (size_t i = 0; i < sources.size(); ++i) {
    std::vector<bool> lies(mirrors.size());
    if (sources[i].mapping)
      lies = sources[i].mapping(*this, sources[i].file, loaders[i].moves);
    for (const Move &move : loaders[i].moves) {
      if (lies[static_cast<size_t>(move.parameter)])
        continue;
      Element element = facts->parameters[move.parameter].element;
      char *target =
          forWriting(static_cast<size_t>(move.parameter)) + move.offset * bytesOf(element);
      Result<int64_t> read = sources[i].file.read(*move.tensor, 0, move.count, element, target);
      if (!read) // the file was written to since checkValues()
        return Error{read.error().code,
                     read.error().message + "; the parameters are partly those of it: load again"};
    }
  }
  changed();
  return success();
}

Status Parameters::load(const SafetensorsFile &file, const Kinds &kinds) {
  Source source{file, kinds};
  return load({&source, 1});
}
