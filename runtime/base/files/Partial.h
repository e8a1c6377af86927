// The files that are being written: names that cannot be guessed, and what killed processes left of
// them.
#ifndef WEFT_RUNTIME_BASE_FILES_PARTIAL_H
#define WEFT_RUNTIME_BASE_FILES_PARTIAL_H

#include "runtime/base/Error.h"

namespace weft::runtime {

/// A file that was made for writing, and locked: while its writer lives, the lock says so to all
/// processes of the machine, in whichever container.
struct Partial {
  int file = -1; // with errno where it could not be made
  std::string name;
};

/// Makes `NAME.<16 digits>.partial` in a folder, new, with `mode` as of open(2).
Partial createPartial(int folder, const std::string &name, unsigned mode);

/// Removes the partial files of `name` that createPartial() made and whose writer is dead. Where
/// that is not certain (a file system that other machines may write to) they stay.
void removeDeadPartials(int folder, const std::string &name);

} // namespace weft::runtime
#endif
