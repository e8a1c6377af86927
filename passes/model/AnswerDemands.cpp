// What was demanded and not done is an error, with the reason; what was done is noted.
//
// Behind the pass that does it, and before gradients and steps are derived, which are made of what
// is there then. A demand holds where an op that was made bears its number, and where the pass has
// refused no op that bears it. So one whose ops were lost on the way is an error too.
#include "ir/model/Entries.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_ANSWERDEMANDS
#include "passes/Passes.h.inc"

namespace {
using model::Demand;

/// What is wrong at one annotation, and in which entries.
struct Miss {
  std::string message, help;
  Location at;
  std::optional<Location> refusedAt;
  llvm::SmallSetVector<StringRef, 4> functions;
};

struct AnswerDemands : impl::AnswerDemandsBase<AnswerDemands> {
  using Base::Base;
  std::vector<Demand> demands;
  std::vector<unsigned> made; ///< by the number of the demand, ops of its fusion that bear it
  std::vector<bool> borne;    ///< by any op
  llvm::MapVector<std::pair<Attribute, Attribute>, Miss> misses;

  void runOnOperation() override {
    if (!getOperation()->hasAttr(model::attr::demands))
      return;
    demands = model::demandsOf(getOperation());
    made.assign(demands.size(), 0);
    borne.assign(demands.size(), false);
    getOperation().walk([&](Operation *op) { count(op); });
    for (auto [number, demand] : llvm::enumerate(demands))
      demand.required ? answer(demand, made[number], borne[number]) : tellIfIdle(demand);
    model::setDemands(getOperation(), demands);
    for (auto &[place, miss] : misses)
      report(miss);
    if (!misses.empty())
      signalPassFailure();
  }

  void count(Operation *op) {
    for (int64_t number : model::demandsAt(op->getLoc()))
      if (size_t(number) < demands.size())
        borne[number] = true;
    for (const model::Fusion &fusion : model::fusions) {
      // An attention has taken its softmax along.
      bool isMade = op->getName().getStringRef() == StringRef(fusion.made) ||
                    (fusion.name == "softmax" && isa<model::AttentionOp>(op));
      for (int64_t number : isMade ? model::demandsAt(op->getLoc()) : SmallVector<int64_t>())
        if (size_t(number) < demands.size() && demands[number].fusion == &fusion)
          ++made[number];
    }
  }

  void answer(Demand &demand, unsigned count, bool isBorne) {
    StringRef name = demand.fusion->name, pass = demand.fusion->pass;
    demand.met = demand.refused.empty() && count > 0;
    if (demand.met)
      return remark(demand, "holds: " + std::to_string(count) + " fused");
    for (const model::Refused &refused : demand.refused) {
      auto [why, remedy] = StringRef(refused.why).split("; ");
      miss(demand, why.str(), remedy.str(), refused.at);
    }
    if (!demand.refused.empty())
      return;
    if (llvm::is_contained(without, pass))
      miss(demand, ("`" + pass + "`, which fuses it, is left out").str(),
           ("build it without `--without " + pass + "`, or without the annotation").str(), {});
    else if (!isBorne)
      miss(demand, "no op here says that it comes of the code behind this",
           "a text of a stage has its places where it is printed with `--locations`; of a source, "
           "nothing uses what that code gives",
           {});
    else
      miss(demand, ("there is no " + name + " in the code behind this").str(),
           "it is found where it is written as " + std::string(demand.fusion->form), {});
  }

  void miss(const Demand &demand, const std::string &why, const std::string &help,
            std::optional<Location> refusedAt) {
    std::string message = "`" + std::string(demand.fusion->name) + "` is required, but " + why;
    auto place = model::sourceOf(demand.at);
    Attribute key = place ? Attribute(place) : Attribute(demand.at);
    misses
        .try_emplace({key, StringAttr::get(&getContext(), message)},
                     Miss{message, help, demand.at, refusedAt, {}})
        .first->second.functions.insert(demand.function);
  }

  static void report(const Miss &miss) {
    InFlightDiagnostic error = emitError(miss.at) << "E0530: " << miss.message;
    std::string where = "in ";
    if (auto place = miss.refusedAt ? model::sourceOf(*miss.refusedAt) : FileLineColLoc())
      where = "at " + place.getFilename().str() + ":" + std::to_string(place.getLine()) + ", in ";
    error.attachNote() << where << "`" << llvm::join(miss.functions, "`, `") << "`";
    error.attachNote() << "help: " << miss.help;
  }

  /// A `@forbid` that nothing had to heed.
  void tellIfIdle(const Demand &demand) {
    if (!demand.met)
      remark(demand, "changes nothing: none would be fused here");
  }

  void remark(const Demand &demand, const std::string &what) {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (model::publicName(function) == demand.function)
        remarkCost(demand.at, function, {"weft-answer-demands", demand.fusion->name},
                   "`" + demand.text() + "` " + what);
  }
};
} // namespace
} // namespace weft
