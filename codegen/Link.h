// Objects and the runtime  ==>  an executable or a shared library, by LLD, in this process.
#ifndef WEFT_CODEGEN_LINK_H
#define WEFT_CODEGEN_LINK_H

#include "codegen/Emit.h"

namespace weft {

struct LinkOptions {
  std::string output;
  /// libweft_runtime.a; for an executable also the archive with `main`.
  std::vector<std::string> archives;
  /// Archives linked in full: what a shared library offers (libweft_api.a).
  std::vector<std::string> whole;
  /// What archives must give even where nothing that is linked asks for it.
  std::vector<std::string> needed;
  bool shared = false;
};

/// Writes `output` beside itself first and renames it. Returns what went wrong, or nothing.
std::optional<std::string> link(llvm::ArrayRef<EmittedCode> objects, const LinkOptions &options);

} // namespace weft

#endif // WEFT_CODEGEN_LINK_H
