// Ops counted by their names in three texts of a program: as built, behind `model`, in its plan.
#include "Survey.h"
#include "Generate.h"

#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/plan/Plan.h"
#include "tools/reduce/compiled/Lowered.h"

#include <fmt/format.h>

#include <map>
#include <set>

using namespace mlir;
using namespace weft::model;

namespace weft::hunter {
namespace {
using Found = std::set<std::string>;

/// A loop's variable that becomes what another one was, or is made of it.
bool changesPlaces(RepeatOp loop) {
  auto carried = loop.getPassCarried();
  for (unsigned i = 0; i < loop.getNumCarried(); ++i) {
    Value next = bare(loop.getYield().getValues()[i]);
    SmallVector<Value> from{next};
    if (Operation *maker = next.getDefiningOp())
      llvm::append_range(from, maker->getOperands());
    for (Value value : from)
      if (llvm::is_contained(carried, bare(value)) && bare(value) != carried[i])
        return true;
  }
  return false;
}

void inSource(ModuleOp module, Found &found) {
  for (auto parameter : module.getOps<ParameterOp>()) {
    if (parameter.getKind() != ParameterKind::parameter)
      found.insert("a state");
    if (parameter.getLoops() > 0)
      found.insert("a parameter of each pass");
    if (parameter.getLoops() > 1)
      found.insert("a parameter of loops in loops");
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.getNumResults() > 1)
      found.insert("several results");
    for (Type type : function.getResultTypes())
      if (!cast<NamedTensorType>(type).isFloat())
        found.insert(cast<NamedTensorType>(type).isBool() ? "a result of switches"
                                                          : "a result of ints");
    function.walk([&](Operation *op) {
      found.insert("source " + op->getName().stripDialect().str());
      if (isa<ParamOp>(op) && !op->use_empty() && !op->hasOneUse())
        found.insert("a parameter read twice");
      if (auto loop = dyn_cast<RepeatOp>(op)) {
        if (loop->getParentOfType<RepeatOp>())
          found.insert("a loop in a loop");
        if (changesPlaces(loop))
          found.insert("variables that change places");
        if (loop.getNumResults() > loop.getNumCarried())
          found.insert("what passes leave, stacked");
      }
      if (isa<AddOp, SubOp, MulOp, ModOp, FloorDivOp, MaxOp, MinOp>(op) &&
          !typeOf(op->getResult(0)).isFloat())
        found.insert("whole numbers, computed");
      if (isa<RegroupOp>(op) &&
          cast<RegroupOp>(op).getFrom().size() != cast<RegroupOp>(op).getTo().size())
        found.insert(cast<RegroupOp>(op).getFrom().size() > 1 ? "a merge" : "a split");
      if (isa<GatherOp>(op) && !typeOf(op->getOperand(1)).getDims().empty())
        found.insert("a pick by positions");
    });
  }
  for (auto training : module.getOps<TrainingOp>()) {
    found.insert("a training");
    if (training.getFrozen())
      found.insert("frozen parameters");
  }
  if (!module.getOps<DecodingOp>().empty())
    found.insert("a decoding");
}

void inModel(ModuleOp source, ModuleOp module, Found &found) {
  llvm::DenseSet<DimAttr> loops;
  source.walk([&](RepeatOp loop) { loops.insert(loop.getDimAttr()); });
  module.walk([&](RepeatOp loop) {
    if (!loops.contains(loop.getDimAttr())) // a loop that is not the source's
      found.insert(loop.getNumCarried() ? "chunks of logits, with gradients" : "chunks of logits");
  });
  module.walk([&](Operation *op) {
    if (isa<SoftmaxOp, SoftmaxGradOp, LogSumExpOp, NormalizeOp, NormalizeGradOp, AttentionOp,
            AttentionGradOp, ContractOp, ScatterOp, InsertPartOp>(op))
      found.insert("model " + op->getName().stripDialect().str());
    if (auto softmax = dyn_cast<SoftmaxOp>(op); softmax && softmax.getMask())
      found.insert("model softmax with a mask");
    if (auto attention = dyn_cast<AttentionOp>(op); attention && attention.getMask())
      found.insert("model attention with a mask");
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      if (attention.getBias())
        found.insert(attention.getCappedBias() ? "model attention with a bias inside its cap"
                                               : "model attention with a bias");
      if (attention.getCap().convertToDouble() != 0)
        found.insert("model attention with a cap");
      if (attention.getKeep())
        found.insert("model attention with dropout");
    }
    if (auto gradient = dyn_cast<AttentionGradOp>(op);
        gradient && gradient.getDbias() && !gradient.getDbias().use_empty())
      found.insert("model attention_grad by a bias");
    if (auto loop = dyn_cast<RepeatOp>(op); loop && loop.getReverse())
      found.insert("model repeat backwards");
  });
}

void inPlan(ModuleOp module, Found &found) {
  module.walk([&](kernel::FusedOp op) {
    found.insert("kernel " + kernel::stringifyFamily(op.getFamily()).str());
    if (op.getFamily() == kernel::Family::scatter)
      if (auto form = kernel::readScatter(op); succeeded(form) && form->base)
        found.insert("kernel scatter onto another value");
    if (op.getFamily() == kernel::Family::contraction)
      if (auto form = kernel::readContraction(op); succeeded(form)) {
        if (form->segments.size() > 1)
          found.insert("kernel contraction of several segments");
        for (const kernel::Segment &segment : form->segments)
          for (const kernel::Sum &sum : segment.sums)
            if (sum.terms.size() > 1)
              found.insert("kernel contraction that adds products");
      }
  });
  module.walk([&](Operation *op) {
    if (isa<plan::CopyOp, plan::ReuseOp, plan::LoopOp, plan::RandomKeyOp>(op))
      found.insert("plan " + op->getName().stripDialect().str());
  });
}

