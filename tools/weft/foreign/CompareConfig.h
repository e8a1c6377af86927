// A `config.json` against what the clause and the program say of the model.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_COMPARECONFIG_H
#define WEFT_TOOLS_WEFT_FOREIGN_COMPARECONFIG_H

#include "frontend/weights/Plan.h"
#include "runtime/base/Json.h"

#include <string>
#include <vector>

namespace weft {

struct ConfigFindings {
  std::vector<std::string> wrong;   ///< a sentence each
  std::vector<std::string> unknown; ///< fields that nothing was compared with
};

/// What does not fit of the fields that the clause names, and what the file says besides that
/// changes the model's results, and no rule of the clause is about. `config` is an object, of which
/// every field may do so that nobody knows, or most likely none.
ConfigFindings compareConfig(const runtime::Json &config, const std::vector<ForeignOption> &options,
                             const std::vector<ForeignSize> &sizes, bool everyFieldCounts);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_COMPARECONFIG_H
