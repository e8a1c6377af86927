// Puts parts of parameters together to the tensors of a foreign file, and proves that nothing is
// missing or double.
#include "frontend/weights/Plan.h"

#include "frontend/weights/Layouts.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

using namespace mlir;

namespace weft {

const ast::Weights *findWeights(const ast::Program &program, std::string_view name) {
  std::vector<const ast::Weights *> found;
  size_t own = 0; // how many stand in the program's own file, which is the first
  for (const ast::File &file : program.files) {
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *weights = declaration.as<ast::Weights>();
          weights && (name.empty() || weights->name.text == name))
        found.push_back(weights);
    if (&file == &program.files.front())
      own = found.size();
  }
  bool isClear = own == 1 || found.size() == 1 || (!name.empty() && !found.empty());
  return isClear ? found.front() : nullptr;
}

namespace {

int64_t product(const std::vector<OwnDim> &dims) {
  int64_t count = 1;
  for (const OwnDim &dim : dims)
    count *= dim.size;
  return count;
}

class Planner {
public:
  Planner(const ast::Weights &clause, ModuleOp module, Diagnostics *diagnostics)
      : clause(clause), module(module), diagnostics(diagnostics), sizes(module) {}

  std::optional<std::vector<ForeignTensor>> run() {
    std::vector<ForeignTensor> tensors = gather(nullptr);
    return fine ? std::optional(std::move(tensors)) : std::nullopt;
  }

  /// What the clause calls copies, beside what `run` gave. Under a config with a parameter of the
  /// same name there is none.
  std::optional<std::vector<ForeignCopy>> copies(const std::vector<ForeignTensor> &tensors) {
    std::vector<ForeignCopy> all;
    for (const ast::WeightRule &each : clause.rules)
      if (auto *rule = std::get_if<ast::RenameRule>(&each); rule && rule->isCopy)
        for (ForeignTensor &copy : gather(rule))
          if (isNew(copy, *rule, tensors, all)) {
            auto same = llvm::find_if(
                tensors, [&](const ForeignTensor &tensor) { return tensor.holdsWhat(copy); });
            all.push_back({std::move(copy), same == tensors.end()
                                                ? std::nullopt
                                                : std::optional<size_t>(same - tensors.begin())});
          }
    return fine ? std::optional(std::move(all)) : std::nullopt;
  }

private:
  using Group = std::vector<LaidOut>;

  /// Whether nothing else is called so.
  bool isNew(const ForeignTensor &copy, const ast::RenameRule &rule,
             const std::vector<ForeignTensor> &tensors, const std::vector<ForeignCopy> &copies) {
    for (const ForeignTensor &tensor : tensors)
      if (tensor.name == copy.name) {
        if (tensor.holdsWhat(copy))
          fail(Code::E0621, rule.foreignSpan,
               fmt::format("`{}` is `{}` itself, and no copy of it", copy.name,
                           tensor.parts.front().parameter),
               "", "a copy is another tensor of the file: write its name, or leave the rule out");
        return false;
      }
    for (const ForeignCopy &other : copies)
      if (other.tensor.name == copy.name) {
        fail(Code::E0621, rule.foreignSpan,
             fmt::format("`{}` and `{}` are both called `{}`", other.tensor.parts.front().parameter,
                         copy.parts.front().parameter, copy.name),
             "", "a tensor is a copy of one, or of several by `stack[d](…)` or `concat[d](…)`");
        return false;
      }
    return true;
  }

  /// The tensors that hold our parameters, or what of them a rule says is there once more.
  std::vector<ForeignTensor> gather(const ast::RenameRule *copy) {
    groups.clear();
    order.clear();
    for (auto parameter : module.getOps<model::ParameterOp>())
      if (parameter.getKind() != model::ParameterKind::optimizer)
        add(parameter, copy);
    std::vector<ForeignTensor> tensors;
    for (const std::string &name : order)
      if (fine && isWhole(groups[name]))
        tensors.push_back(tensorOf(groups[name]));
    return tensors;
  }