void inRuns(const reduce::Subject &subject, Found &found) {
  for (const reduce::SizeMap &row : subject.sizes)
    for (auto &[name, size] : row)
      if (size == 1)
        found.insert("a size of 1");
  if (subject.sizes.size() > 1)
    found.insert("runs at several sizes");
  for (const std::string &isa : subject.isas)
    found.insert("on " + isa);
  if (subject.isas.empty())
    found.insert("on every instruction set");
  for (const std::vector<std::string> &passes : subject.without)
    found.insert("without " + passes.front());
  found.insert(subject.optimized ? "with LLVM's optimizations" : "without LLVM's optimizations");
  if (subject.schedules)
    found.insert("schedules that are drawn");
  if (subject.ties)
    found.insert("numbers that are equal");
  if (subject.extreme)
    found.insert("numbers that are infinite or none");
  if (subject.differences)
    found.insert("gradients held against differences");
}

/// What the generator must draw often: each is in more than 2% of the programs.
constexpr const char *required[] = {"several results",
                                    "schedules that are drawn",
                                    "variables that change places",
                                    "a loop in a loop",
                                    "a parameter of each pass",
                                    "whole numbers, computed",
                                    "source index",
                                    "source compare",
                                    "source pick",
                                    "source gather",
                                    "a merge",
                                    "a split",
                                    "source concat",
                                    "source stack",
                                    "source top",
                                    "source argmax",
                                    "source cumsum",
                                    "a state",
                                    "source random",
                                    "a parameter read twice",
                                    "frozen parameters",
                                    "a training",
                                    "a decoding",
                                    "what passes leave, stacked",
                                    "model softmax with a mask",
                                    "model attention with a mask",
                                    "model attention_grad",
                                    "model normalize_grad",
                                    "model scatter",
                                    "model repeat backwards",
                                    "kernel contraction of several segments",
                                    "kernel contraction that adds products",
                                    "kernel scatter",
                                    "kernel scatter onto another value",
                                    "chunks of logits",
                                    "chunks of logits, with gradients",
                                    "kernel table",
                                    "kernel pack",
                                    "plan copy",
                                    "plan reuse",
                                    "a size of 1",
                                    "on x86-64-v3",
                                    "on avx512",
                                    "on avx512-bf16",
                                    "on amx",
                                    "numbers that are equal",
                                    "numbers that are infinite or none",
                                    "gradients held against differences",
                                    "a result of ints"};
} // namespace

/// Notes what is said of a program; whether that is a refusal.
static bool isRefused(const Written &program, const reduce::Verdict &verdict, Refusals &into) {
  std::string code = codeOf(verdict);
  if (isWronglyRefused(program, verdict))
    into.wrong.push_back(fmt::format("seed {}: {}", program.seed, verdict.what));
  else if (!code.empty())
    ++into.codes[code];
  return verdict.kind == reduce::Kind::invalid || !code.empty();
}

Refusals refusals(uint64_t seed, uint64_t count) {
  Refusals result;
  for (uint64_t i = 0; i < count; ++i) {
    Written program = generate(seed + i);
    reduce::Lowered lowered;
    if (isRefused(program, lowered.load(program), result))
      continue;
    if (auto problem = lowered.lower(lowered.module(), "", "model"))
      isRefused(program, reduce::ofStageModel(*problem), result);
  }
  return result;
}

unsigned survey(uint64_t seed, uint64_t count) {
  std::map<std::string, unsigned> programs;
  Refusals refused;
  unsigned unlowered = 0;
  for (uint64_t i = 0; i < count; ++i) {
    Written subject = generate(seed + i);
    subject.chunks = true; // counted are those that have some, if they are asked for
    reduce::Lowered lowered;
    if (isRefused(subject, lowered.load(subject), refused))
      continue;
    Found found;
    inRuns(subject, found);
    inSource(lowered.module(), found);
    OwningOpRef<ModuleOp> module = lowered.copy();
    auto problem = lowered.lower(*module, "", "model");
    if (problem && isRefused(subject, reduce::ofStageModel(*problem), refused))
      continue;
    bool whole = !problem;
    if (whole)
      inModel(lowered.module(), *module, found);
    whole = whole && !lowered.lower(*module, "model", "plan");
    if (whole)
      inPlan(*module, found);
    unlowered += !whole;
    for (const std::string &name : found)
      ++programs[name];
  }
  for (auto &[code, number] : refused.codes)
    programs["refused: " + code] = number;
  fmt::print("{} programs, of which {} do not become a plan; of 1000:\n", count, unlowered);
  for (auto &[name, number] : programs)
    fmt::print("{:6.0f}  {}\n", 1000.0 * number / double(std::max<uint64_t>(count, 1)), name);
  for (const std::string &wrong : refused.wrong)
    fmt::print("should not be refused: {}\n", wrong);
  unsigned missing = unsigned(refused.wrong.size());
  for (const char *name : required)
    if (!programs.count(name)) {
      fmt::print("none has: {}\n", name);
      ++missing;
    }
  return missing;
}

} // namespace weft::hunter
