// What a GGUF file says of its model, in the words of `config.json`.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_GGUF_CONFIG_H
#define WEFT_TOOLS_WEFT_FOREIGN_GGUF_CONFIG_H

#include "runtime/base/Error.h"
#include "runtime/base/Json.h"

#include <map>
#include <string>

namespace weft {

/// `values`: what stands under the keys that begin with the architecture, without that. What
/// `config.json` has no name for keeps its own, an object for each dot. An error: two keys say the
/// same.
runtime::Result<runtime::Json> ggufConfig(const std::string &architecture,
                                          const std::map<std::string, runtime::Json> &values);

} // namespace weft
#endif
