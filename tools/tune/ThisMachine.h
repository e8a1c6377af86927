// The machine that this process runs on, as tunings name it.
#ifndef WEFT_TOOLS_TUNE_THISMACHINE_H
#define WEFT_TOOLS_TUNE_THISMACHINE_H

#include <string>

namespace weft::tune {

/// "AMD EPYC 7B13, caches 32 KiB 512 KiB 32 MiB, 2 cores": the processor, its data caches, and as
/// many cores as this process may use. Schedules are tuned for all three.
std::string thisMachine();

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_THISMACHINE_H
