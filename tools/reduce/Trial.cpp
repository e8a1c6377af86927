// The steps of a trial, in the order of what they cost.
#include "tools/reduce/Trial.h"

#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "tools/kernel/storage/StoredRounding.h"
#include "tools/reduce/compiled/Compiled.h"
#include "tools/reduce/compiled/Decoded.h"
#include "tools/reduce/compiled/DrawnSchedules.h"
#include "tools/reduce/compiled/Lowered.h"
#include "tools/reduce/expected/Differences.h"
#include "tools/reduce/expected/Inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace mlir;

namespace weft::reduce {
namespace {
constexpr unsigned shakes = 4, manyShakes = 256;

/// A run, and what it must give.
struct Case {
  std::string entry, kind;
  Run run;
  Expected expected;
};

class Trial {
public:
  Trial(const Subject &subject, const Progress &progress) : subject(subject), progress(progress) {}

  Verdict attempt() {
    step("check and build");
    verdict = lowered.load(subject);
    if (verdict.kind != Kind::right)
      return verdict;
    std::vector<SizeMap> rows = subject.sizes;
    if (rows.empty())
      rows.resize(2);
    uint64_t number = 0;
    for (const SizeMap &row : rows) {
      uint64_t seed = subject.seed * 1000 + number++;
      sizes.push_back(drawSizes(lowered.module(), row, seed));
      seeds.push_back(seed);
    }
    bool good = interpretSource() && lowerModel() && interpretModel();
    good = good && (subject.onlyWithout || compare({}, setsToTry(target(), subject.isas)));
    for (const std::vector<std::string> &passes : subject.without)
      good = good && compare(passes, setsToTry(target(), subject.isas).back());
    if (good && verdict.kind == Kind::right && !cases.empty() &&
        llvm::all_of(cases, [](const Case &each) { return each.expected.refusal.has_value(); }))
      verdict.kind = Kind::refused;
    return verdict;
  }

private:
  const Target &target() const { return *targetNamed(subject.target); }
  void step(std::string name) {
    verdict.where = std::move(name);
    progress(verdict.where);
  }
  bool fails(Kind kind, std::string what) {
    verdict.kind = kind;
    verdict.what = std::move(what);
    return false;
  }

  Run runOf(func::FuncOp function, size_t row, const reference::NamedArrays &parameters) {
    Run run{function,
            drawInputs(function, sizes[row], seeds[row], subject),
            parameters,
            missingSizes(function, sizes[row]),
            {}};
    run.random = {seeds[row], row};
    return run;
  }
  /// Parameters of their own for each row: what was packed of others is of no use.
  std::vector<reference::NamedArrays> eachRow(ModuleOp module) {
    std::vector<reference::NamedArrays> result;
    for (uint64_t seed : seeds)
      result.push_back(drawParameters(module, seed));
    return result;
  }
  Expected expectOf(const Run &run) {
    return expect(run, shakes, seeds.front(), [this] { return lowered.said(); });
  }

  /// Entries as they are written: what the source says is right.
  bool interpretSource() {
    std::vector<reference::NamedArrays> parameters = eachRow(lowered.module());
    for (auto function : lowered.module().getOps<func::FuncOp>()) {
      if (model::kindOf(function) != model::EntryKind::plain || isLossOfTraining(function))
        continue;
      for (size_t row = 0; row < sizes.size(); ++row) {
        auto impossible = impossibleSize(function, sizes[row]);
        step("interpret " + model::publicName(function).str() + (impossible ? mustRefuse : ""));
        Case made{
            model::publicName(function).str(), "plain", runOf(function, row, parameters[row]), {}};
        made.expected = expectOf(made.run);
        if (impossible && !made.expected.refusal)
          return fails(Kind::refusal,
                       "entry `" + made.entry + "`: nobody refuses that " + *impossible);
        for (const ExpectedTensor &tensor : made.expected.outputs)
          tensor.count(verdict);
        cases.push_back(std::move(made));
      }
    }
    return true;
  }

