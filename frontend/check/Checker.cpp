// The check as a whole: its stages in their order.
#include "frontend/check/Checker.h"
#include "frontend/check/Module.h"

weft::CheckedProgram weft::check(const ast::Program &program, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount(), listed = diagnostics.all().size();
  auto tree = std::make_unique<sema::Program>(program);
  sema::Module module(*tree, diagnostics);
  sema::declare(module);
  sema::resolveDimensions(module);
  sema::resolveOptions(module);
  sema::resolveSignatures(module);
  for (sema::FunctionInfo *fn : sema::orderCalls(module))
    sema::checkBody(module, *fn);
  sema::checkDerived(module);
  sema::checkConfigs(module);
  bool right = diagnostics.errorCount() == before;
  if (right) {
    // Paths into bodies with errors would only repeat them, and so would what they do not read.
    sema::checkGroups(module);
    sema::checkWeights(module);
    sema::checkUse(module);
  }
  diagnostics.sortFrom(listed); // the stages do not go in the order of the source
  return {std::move(tree), diagnostics.errorCount() == before};
}
