// How many cores this process may use.
#ifndef WEFT_RUNTIME_MACHINE_CORES_H
#define WEFT_RUNTIME_MACHINE_CORES_H

#include "runtime/base/Topology.h"

namespace weft::runtime {

/// The cores that the allowed processors are of, or fewer where a control group that it is in
/// grants less time than that. SMT siblings are one core: they share its multipliers and its
/// caches, which one thread of a product fills.
int availableCores();

/// Keeps the calling thread on these processors. A refusal is no error: it only costs speed.
void stayOn(const std::vector<int> &processors);

} // namespace weft::runtime
#endif
