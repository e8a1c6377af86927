// `weft check` without settings: what a build would refuse, under every config of the file.
#include "tools/weft/base/Compilation.h"

#include "frontend/lower/ModelBuilder.h"

#include "mlir/IR/Verifier.h"

#include <fmt/format.h>

namespace weft {

static constexpr size_t mostConfigs = 64; // of more, each is checked when it is built

bool Compilation::check() {
  readAndCheck();
  std::vector<std::string> configs = {""};
  for (const ast::File &file : tree.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *config = declaration.as<ast::Config>(); config && configs.size() <= mostConfigs)
        configs.push_back(config->name.text);
  bool fine = !diagnostics.hasErrors();
  collects = true;
  for (size_t i = 0; i < configs.size() && fine; ++i)
    fine = checkBuild(configs[i]);
  collects = false;
  return report() && fine;
}

bool Compilation::checkModel() {
  return module().getOps<mlir::func::FuncOp>().empty() ||
         (lower("model") && succeeded(mlir::verify(module())));
}

bool Compilation::checkBuild(const std::string &config) {
  BuildOptions options;
  options.settings.config = config;
  checkedConfig = config;
  Diagnostics found;
  owned = buildModel(*checked, options, sources, context(), found);
  for (const Diagnostic &each : found.all())
    if (each.code != Code::E0605)
      addOnce(each);
  return (!owned || checkModel()) && !diagnostics.hasErrors();
}

void Compilation::addOnce(const Diagnostic &diagnostic) {
  for (const Diagnostic &known : diagnostics.all())
    if (known.code == diagnostic.code && known.message == diagnostic.message &&
        !known.labels.empty() && !diagnostic.labels.empty() &&
        known.labels.front().span == diagnostic.labels.front().span)
      return;
  Diagnostic &added = diagnostics.add(diagnostic);
  if (!checkedConfig.empty())
    added.note(fmt::format("under `--config {}`", checkedConfig));
}

} // namespace weft
