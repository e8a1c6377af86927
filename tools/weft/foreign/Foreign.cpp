// Fills parameters from foreign tensors.
#include "tools/weft/foreign/Foreign.h"

#include "frontend/source/Spelling.h"
#include "tools/weft/foreign/CompareConfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstring>
#include <set>

namespace weft {
namespace {

class Importer {
public:
  Importer(Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
           const TensorFiles &files, const std::string &prefix)
      : weights(weights), plan(plan), module(module), files(files), prefix(prefix) {}

  /// `begin` makes room for the numbers, once all that headers say is right.
  std::optional<BesideWeights> run(llvm::function_ref<bool()> begin) {
    sizes();
    configuration();
    if (said == 0) // else shapes would say it again
      headers();
    if (said == 0) {
      if (!begin())
        return std::nullopt;
      numbers();
    }
    if (said > most)
      fmt::print(stderr, "weft: … and {} more; is the checkpoint of another model or config?\n",
                 said - most);
    weights.parameters->changed();
    return said == 0 ? std::optional(beside) : std::nullopt;
  }

private:
  static constexpr int most = 8; ///< problems that are spelled out

  template <class... Values>
  void wrong(const std::string &file, fmt::format_string<Values...> text, Values &&...values) {
    if (said++ < most)
      fmt::print(stderr, "weft: {}{}\n", file.empty() ? "" : file + ": ",
                 fmt::format(text, std::forward<Values>(values)...));
  }

  /// Heads and the like do not show in shapes: what the file says of them is believed.
  void sizes() {
    auto isNamed = [&](const std::string &name) {
      return llvm::any_of(plan.sizes(), [&](const ForeignSize &size) { return size.name == name; });
    };
    if (llvm::none_of(files.sizes(), [&](const auto &each) {
          return each.second.unusable.empty() || isNamed(each.first);
        }))
      return; // it says no numbers
    std::set<std::string> named;
    for (const ForeignSize &size : plan.sizes()) {
      named.insert(size.name);
      auto found = files.sizes().find(size.name);
      if (found != files.sizes().end()) {
        if (!found->second.unusable.empty())
          wrong(found->second.file, "`{}` is {}, and no size; here it is {} ({})", size.name,
                found->second.unusable, size.value, size.dims);
        else if (found->second.value != size.value)
          wrong(found->second.file, "`{}` is {}, here it is {} ({})", size.name,
                found->second.value, size.value, size.dims);
        continue;
      }
      std::vector<std::string> known;
      for (const auto &[name, each] : files.sizes())
        if (each.unusable.empty())
          known.push_back(name);
      std::optional<std::string> near = nearest(size.name, known);
      wrong(files.sizes().begin()->second.file, "it says no `{}`{}", size.name,
            near ? fmt::format("; is it `{}`?", *near) : "");
    }
    for (const auto &[name, size] : files.sizes())
      if (size.isHeader && !named.contains(name))
        wrong(size.file,
              "`{0}` is {1}: say in the clause which dimension that is, `size \"{0}\" = …`", name,
              size.value);
  }

  /// What does not show in shapes either, and is no size: eps, activations, bases of rotations.
  void configuration() {
    if (!files.config().is_object())
      return;
    ConfigFindings findings =
        compareConfig(files.config(), plan.options(), plan.sizes(), files.everyFieldCounts());
    for (const std::string &each : findings.wrong)
      wrong(files.configPath(), "{}", each);
    if (said == 0 && !findings.unknown.empty())
      fmt::print(stderr, "weft: {}: nothing here is compared with `{}`\n", files.configPath(),
                 fmt::join(findings.unknown, "`, `"));
  }

  /// Finds every tensor, and whether it has the shape and the type of what it is to be.
  void headers() {
    for (const ForeignTensor &tensor : plan.tensors())
      if (files.find(prefix + tensor.name))
        used.insert(prefix + tensor.name);
    for (const ForeignTable &table : plan.computed())
      used.insert(prefix + table.name);
    for (const ForeignCopy &copy : plan.copies())
      if (const FoundTensor *found = find(copy)) {
        copies.emplace_back(&copy, found);
        used.insert(found->stored.name);
      }
    for (size_t i = 0; i < plan.tensors().size(); ++i)
      if (auto source = sourceOf(i); source.second && fits(*source.first, *source.second))
        sources.push_back(source);
    if (said == 0) // else what is wrong with a tensor would be said of its copies too
      for (auto [copy, found] : copies)
        fits(copy->tensor, *found);
    for (const ForeignTable &table : plan.computed())
      if (const FoundTensor *found = files.find(prefix + table.name))
        fits(table, *found);
    surplus();
  }

