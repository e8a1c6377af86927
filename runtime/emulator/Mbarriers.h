// Barriers in shared memory, as threads and copies come to them.
#ifndef WEFT_RUNTIME_EMULATOR_MBARRIERS_H
#define WEFT_RUNTIME_EMULATOR_MBARRIERS_H

#include "runtime/emulator/Cluster.h"

namespace weft::emulator {

/// The one at this address, for the current thread; fails its cluster if there is none that it can
/// know of.
Mbarrier &mbarrierAt(char *address, uint16_t site);
/// Fails if the thread that made it has not said so to copies.
void expectCopies(Mbarrier &barrier, uint16_t site);
/// A copy has brought so many bytes. What others have to be after it knows from `landing` on.
void bring(Cluster &cluster, Mbarrier &barrier, uint32_t bytes);

} // namespace weft::emulator
#endif
