// Programs that are built to be run once.
#ifndef WEFT_TOOLS_WEFT_BUILD_SCRATCH_H
#define WEFT_TOOLS_WEFT_BUILD_SCRATCH_H

#include <string>
#include <vector>

namespace weft {

/// A folder of its own under the system's temporary one; gone with it.
class ScratchFolder {
public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;

  std::string path; ///< empty if it could not be made, which was said
};

/// Runs a program, which calls itself `weft` in messages; returns its exit code. What it prints
/// goes to the file `printed`, if that is not empty.
int runProgram(const std::string &program, const std::vector<std::string> &words,
               const std::string &printed = "");

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_SCRATCH_H