  void numbers() {
    for (auto [tensor, found] : sources)
      read(*tensor, *found);
    if (said == 0)
      for (auto [copy, found] : copies)
        compare(*copy, *found);
    for (const ForeignTable &table : plan.computed())
      if (const FoundTensor *found = files.find(prefix + table.name))
        compare(table, *found);
  }

  const runtime::Parameter &parameter(const ForeignPart &part) const {
    return weights.facts->parameters[weights.facts->parameter(part.parameter)];
  }

  /// A copy may stand outside of what the prefix is of: a head beside `transformer.`.
  const FoundTensor *find(const ForeignCopy &copy) const {
    const FoundTensor *found = files.find(prefix + copy.tensor.name);
    return found ? found : files.find(copy.tensor.name);
  }

  using Source = std::pair<const ForeignTensor *, const FoundTensor *>;

  /// The tensor of the plan, or where a file has only the copy of it, this.
  Source sourceOf(size_t index) {
    const ForeignTensor &tensor = plan.tensors()[index];
    if (const FoundTensor *found = files.find(prefix + tensor.name))
      return {&tensor, found};
    auto instead = llvm::find_if(copies, [&](auto &each) { return each.first->of == index; });
    if (instead == copies.end()) {
      missing(tensor);
      return {};
    }
    Source source{&instead->first->tensor, instead->second};
    copies.erase(instead);
    return source;
  }

  void read(const ForeignTensor &tensor, const FoundTensor &found) {
    if (!readFloats(found))
      return;
    for (const ForeignPart &part : tensor.parts)
      if (float *target = floats(part))
        part.forEach([&](int64_t own, int64_t foreign) { target[own] = values[foreign]; });
  }

  /// The numbers of the parameters; null where they are no floats: such states keep their values.
  float *floats(const ForeignPart &part) {
    if (parameter(part).element != runtime::Element::Float)
      return nullptr;
    return static_cast<float *>(weights.parameters->data(weights.facts->parameter(part.parameter)));
  }

  /// What a file has twice, the model has once: both must be the same, bit for bit.
  void compare(const ForeignCopy &copy, const FoundTensor &found) {
    ++beside.copies;
    if (!readFloats(found))
      return;
    int64_t differing = 0, first = 0;
    float here = 0;
    std::string of = copy.of ? prefix + plan.tensors()[*copy.of].name : "";
    for (const ForeignPart &part : copy.tensor.parts)
      if (const float *present = floats(part))
        part.forEach([&](int64_t own, int64_t foreign) {
          if (std::memcmp(&present[own], &values[foreign], sizeof(float)) == 0)
            return;
          if (differing++ > 0 && first < foreign)
            return;
          first = foreign;
          here = present[own];
          if (!copy.of)
            of = part.parameter;
        });
    if (differing > 0)
      wrong(found.file,
            "`{0}` is no copy of `{1}`: {2} of {3} numbers differ, the first is {4} at {5} and {6} "
            "in `{1}`; a model that does not tie the two has a parameter for each: name it in the "
            "clause, `\"{7}\" = …`",
            found.stored.name, of, differing, values.size(), values[first],
            runtime::positionText(found.stored.shape, first), here, copy.tensor.name);
  }

  /// Whether it has the shape of the tensor, and floats.
  bool fits(const ForeignTensor &tensor, const FoundTensor &found) {
    const runtime::StoredTensor &stored = found.stored;
    std::string finer = tensor.finerLayout(stored.shape);
    if (tensor.shape() == stored.shape || (!found.hasOwnShape && !finer.empty()))
      return holdsFloats(found);
    const std::string &parameter = tensor.parts.front().parameter;
    wrong(found.file, "`{}` is {}, the layout of `{}` says {}{}", stored.name,
          runtime::shapeText(stored.shape), parameter, tensor.layout(),
          finer.empty() ? ""
                        : fmt::format("; say its axes in the clause, so that `weft export` makes "
                                      "them again: `{}: {}`",
                                      tensor.parts.size() > 1 ? "\"…\" = …" : parameter, finer));
    return false;
  }

