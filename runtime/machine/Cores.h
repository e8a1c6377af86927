// How many cores this process may use, and which.
#ifndef WEFT_RUNTIME_MACHINE_CORES_H
#define WEFT_RUNTIME_MACHINE_CORES_H

#include <vector>

namespace weft::runtime {

/// The processors in this process's affinity mask, in order; {0} if the system does not say.
std::vector<int> allowedProcessors();

/// The processors it may use, or fewer where a control group that it is in grants less time than
/// that.
int availableCores();

/// Keeps the calling thread on one processor. A refusal is no error: it only costs speed.
void stayOn(int processor);

} // namespace weft::runtime
#endif
