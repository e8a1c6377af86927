// From a result to heat maps.
#include "runtime/program/run/RunPlot.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/plots/HeatMaps.h"

#include <algorithm>

using namespace weft::runtime;

namespace {
/// A dimension of what is drawn.
struct Axis {
  int dimension;
  int64_t size, stride;
};
} // namespace

/// The dimensions of a result that are drawn, and where its first element is.
static Result<std::vector<Axis>> axesOf(const EntryRun &run, const Facts &facts, int output,
                                        const std::vector<SizeSetting> &at, int64_t &offset) {
  const Argument &argument = run.entry().outputs[output];
  std::vector<int64_t> shape = run.outputShape(output);
  std::vector<Axis> axes;
  std::vector<std::string> names;
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i]) {
    const std::string &name = facts.dims[argument.dims[i]].name;
    names.insert(names.begin(), name);
    auto picked = std::find_if(at.begin(), at.end(),
                               [&](const SizeSetting &each) { return each.dimension == name; });
    if (picked == at.end()) {
      axes.insert(axes.begin(), {argument.dims[i], shape[i], stride});
      continue;
    }
    if (picked->size >= shape[i])
      return Error{Code::Size, text("--at %s=%lld: `%s` of %s has positions 0 to %lld",
                                    name.c_str(), wide(picked->size), name.c_str(),
                                    argument.name.c_str(), wide(shape[i] - 1))};
    offset += picked->size * stride;
  }
  for (const SizeSetting &each : at)
    if (std::find(names.begin(), names.end(), each.dimension) == names.end())
      return Error{Code::Name,
                   text("--at %s: %s has no such dimension; it has %s", each.dimension.c_str(),
                        argument.name.c_str(), names.empty() ? "none" : listed(names, 12).c_str())};
  for (size_t i = 0; i < axes.size() && axes.size() > 2;)
    axes[i].size == 1 ? void(axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(i))) : void(++i);
  if (axes.empty())
    return Error{Code::Size,
                 text("%s is one number: there is nothing to draw", argument.name.c_str())};
  return axes;
}

/// Puts the dimension that goes down before the last.
static void chooseRows(std::vector<Axis> &axes, const Facts &facts) {
  auto comesWithData = [&](const Axis &axis) { return !facts.dims[axis.dimension].size; };
  if (axes.size() < 3 || !comesWithData(axes.back()))
    return;
  for (size_t i = axes.size() - 1; i-- > 0;)
    if (comesWithData(axes[i])) {
      std::rotate(axes.begin() + static_cast<std::ptrdiff_t>(i),
                  axes.begin() + static_cast<std::ptrdiff_t>(i) + 1, axes.end() - 1);
      return;
    }
}

/// What stands along an axis: the words of its dimension, else words as many as it has positions,
/// rather those of the `other` axis.
static std::vector<std::string> labelsOf(const Axis &axis, int other, const Facts &facts,
                                         const AxisTexts &words) {
  const AxisWords *found = nullptr;
  for (const AxisWords &each : words) {
    if (each.dimension == axis.dimension)
      return each.words;
    bool fits =
        !facts.dims[axis.dimension].size && axis.size == static_cast<int64_t>(each.words.size());
    if (fits && (!found || each.dimension == other))
      found = &each;
  }
  return found ? found->words : std::vector<std::string>();
}

static float elementOf(const EntryRun &run, int output, int64_t at) {
  switch (run.entry().outputs[output].element) {
  case Element::Float:
    return run.output<float>(output)[at];
  case Element::Int:
    return static_cast<float>(run.output<int32_t>(output)[at]);
  case Element::Bool:
    return run.output<char>(output)[at] ? 1.0f : 0.0f;
  case Element::BFloat16:
    return widened(run.output<uint16_t>(output)[at]);
  case Element::GroupedInt8:
    return grouped::valueAt(run.output<char>(output), at);
  }
  return 0;
}

/// The elements along the axes, the last of which varies fastest.
static std::vector<float> gathered(const EntryRun &run, int output, const std::vector<Axis> &axes,
                                   int64_t offset) {
  int64_t count = 1;
  for (const Axis &axis : axes)
    count *= axis.size;
  std::vector<float> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = offset, rest = i;
    for (size_t a = axes.size(); a-- > 0; rest /= axes[a].size)
      at += rest % axes[a].size * axes[a].stride;
    values[static_cast<size_t>(i)] = elementOf(run, output, at);
  }
  return values;
}

Status weft::runtime::plotResult(const EntryRun &run, const Facts &facts, const Options &options,
                                 const std::string &usual, const AxisTexts &words) {
  if (!options.has("plot")) {
    for (const char *idle : {"value", "at"})
      if (options.has(idle))
        return Error{Code::Usage, text("--%s goes with --plot FILE.svg", idle)};
    return success();
  }
  std::string name = options.has("value") ? options.string("value") : usual;
  int output = argumentNamed(run.entry().outputs, name);
  if (output < 0) {
    std::vector<std::string> names;
    for (const Argument &each : run.entry().outputs)
      if (each.gradientOf.empty())
        names.push_back(each.name);
    return Error{Code::Name,
                 text("--value %s: entry %s gives no such result; it gives %s", name.c_str(),
                      run.entry().name.c_str(), listed(names, 12).c_str())};
  }
  Result<std::vector<SizeSetting>> at = readSizeSettings(options, "at", 0);
  if (!at)
    return at.error();
  int64_t offset = 0;
  Result<std::vector<Axis>> axes = axesOf(run, facts, output, *at, offset);
  if (!axes)
    return axes.error();
  chooseRows(*axes, facts);
  HeatMaps maps;
  maps.title = name;
  for (const SizeSetting &each : *at)
    maps.title += text(", %s %lld", each.dimension.c_str(), wide(each.size));
  for (const Axis &axis : *axes) {
    maps.dims.push_back(facts.dims[axis.dimension].name);
    maps.shape.push_back(axis.size);
  }
  const Axis &across = axes->back(),
             &down = (*axes)[axes->size() - std::min<size_t>(2, axes->size())];
  maps.columnLabels = labelsOf(across, down.dimension, facts, words);
  if (axes->size() > 1)
    maps.rowLabels = labelsOf(down, across.dimension, facts, words);
  std::vector<float> values = gathered(run, output, *axes, offset);
  maps.values = values;
  Result<std::string> drawn = drawHeatMaps(maps);
  return drawn ? writeFile(options.string("plot"), *drawn) : Status(drawn.error());
}
