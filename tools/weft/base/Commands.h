// The subcommands of `weft`, one function each, in files of their names.
#ifndef WEFT_TOOLS_WEFT_BASE_COMMANDS_H
#define WEFT_TOOLS_WEFT_BASE_COMMANDS_H

#include "tools/weft/base/Options.h"

namespace weft {

int runCheck(const Arguments &arguments);
int runFmt(const Arguments &arguments);
int runParams(const Arguments &arguments);
int runInit(const Arguments &arguments);
int runImport(const Arguments &arguments);
int runExport(const Arguments &arguments);
int runBuild(const Arguments &arguments);
int runRun(const Arguments &arguments);
int runShow(const Arguments &arguments);
int runKernel(const Arguments &arguments);
int runTune(const Arguments &arguments);
int runDraw(const Arguments &arguments);
int runExplain(const Arguments &arguments);
int runReduce(const Arguments &arguments);
int runDoctor(const Arguments &arguments);

/// The folder the compiler's own files lie in (`lib/weft/libweft_runtime.a`): beside its `bin`.
std::string installationFolder();

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_COMMANDS_H