  bool lowerModel() {
    step("stage model");
    model = lowered.copy();
    auto problem = lowered.lower(*model, "", "model", {}, subject.gradients);
    if (!problem && subject.chunks) {
      whole = lowered.copy();
      problem = lowered.lower(*whole, "", "model", {"weft-chunk-logits"}, subject.gradients);
      if (!problem && OperationEquivalence::isEquivalentTo(*whole, *model,
                                                           OperationEquivalence::IgnoreLocations))
        whole = {};
    }
    if (!problem)
      return true;
    Verdict said = ofStageModel(*problem);
    return fails(said.kind, said.what);
  }

  static bool hasMaskedAttention(func::FuncOp function) {
    return function
        .walk([](model::AttentionOp op) {
          return op.getMask() || op.getBias() ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Whether the passes kept what a function gives.
  bool interpretBehind(Case &made) {
    step("interpret " + made.entry + " behind the stage model");
    auto function = model->lookupSymbol<func::FuncOp>(made.run.function.getSymName());
    if (!function)
      return fails(Kind::internal, "the entry `" + made.entry + "` is gone");
    Run run = made.run;
    run.function = function;
    made.run.hides = made.kind == "plain" && hasMaskedAttention(function);
    reference::NamedArrays after = run.parameters;
    auto outputs = interpret(run, &after);
    std::string said = lowered.said();
    if (failed(outputs) != made.expected.refusal.has_value())
      return fails(Kind::stage, failed(outputs) ? "refuses: " + said : "does not refuse");
    if (failed(outputs))
      return true;
    if (auto wrong = wrongIn(made, *outputs, after, 0.02))
      return fails(Kind::stage, "entry `" + made.entry + "`: " + *wrong);
    return true;
  }

  /// What the passes made of the entries, and what they derived: in chunks what it is without them.
  bool interpretModel() {
    for (Case &written : cases)
      if (!interpretBehind(written))
        return false;
    ModuleOp derived = whole ? *whole : *model;
    std::vector<reference::NamedArrays> parameters = eachRow(derived);
    for (auto function : derived.getOps<func::FuncOp>()) {
      std::string kind =
          stringifyEntryKind(model::kindOf(function).value_or(model::EntryKind::plain)).str();
      if (kind != "gradient" && kind != "update")
        continue;
      for (size_t row = 0; row < sizes.size(); ++row) {
        step("interpret " + model::publicName(function).str());
        Case made{
            model::publicName(function).str(), kind, runOf(function, row, parameters[row]), {}};
        made.expected = expectOf(made.run);
        if (kind == "gradient" && !made.expected.refusal && subject.differences && !subject.ties &&
            !subject.extreme)
          if (auto wrong = differs(made.run, made.expected, seeds[row]))
            return fails(Kind::derivative, "entry `" + made.entry + "`: " + *wrong);
        if (whole && !interpretBehind(made))
          return false;
        for (const ExpectedTensor &tensor : made.expected.outputs)
          tensor.count(verdict);
        cases.push_back(std::move(made));
      }
    }
    return true;
  }

  /// A gradient of what an idiom was made of may be no number where that of the idiom is: 0 times
  /// what a row without a key had. Where the source without these passes says so too, anything
  /// goes.
  bool isNoNumberThereToo(Case &made, const std::vector<reference::Array> &outputs,
                          const std::vector<std::string> &without) {
    OwningOpRef<ModuleOp> module = lowered.copy();
    if (made.kind != "gradient" || without.empty() ||
        lowered.lower(*module, "", "model", without, subject.gradients))
      return false;
    Run run = made.run;
    run.function = module->lookupSymbol<func::FuncOp>(made.run.function.getSymName());
    FailureOr<std::vector<reference::Array>> plain = failure();
    if (run.function)
      plain = interpret(run, nullptr);
    if (failed(plain) || plain->size() != made.expected.outputs.size()) {
      (void)lowered.said();
      return false;
    }
    for (auto [tensor, array, found] : llvm::zip_equal(made.expected.outputs, *plain, outputs)) {
      ExpectedTensor free = tensor;
      auto *values = std::get_if<reference::Floats>(&array.data);
      for (size_t i = 0; values && i < free.allowed.size(); ++i)
        if (!std::isfinite((*values)[i]))
          free.allowed[i] = std::numeric_limits<double>::infinity();
      if (free.differs(found))
        return false;
    }
    return true;
  }

  /// The cases as kernels compute them that round what they store: the interpreter runs these then.
  std::vector<Case> asStored(ModuleOp kernels) {
    std::vector<Case> stored = cases;
    if (!trial::storesNarrower(kernels))
      return stored;
    for (Case &each : stored) {
      auto function = kernels.lookupSymbol<func::FuncOp>(each.run.function.getSymName());
      if (!function || each.expected.refusal)
        continue;
      step("interpret " + each.entry + " as its kernels store it");
      each.run.function = function;
      each.expected = expectOf(each.run);
    }
    return stored;
  }

  static std::string behind(const std::vector<std::string> &without) {
    return without.empty() ? "" : fmt::format(" without {}", fmt::join(without, ","));
  }

  /// Compiles, and runs all cases.
  bool compare(const std::vector<std::string> &without, llvm::ArrayRef<std::string> sets) {
    std::string left = behind(without);
    OwningOpRef<ModuleOp> module =
        without.empty() ? OwningOpRef<ModuleOp>(model->clone()) : lowered.copy();
    step("lower" + left);
    model::setPrecision(*module, *model::precisionNamed(subject.precision));
    if (!subject.weights.empty())
      (*module)->setAttr(model::attr::weights,
                         StringAttr::get(module->getContext(), subject.weights));
    if (auto format = model::cacheFormatNamed(subject.caches))
      model::setCacheFormat(*module, *format);
    if (auto problem = lowered.lower(*module, without.empty() ? "model" : "", "kernel", without,
                                     subject.gradients, &target()))
      return fails(Kind::internal, *problem);
    if (subject.schedules != 0 && &target() == &cpuTarget() &&
        failed(drawSchedules(*module, subject.schedules)))
      return fails(Kind::internal, "drawing schedules: " + lowered.said());
    OwningOpRef<ModuleOp> kernels = module->clone();
    std::vector<Case> stored = asStored(*kernels);
    step("lower" + left + " to a plan");
    if (auto problem =
            lowered.lower(*module, "kernel", "plan", without, subject.gradients, &target()))
      return fails(Kind::internal, *problem);
    if (!subject.compiled)
      return true;
    const ModuleOp told = trial::storesNarrower(*kernels) ? *kernels : *model;
    const CodeEffort effort = subject.optimized ? CodeEffort::full : CodeEffort::quick;
    std::vector<std::string> here, lacking;
    for (const std::string &set : sets)
      (whyNotThose({set}).empty() ? here : lacking).push_back(set);
    if (!here.empty()) {
      step("compile" + left);
      NativeCode code;
      if (auto problem = code.load(*module, target(), here, effort))
        return fails(Kind::internal, lowered.said() + *problem);
      for (const std::string &set : here)
        if (!compareOn(code, set, stored, told, without))
          return false;
    }
    for (const std::string &set : lacking) {
      step("compile" + left + " what stands in for " + set);
      NativeCode code;
      if (auto problem = code.loadStandIn(*module, set, effort))
        return fails(Kind::internal, lowered.said() + *problem);
      if (!compareOn(code, set, stored, told, without))
        return false;
    }
    return true;
  }

  /// Runs all cases by one instruction set; `told` is what continued texts must agree with.
  bool compareOn(const NativeCode &code, const std::string &set, std::vector<Case> &stored,
                 ModuleOp told, const std::vector<std::string> &without) {
    std::string problem, on = behind(without) + " on " + set;
    step("open" + on);
    Compiled one(code, set, 1, problem), two(code, set, 2, problem);
    if (!problem.empty())
      return fails(Kind::internal, problem);
    for (Case &each : stored)
      if (!compare(each, one, two, on, without))
        return false;
    if (!without.empty())
      return true;
    step("continue" + on);
    if (auto wrong =
            decodesWrongly(one, told, sizes, subject.seed, [this] { return lowered.said(); }))
      return fails(Kind::decode, *wrong);
    return true;
  }

  /// What is not as it must be, also after many more looks at what rounding does.
  std::optional<std::string> wrongIn(Case &made, const std::vector<reference::Array> &outputs,
                                     const reference::NamedArrays &parameters, double margin) {
    auto look = [&]() -> std::optional<std::string> {
      for (auto [tensor, array] : llvm::zip_equal(made.expected.outputs, outputs))
        if (auto wrong = tensor.differs(array, margin))
          return wrong;
      for (const ExpectedTensor &tensor : made.expected.parameters)
        if (auto found = parameters.find(tensor.name); found != parameters.end())
          if (auto wrong = tensor.differs(found->second, margin))
            return "leaves " + *wrong;
      return std::nullopt;
    };
    if (!look())
      return std::nullopt;
    shakeMore(made.expected, made.run, manyShakes, seeds.front() + 1000,
              [this] { return lowered.said(); });
    return look();
  }

  bool compare(Case &made, Compiled &one, Compiled &two, const std::string &on,
               const std::vector<std::string> &without) {
    step("run " + made.entry + on);
    Given given = one.run(made.entry, made.run);
    const Expected &expected = made.expected;
    auto entry = [&] { return "entry `" + made.entry + "`: "; };
    if (given.refusal && !expected.refusal)
      return fails(Kind::refusal, entry() + "the program refuses: " + *given.refusal);
    if (!given.refusal && expected.refusal)
      return fails(Kind::refusal, entry() + "only the interpreter refuses: " + *expected.refusal);
    if (given.refusal)
      return true;
    Kind kind = made.kind == "gradient" ? Kind::gradient : Kind::values;
    if (given.outputs.size() != expected.outputs.size())
      return fails(kind, entry() + "gives another number of results");
    if (auto wrong = wrongIn(made, given.outputs, given.parameters, 1);
        wrong && !isNoNumberThereToo(made, given.outputs, without))
      return fails(kind, entry() + *wrong);
    step("run " + made.entry + on + " again, with two threads");
    Given again = two.run(made.entry, made.run, /*again=*/true);
    if (again.refusal || !same(given, again))
      return fails(Kind::threads, entry() + "gives other bytes with two threads, after a run with "
                                            "other parameters, than with one");
    return true;
  }

  /// NaN is NaN.
  static bool same(const Given &a, const Given &b) {
    auto equal = [](const reference::Array &x, const reference::Array &y) {
      if (auto *floats = std::get_if<reference::Floats>(&x.data))
        return x.shape == y.shape && llvm::all_of_zip(*floats, y.floats(), [](double p, double q) {
                 return p == q || (std::isnan(p) && std::isnan(q));
               });
      return x == y;
    };
    if (!llvm::all_of_zip(a.outputs, b.outputs, equal))
      return false;
    return llvm::all_of(a.parameters, [&](const auto &each) {
      auto other = b.parameters.find(each.first());
      return other != b.parameters.end() && equal(each.second, other->second);
    });
  }

  const Subject &subject;
  const Progress &progress;
  Lowered lowered;
  OwningOpRef<ModuleOp> model, whole; ///< `whole`: with whole logits, where `model` has chunks
  std::vector<SizeMap> sizes;
  std::vector<uint64_t> seeds;
  std::vector<Case> cases;
  Verdict verdict;
};
} // namespace

Verdict attempt(const Subject &subject, const Progress &progress) {
  Verdict verdict = Trial(subject, progress).attempt();
  if (!verdict.isFault() || subject.cure.empty())
    return verdict;
  // Another fault than the one that is looked for would stay without the passes too.
  Subject cured = subject;
  cured.without = {subject.cure};
  cured.cure.clear();
  cured.onlyWithout = true;
  Verdict other = Trial(cured, progress).attempt();
  return other.isFault() ? Verdict{Kind::right, "cured", "it fails in another way"} : verdict;
}

} // namespace weft::reduce
