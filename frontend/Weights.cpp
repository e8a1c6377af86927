// Renames pieces of paths and finds the layout of each parameter.
#include "frontend/Weights.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <set>

using namespace mlir;

namespace weft {

const ast::Weights *findWeights(const ast::Program &program, std::string_view name) {
  const ast::Weights *only = nullptr;
  for (const ast::File &file : program.files)
    for (const ast::Declaration &declaration : file.declarations) {
      auto *weights = declaration.as<ast::Weights>();
      if (!weights || (!name.empty() && weights->name.text != name))
        continue;
      if (!name.empty())
        return weights;
      if (only)
        return nullptr;
      only = weights;
    }
  return only;
}

std::vector<int64_t> ForeignTensor::shape(const Sizes &sizes) const {
  std::vector<int64_t> result;
  for (const std::vector<std::string> &axis : axes) {
    result.push_back(1);
    for (const std::string &dim : axis)
      result.back() *= sizes.at(dim);
  }
  return result;
}

std::optional<std::vector<int64_t>> ForeignTensor::strides(const std::vector<std::string> &ours,
                                                           const Sizes &sizes,
                                                           ArrayRef<int64_t> found) const {
  std::vector<int64_t> apart; // the shape, if every dimension is an axis of its own
  std::vector<std::string> order;
  for (const std::vector<std::string> &axis : axes) {
    if (axis.empty())
      apart.push_back(1);
    for (const std::string &dim : axis) {
      apart.push_back(sizes.at(dim));
      order.push_back(dim);
    }
  }
  if (found != ArrayRef(shape(sizes)) && found != ArrayRef(apart))
    return std::nullopt;
  std::map<std::string, int64_t> stride;
  int64_t next = 1;
  for (const std::string &dim : llvm::reverse(order)) {
    stride[dim] = next;
    next *= sizes.at(dim);
  }
  std::vector<int64_t> result;
  for (const std::string &dim : ours)
    result.push_back(stride.at(dim));
  return result;
}

namespace {

/// A dimension as the declaring block calls it, and what fills it here.
struct Slot {
  std::string name;
  std::vector<std::string> dims;
};

/// Who declared a parameter: the builder left it on the op.
struct Origin {
  std::string block;
  std::vector<Slot> slots;