  /// Once for each place: what is wrong with a rule is wrong with every parameter it is about.
  void fail(Code code, Span place, std::string message, std::string note, std::string help) {
    fine = false;
    if (!diagnostics || !reported.insert(std::pair(place.file, place.begin)).second)
      return;
    Diagnostic &problem = diagnostics->error(code, place, std::move(message));
    if (!note.empty())
      problem.note(std::move(note));
    problem.suggest(std::move(help));
  }

  void add(model::ParameterOp parameter, const ast::RenameRule *copy) {
    std::vector<std::string> loops;
    auto type = cast<model::NamedTensorType>(parameter.getType());
    for (model::DimAttr dim : type.getDims().take_front(parameter.getLoops()))
      loops.push_back(dim.str());
    int64_t named = 0, count = 1;
    for (model::DimAttr dim : type.getDims())
      count *= *sizes.fixed(dim);
    std::set<std::string> parts;
    Span place = clause.name.span;
    for (const ForeignName &name :
         foreignNames(clause, splitPath(parameter.getSymName().str()), loops, copy)) {
      auto laid = laidOut(clause, parameter, name, sizes);
      if (auto *problem = std::get_if<LayoutProblem>(&laid)) {
        fail(problem->code, problem->place, problem->message, problem->note, problem->help);
        return;
      }
      for (LaidOut &one : std::get<std::vector<LaidOut>>(laid)) {
        int64_t size = product(one.inner);
        for (const std::vector<OwnDim> &axis : one.axes)
          size *= product(axis);
        named += size;
        parts.insert(one.part);
        if (one.renamed)
          place = one.renamed->foreignSpan;
        Group &group = groups[one.name];
        if (group.empty())
          order.push_back(one.name);
        group.push_back(std::move(one));
      }
    }
    if (!copy && named != count)
      fail(Code::E0622, place,
           fmt::format("the clause names {} of the {} elements of `{}`", named, count,
                       parameter.getSymName().str()),
           fmt::format("it names [{}]", fmt::join(parts, "], [")),
           "name every part of it once, or all of it");
  }

  bool isWhole(const Group &group) {
    const LaidOut &first = group.front();
    for (const LaidOut &other : llvm::drop_begin(group))
      if (!first.together || !other.together || first.together->rule != other.together->rule)
        return twice(first, other);
    if (!first.together)
      return true;
    const ast::RenameRule &rule = *first.together->rule;
    std::map<const ast::OwnPart *, const LaidOut *> byPart;
    for (const LaidOut &one : group)
      if (auto [it, isNew] = byPart.try_emplace(one.together->part, &one); !isNew)
        return twice(*it->second, one);
    for (const ast::OwnPart &part : rule.parts)
      if (!byPart.contains(&part)) {
        fail(Code::E0622, part.path.span,
             fmt::format("`{}` has no `{}`", first.name, fmt::join(texts(part.path), ".")),
             fmt::format("beside it lies `{}`", parameterName(first)),
             "all that is put together must have this path under this config");
        return false;
      }
    return sizesAgree(group);
  }

  static std::string parameterName(const LaidOut &one) {
    return LaidOut(one).parameter.getSymName().str();
  }

  bool twice(const LaidOut &a, const LaidOut &b) {
    const LaidOut &at = b.renamed ? b : a;
    fail(Code::E0621, at.renamed ? at.renamed->foreignSpan : clause.name.span,
         fmt::format("`{}` and `{}` are both called `{}`", parameterName(a), parameterName(b),
                     a.name),
         "", "a tensor that holds several parameters is `stack[d](…)` or `concat[d](…)` of them");
    return false;
  }

