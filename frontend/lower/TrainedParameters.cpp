// Sorts what a loss reads into what its training changes and what it does not.
#include "frontend/lower/TrainedParameters.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::lower {

std::optional<LossParameters> parametersOf(func::FuncOp loss, const MinimizeClause &clause,
                                           const Session &session) {
  llvm::SetVector<Operation *> read;
  loss.walk([&](model::ParamOp op) {
    model::ParameterOp parameter = session.storage.find(op.getName())->second.op;
    if (parameter.getKind() == model::ParameterKind::parameter)
      read.insert(parameter);
  });
  LossParameters found;
  std::set<const MinimizeClause::Group *> used;
  for (Operation *op : read) {
    auto parameter = cast<model::ParameterOp>(op);
    const MinimizeClause::Group *group = clause.groupOf(parameter.getSymName());
    used.insert(group);
    if (!group || group->optimizer.rule)
      found.trained.push_back(parameter);
    else
      found.frozen.push_back(parameter.getSymNameAttr());
  }
  const std::string &name = clause.loss->name;
  for (const MinimizeClause::Group &group : clause.groups)
    if (!used.contains(&group)) {
      session.diagnostics
          .error(Code::E0520, group.parameters.clause->callee.span,
                 fmt::format("no parameter of `{}` is left for this group", name))
          .suggest(
              "what is frozen stays so, and of groups the first that holds a parameter has it");
      return std::nullopt;
    }
  if (!found.trained.empty())
    return found;
  session.diagnostics
      .error(Code::E0509, clause.place, fmt::format("`{}` has no parameters to train", name))
      .suggest("`minimize` changes the parameters that the loss reads: some must not be frozen");
  return std::nullopt;
}

} // namespace weft::lower