  explicit Origin(model::ParameterOp parameter) {
    auto origin = parameter->getAttrOfType<DictionaryAttr>("weft.origin");
    if (!origin)
      return;
    block = cast<StringAttr>(origin.get("block")).str();
    for (Attribute each : cast<ArrayAttr>(origin.get("dims"))) {
      auto pair = cast<ArrayAttr>(each);
      Slot slot{cast<StringAttr>(pair[0]).str(), {}};
      for (StringAttr dim : cast<ArrayAttr>(pair[1]).getAsRange<StringAttr>())
        slot.dims.push_back(dim.str());
      slots.push_back(std::move(slot));
    }
  }
};

std::vector<std::string> split(StringRef path) {
  SmallVector<StringRef> parts;
  path.split(parts, '.');
  return {parts.begin(), parts.end()};
}

std::vector<std::string> texts(const ast::Path &path) {
  std::vector<std::string> names;
  for (const ast::Name &name : path.names)
    names.push_back(name.text);
  return names;
}

/// Whether `path` ends with `tail`.
bool endsWith(const std::vector<std::string> &path, const std::vector<std::string> &tail) {
  return tail.size() <= path.size() && std::equal(tail.rbegin(), tail.rend(), path.rbegin());
}

/// `Linear.weight` is about a block if the parameter was declared there; anything else is a path.
bool isForBlock(const ast::LayoutRule &rule, const std::vector<std::string> &path,
                const Origin &origin) {
  return rule.path.names.size() == 2 && rule.path.names[0].text == origin.block &&
         rule.path.names[1].text == path.back();
}

/// The axes that `rule` gives a parameter: names of the block's own dimensions, or of the
/// program's. One that the parameter lacks is an axis of size 1.
std::vector<std::vector<std::string>> axesOf(const ast::LayoutRule &rule, const Origin &origin,
                                             bool forBlock) {
  std::vector<std::vector<std::string>> axes;
  for (const ast::Group &group : rule.layout) {
    std::vector<std::string> axis;
    for (const ast::Name &name : group.dims)
      for (const Slot &slot : origin.slots)
        if (forBlock ? slot.name == name.text : llvm::is_contained(slot.dims, name.text)) {
          if (forBlock)
            axis.insert(axis.end(), slot.dims.begin(), slot.dims.end());
          else
            axis.push_back(name.text);
          break;
        }
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// `block{layer}` as a pattern over our path: its names, each followed by a number where the
/// foreign name has it.
struct Pattern {
  std::vector<std::string> names;
  std::vector<bool> numbered;

  explicit Pattern(const ast::RenameRule &rule) {
    for (const ast::Name &name : rule.path.names) {
      names.push_back(name.text);
      numbered.push_back(rule.foreign.find("{" + name.text + "}") != std::string::npos);
    }
  }
  size_t length() const { return names.size() + llvm::count(numbered, true); }

  /// The numbers it finds at `at` in `segments`, or nothing if it does not match there.
  std::optional<std::vector<std::string>> match(const std::vector<std::string> &segments,
                                                size_t at) const {
    std::vector<std::string> numbers;
    for (size_t i = 0; i < names.size(); ++i) {
      if (at >= segments.size() || segments[at++] != names[i])
        return std::nullopt;
      if (!numbered[i])
        continue;
      if (at >= segments.size() || !llvm::all_of(segments[at], llvm::isDigit))
        return std::nullopt;
      numbers.push_back(segments[at++]);
    }
    return numbers;
  }
};

/// `block{layer}` with the braces replaced by the numbers, which stand in the order of our path.
std::string filled(const ast::RenameRule &rule, const Pattern &pattern,
                   const std::vector<std::string> &numbers) {
  std::string text = rule.foreign;
  size_t next = 0;
  for (size_t i = 0; i < pattern.names.size(); ++i)
    if (pattern.numbered[i]) {
      std::string braces = "{" + pattern.names[i] + "}";
      text.replace(text.find(braces), braces.size(), numbers[next++]);
    }
  return text;
}

} // namespace

std::string WeightsMap::nameOf(const std::vector<std::string> &segments) const {
  std::vector<std::string> pieces;
  for (size_t at = 0; at < segments.size();) {
    std::string piece = segments[at];
    size_t length = 0;
    for (const ast::WeightRule &rule : clause->rules)
      if (auto *rename = std::get_if<ast::RenameRule>(&rule)) {
        Pattern pattern(*rename);
        if (pattern.length() <= length)
          continue;
        if (auto numbers = pattern.match(segments, at)) {
          piece = filled(*rename, pattern, *numbers);
          length = pattern.length();
        }
      }
    if (!piece.empty())
      pieces.push_back(std::move(piece));
    at += std::max<size_t>(length, 1);
  }
  return fmt::format("{}", fmt::join(pieces, "."));
}

const ast::LayoutRule *WeightsMap::layoutOf(model::ParameterOp parameter) const {
  Origin origin(parameter);
  std::vector<std::string> path = split(parameter.getSymName());
  const ast::LayoutRule *best = nullptr;
  size_t length = 0;
  for (const ast::WeightRule &rule : clause->rules) {
    auto *layout = std::get_if<ast::LayoutRule>(&rule);
    if (!layout)
      continue;
    if (isForBlock(*layout, path, origin)) {
      if (!best)
        best = layout;
    } else if (endsWith(path, texts(layout->path)) && layout->path.names.size() > length) {
      best = layout;
      length = layout->path.names.size();
    }
  }
  return best;
}

ForeignTensor WeightsMap::foreign(model::ParameterOp parameter, ArrayRef<int64_t> passes) const {
  Origin origin(parameter);
  std::vector<std::string> path = split(parameter.getSymName());
  ForeignTensor result;
  if (const ast::LayoutRule *layout = layoutOf(parameter))
    result.axes = axesOf(*layout, origin, isForBlock(*layout, path, origin));
  else
    for (const Slot &slot : origin.slots)
      result.axes.push_back(slot.dims);

  // Loops stand in the path by name, in their order: the number of the pass follows each.
  auto type = cast<model::NamedTensorType>(parameter.getType());
  std::vector<std::string> segments;
  size_t loop = 0;
  for (const std::string &name : path) {
    segments.push_back(name);
    if (loop < passes.size() && type.getDims()[loop].getValue() == name)
      segments.push_back(fmt::format("{}", passes[loop++]));
  }
  result.name = nameOf(segments);
  return result;
}

bool WeightsMap::ignores(StringRef name) const {
  return llvm::any_of(clause->rules, [&](const ast::WeightRule &rule) {
    auto *ignore = std::get_if<ast::IgnoreRule>(&rule);
    return ignore && ignore->foreign == name;
  });
}

std::optional<WeightsMap> WeightsMap::make(const ast::Weights &clause, ModuleOp module,
                                           Diagnostics &diagnostics) {
  WeightsMap map(clause);
  bool fine = true;
  std::set<const ast::LayoutRule *> reported;
  for (auto parameter : module.getOps<model::ParameterOp>()) {
    const ast::LayoutRule *layout = map.layoutOf(parameter);
    if (!layout || reported.contains(layout))
      continue;
    std::vector<std::string> laid, own;
    for (const std::vector<std::string> &axis :
         map.foreign(parameter, SmallVector<int64_t>(parameter.getLoops(), 0)).axes)
      laid.insert(laid.end(), axis.begin(), axis.end());
    for (const Slot &slot : Origin(parameter).slots)
      own.insert(own.end(), slot.dims.begin(), slot.dims.end());
    std::vector<std::string> a = laid, b = own;
    llvm::sort(a);
    llvm::sort(b);
    if (a == b)
      continue;
    reported.insert(layout);
    fine = false;
    diagnostics
        .error(Code::E0620, layout->path.span,
               fmt::format("the layout does not have the dimensions of `{}`",
                           parameter.getSymName().str()))
        .note(fmt::format("expected [{}] in some order\n   found [{}]", fmt::join(own, ", "),
                          fmt::join(laid, ", ")))
        .suggest("list each of its dimensions once, in the order of the file");
  }
  return fine ? std::optional(map) : std::nullopt;
}

} // namespace weft
