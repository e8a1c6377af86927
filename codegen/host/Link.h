// Objects and the runtime  ==>  an executable or a shared library, by LLD, in this process.
#ifndef WEFT_CODEGEN_HOST_LINK_H
#define WEFT_CODEGEN_HOST_LINK_H

#include "codegen/Target.h"

#include "llvm/ADT/ArrayRef.h"

namespace weft {

struct LinkOptions {
  /// What a shared library calls itself.
  std::string name;
  /// libweft_runtime.a; for an executable also the archive with `main`.
  std::vector<std::string> archives;
  /// Archives linked in full: what a shared library offers (libweft_api.a).
  std::vector<std::string> whole;
  /// What archives must give even where nothing that is linked asks for it.
  std::vector<std::string> needed;
  bool shared = false;
  /// Of a shared library: what it exports is the table of its interface, weft_api(), with this
  /// before the name. Empty: all names of weft.h.
  std::string prefix;
};

/// The bytes of a program or a library, or what went wrong.
struct LinkedProgram {
  std::vector<char> bytes;
  std::optional<std::string> problem;
};

LinkedProgram link(llvm::ArrayRef<EmittedCode> objects, const LinkOptions &options);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_LINK_H