  /// Beside each other, all must be as long along every other axis.
  bool sizesAgree(const Group &group) {
    auto shape = [](const LaidOut &one) {
      std::vector<int64_t> sizes;
      for (const std::vector<OwnDim> &axis : one.axes)
        sizes.push_back(product(axis)); // without what lies along
      return sizes;
    };
    for (const LaidOut &one : llvm::drop_begin(group))
      if (shape(one) != shape(group.front())) {
        fail(Code::E0623, one.together->part->path.span,
             fmt::format("`{}` is [{}] beside `{}`, which is [{}]", parameterName(one),
                         fmt::join(shape(one), ", "), parameterName(group.front()),
                         fmt::join(shape(group.front()), ", ")),
             "", "`concat` puts together what is equal but for one axis, `stack` what is equal");
        return false;
      }
    return true;
  }

  ForeignTensor tensorOf(const Group &group) {
    ForeignTensor tensor;
    tensor.name = group.front().name;
    int64_t together = 0; // positions along the dimension that only the file has
    std::map<const ast::OwnPart *, int64_t> begins;
    if (const auto &use = group.front().together)
      for (const ast::OwnPart &part : use->rule->parts)
        for (const LaidOut &one : group)
          if (one.together->part == &part) {
            begins[&part] = together;
            together += product(one.inner);
          }
    for (const std::vector<OwnDim> &axis : group.front().axes) {
      tensor.axes.emplace_back();
      for (const OwnDim &dim : axis)
        tensor.axes.back().push_back(
            dim.name.empty()
                ? ForeignTensor::Factor{group.front().together->rule->along->text, together}
                : ForeignTensor::Factor{dim.name, dim.size});
    }
    for (const LaidOut &one : group)
      tensor.parts.push_back(partOf(one, together, one.together ? begins[one.together->part] : 0));
    return tensor;
  }

  ForeignPart partOf(const LaidOut &one, int64_t together, int64_t begin) {
    ForeignPart part{parameterName(one), one.first, 0, {}};
    int64_t stride = 1;
    auto lay = [&](const std::vector<OwnDim> &dims) {
      for (const OwnDim &dim : llvm::reverse(dims)) {
        part.loops.push_back({dim.size, dim.stride, stride});
        stride *= dim.size;
      }
    };
    for (const std::vector<OwnDim> &axis : llvm::reverse(one.axes))
      for (const OwnDim &dim : llvm::reverse(axis)) {
        if (!dim.name.empty()) {
          lay({dim});
          continue;
        }
        part.foreignFirst = begin * stride;
        int64_t outside = stride * together;
        lay(one.inner);
        stride = outside;
      }
    llvm::sort(part.loops, [](const ForeignPart::Loop &a, const ForeignPart::Loop &b) {
      return a.stride > b.stride;
    });
    return part;
  }

  const ast::Weights &clause;
  ModuleOp module;
  Diagnostics *diagnostics;
  model::Dims sizes;
  std::map<std::string, Group> groups;
  std::vector<std::string> order;
  std::set<std::pair<uint32_t, uint32_t>> reported;
  bool fine = true;
};

} // namespace

std::optional<ForeignPlan> ForeignPlan::make(const ast::Weights &clause, ModuleOp module,
                                             Diagnostics &diagnostics) {
  Planner planner(clause, module, &diagnostics);
  std::optional<std::vector<ForeignTensor>> tensors = planner.run();
  if (!tensors)
    return std::nullopt;
  ForeignPlan plan;
  plan.all = std::move(*tensors);
  std::optional<std::vector<ForeignCopy>> copies = planner.copies(plan.all);
  if (!copies)
    return std::nullopt;
  plan.repeated = std::move(*copies);
  if (!plan.addBeside(clause, module, diagnostics))
    return std::nullopt;
  return plan;
}

ForeignPlan ForeignPlan::own(ModuleOp module) {
  ForeignPlan plan;
  if (auto tensors = Planner({}, module, nullptr).run())
    plan.all = std::move(*tensors);
  return plan;
}

} // namespace weft
