// What is asked of a build.
#pragma once

#include "frontend/configure/Configure.h"

#include <string>
#include <vector>

namespace weft {

/// What to build of a program, and how.
struct BuildOptions {
  Settings settings;                ///< `--config`, `--set`
  std::vector<std::string> entries; ///< by name, derived ones too; empty: all
  /// Whether entries see `training` as true. What `minimize` derives always does.
  bool training = false;
  /// Paths of values to give besides (`layer.attn.weights`): an entry that has some of them is
  /// built twice, the second time as `NAME.probed` with these as further results, named by their
  /// paths. A path that no entry has is an error (E0612).
  std::vector<std::string> probes;
};

} // namespace weft