  /// What a file says of a computed tensor, it says of the model that it was made for.
  bool fits(const ForeignTable &table, const FoundTensor &found) {
    if (found.stored.shape == table.shape)
      return holdsFloats(found);
    wrong(found.file, "`{}` is {}, `{}` gives {}", found.stored.name,
          runtime::shapeText(found.stored.shape), table.entry, runtime::shapeText(table.shape));
    return false;
  }

  bool holdsFloats(const FoundTensor &found) {
    if (!found.isFloat())
      wrong(found.file, "`{}` holds {}, not floats", found.stored.name,
            runtime::elementTypeName(found.stored.type));
    return found.isFloat();
  }

  /// Into `values`.
  bool readFloats(const FoundTensor &found) {
    const runtime::StoredTensor &stored = found.stored;
    values.resize(runtime::countOf(stored.shape));
    if (runtime::Status read = found.read(values); !read) {
      wrong(found.file, "{}", read.error().message.substr(found.file.size() + 2));
      return false;
    }
    auto count = static_cast<int64_t>(values.size());
    for (int64_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i])) {
        wrong(found.file, "`{}` holds {} at {}", stored.name, values[i],
              runtime::positionText(stored.shape, i));
        return false;
      }
    return true;
  }

  void compare(const ForeignTable &table, const FoundTensor &found) {
    if (!readFloats(found))
      return;
    std::optional<std::vector<float>> computed = compute(table, module);
    if (!computed) {
      ++said; // the reason was printed
      return;
    }
    float largest = 0, tolerance = computedTolerance(table, found.stored.type);
    for (float value : *computed)
      largest = std::max(largest, std::abs(value));
    for (size_t i = 0; i < values.size(); ++i)
      if (!(std::abs(values[i] - (*computed)[i]) <= tolerance * largest))
        return wrong(found.file, "`{}` is {} at {}, where `{}` gives {}", found.stored.name,
                     values[i], runtime::positionText(table.shape, i), table.entry, (*computed)[i]);
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
    std::set<std::string> matched;
    bool isSurplus = false;
    for (const auto &[name, found] : files.tensors()) {
      if (used.contains(name))
        continue;
      const std::string *pattern = plan.ignores(name);
      if (!pattern && name.starts_with(prefix))
        pattern = plan.ignores(llvm::StringRef(name).drop_front(prefix.size()));
      if (pattern) {
        matched.insert(*pattern);
        ++beside.ignored;
        continue;
      }
      isSurplus = true;
      wrong(found.file, "no parameter is `{}`: name it in the clause, or `ignore` it", name);
    }
    // Alone it is no mistake: files of one family differ in what they have besides.
    std::vector<std::string> idle;
    for (const std::string &pattern : plan.patterns())
      if (!matched.contains(pattern))
        idle.push_back(pattern);
    if (isSurplus && !idle.empty())
      fmt::print(stderr, "weft: the clause also ignores `{}`, and nothing here is called so\n",
                 fmt::join(idle, "`, `"));
  }

  Weights &weights;
  const ForeignPlan &plan;
  mlir::ModuleOp module;
  const TensorFiles &files;
  const std::string &prefix;
  std::vector<std::pair<const ForeignCopy *, const FoundTensor *>> copies; ///< that are there
  std::vector<Source> sources; ///< of each tensor of the plan that is there
  std::set<std::string> used;
  std::vector<float> values;
  BesideWeights beside;
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
  auto options = foreignOptions(*clause, compilation.checkedProgram(), compilation.settings,
                                compilation.diagnostics);
  if (!compilation.report() || !plan || !options)
    return std::nullopt;
  plan->setOptions(std::move(*options));
  return plan;
}

std::optional<BesideWeights> importWeights(Weights &weights, const ForeignPlan &plan,
                                           mlir::ModuleOp module, const TensorFiles &files,
                                           const std::string &prefix,
                                           llvm::function_ref<bool()> begin) {
  return Importer(weights, plan, module, files, prefix).run(begin);
}

} // namespace weft
