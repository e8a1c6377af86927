// Moves elements between our parameters and foreign tensors.
#include "tools/weft/Foreign.h"

#include "frontend/Spelling.h"
#include "tools/weft/Narrow.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <set>

namespace weft {
namespace {

class Importer {
public:
  Importer(Weights &weights, const ForeignPlan &plan, const TensorFiles &files,
           const std::string &prefix)
      : weights(weights), plan(plan), files(files), prefix(prefix) {}

  bool run() {
    for (const ForeignTensor &tensor : plan.tensors())
      if (files.find(prefix + tensor.name))
        used.insert(prefix + tensor.name);
    for (const ForeignTensor &tensor : plan.tensors())
      read(tensor);
    surplus();
    if (said > most)
      fmt::print(stderr, "weft: … and {} more; is the checkpoint of another model or config?\n",
                 said - most);
    weights.parameters->changed();
    return said == 0;
  }

private:
  static constexpr int most = 8; ///< problems that are spelled out

  template <class... Values>
  void wrong(const std::string &file, fmt::format_string<Values...> text, Values &&...values) {
    if (said++ < most)
      fmt::print(stderr, "weft: {}{}\n", file.empty() ? "" : file + ": ",
                 fmt::format(text, std::forward<Values>(values)...));
  }

  const runtime::Parameter &parameter(const ForeignPart &part) const {
    return weights.facts->parameters[weights.facts->parameter(part.parameter)];
  }

  void read(const ForeignTensor &tensor) {
    const FoundTensor *found = files.find(prefix + tensor.name);
    if (!found)
      return missing(tensor);
    const runtime::StoredTensor &stored = found->stored;
    const std::string &ours = tensor.parts.front().parameter;
    if (!tensor.fits(stored.shape))
      return wrong(found->file, "`{}` is {}, the layout of `{}` says {}", stored.name,
                   runtime::shapeText(stored.shape), ours, tensor.layout());
    if (!runtime::converts(stored.type, runtime::Element::Float))
      return wrong(found->file, "`{}` holds {}, not floats", stored.name,
                   runtime::elementTypeName(stored.type));
    int64_t count = runtime::countOf(stored.shape);
    values.resize(count);
    runtime::convert(stored.type, found->data, count, runtime::Element::Float, values.data());
    for (int64_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i]))
        return wrong(found->file, "`{}` holds {} at {}", stored.name, values[i],
                     runtime::positionText(stored.shape, i));
    for (const ForeignPart &part : tensor.parts)
      if (parameter(part).element == runtime::Element::Float) { // other states keep their values
        auto *target = static_cast<float *>(
            weights.parameters->data(weights.facts->parameter(part.parameter)));
        part.forEach([&](int64_t mine, int64_t theirs) { target[mine] = values[theirs]; });
      }
  }

  void missing(const ForeignTensor &tensor) {
    const ForeignPart *needed = nullptr;
    for (const ForeignPart &part : tensor.parts)
      if (!needed && parameter(part).kind == runtime::ParameterKind::Parameter)
        needed = &part;
    if (!needed)
      return;
    std::string name = prefix + tensor.name, help;
    std::vector<std::string> unused;
    for (const auto &[other, found] : files.tensors()) {
      bool isPrefixed = other.ends_with("." + tensor.name) || other.ends_with("/" + tensor.name);
      if (isPrefixed && help.empty())
        help = fmt::format("; there is `{}`: give `--prefix {}`", other,
                           other.substr(0, other.size() - tensor.name.size()));
      if (!used.contains(other))
        unused.push_back(other);
    }
    if (std::optional<std::string> near = nearest(name, unused); near && help.empty())
      help = fmt::format("; is it `{}`?", *near);
    wrong("", "there is no `{}` for `{}`{}", name, needed->parameter, help);
  }

  void surplus() {
    for (const auto &[name, found] : files.tensors()) {
      bool isUnder = name.starts_with(prefix);
      if (!used.contains(name) && !plan.ignores(name) &&
          !(isUnder && plan.ignores(llvm::StringRef(name).drop_front(prefix.size()))))
        wrong(found.file, "no parameter is `{}`: name it in the clause, or `ignore` it", name);
    }
  }

  Weights &weights;
  const ForeignPlan &plan;
  const TensorFiles &files;
  const std::string &prefix;
  std::set<std::string> used;
  std::vector<float> values;
  int said = 0;
};

} // namespace

std::optional<ForeignPlan> planOf(Compilation &compilation, const char *command) {
  std::string name = compilation.arguments.get("clause");
  const ast::Weights *clause = findWeights(compilation.program(), name);
  if (!clause) {
    fmt::print(stderr, "weft {}: {}\n", command,
               name.empty() ? "which `weights` clause? the program must have one; of several, name "
                              "it: `--clause NAME`"
                            : fmt::format("the program has no clause `weights {}`", name));
    return std::nullopt;
  }
  auto plan = ForeignPlan::make(*clause, compilation.module(), compilation.diagnostics);
  return compilation.report() ? plan : std::nullopt;
}

bool importWeights(Weights &weights, const ForeignPlan &plan, const TensorFiles &files,
                   const std::string &prefix) {
  return Importer(weights, plan, files, prefix).run();
}

/// The numbers of a tensor in its own order; nothing, and prints why, where one is no float.
static std::optional<std::vector<float>> valuesOf(const Weights &weights,
                                                  const ForeignTensor &tensor) {
  std::vector<float> values(runtime::countOf(tensor.shape()));
  for (const ForeignPart &part : tensor.parts) {
    int number = weights.facts->parameter(part.parameter);
    if (weights.facts->parameters[number].element != runtime::Element::Float) {
      fmt::print(stderr, "weft export: `{}` is no float\n", part.parameter);
      return std::nullopt;
    }
    auto *source = static_cast<const float *>(weights.parameters->data(number));
    part.forEach([&](int64_t mine, int64_t theirs) { values[theirs] = source[mine]; });
  }
  return values;
}

bool exportWeights(const Weights &weights, const ForeignPlan &plan, const std::string &prefix,
                   runtime::ElementType type, const std::string &path) {
  std::vector<std::vector<float>> whole;
  std::vector<std::vector<uint16_t>> narrow;
  std::vector<runtime::TensorToWrite> tensors;
  for (const ForeignTensor &tensor : plan.tensors()) {
    std::optional<std::vector<float>> values = valuesOf(weights, tensor);
    if (!values)
      return false;
    runtime::TensorToWrite &written = tensors.emplace_back(runtime::TensorToWrite{
        prefix + tensor.name, runtime::Element::Float, tensor.shape(), nullptr});
    if (type == runtime::ElementType::F32) {
      written.data = whole.emplace_back(std::move(*values)).data();
      continue;
    }
    written.narrow = type;
    written.data = narrow.emplace_back(narrowed(*values, type)).data();
    if (int64_t at = firstNotFinite(narrow.back(), type); at >= 0) {
      fmt::print(stderr, "weft export: `{}` holds {} at {}, too large for {}\n", written.name,
                 (*values)[at], runtime::positionText(written.shape, at),
                 runtime::elementTypeName(type));
      return false;
    }
  }
  runtime::Status status = runtime::writeSafetensors(path, tensors);
  if (!status)
    fmt::print(stderr, "weft export: {}\n", status.error().message);
  return static_cast<bool>(status);
}

} // namespace weft
