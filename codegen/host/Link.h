// Objects and the runtime  ==>  an executable or a shared library, by LLD, in this process.
#ifndef WEFT_CODEGEN_HOST_LINK_H
#define WEFT_CODEGEN_HOST_LINK_H

#include "codegen/Target.h"

#include "llvm/ADT/ArrayRef.h"

namespace weft {

struct LinkOptions {
  /// The soname of a shared library.
  std::string name;
  /// libweft_runtime.a; for an executable also the archive with `main`.
  std::vector<std::string> archives;
  /// Archives that are linked in full: what a shared library exports (libweft_api.a).
  std::vector<std::string> whole;
  /// Symbols to be taken from archives even if nothing refers to them (`-u` of ld).
  std::vector<std::string> needed;
  bool shared = false;
  /// If not empty, a shared library exports only weft_api(), the table of its interface, under this
  /// prefix and that name. Empty: all names of weft.h.
  std::string prefix = {};
};

/// The bytes of a program or a library, or what went wrong.
struct LinkedProgram {
  std::vector<char> bytes;
  std::optional<std::string> problem;
};

LinkedProgram link(llvm::ArrayRef<EmittedCode> objects, const LinkOptions &options);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_LINK_H
