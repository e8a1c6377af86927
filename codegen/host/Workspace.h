// Files that a tool called on the way wants to read.
#ifndef WEFT_CODEGEN_HOST_WORKSPACE_H
#define WEFT_CODEGEN_HOST_WORKSPACE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace weft {

/// A temporary folder, removed with what is in it.
class Workspace {
public:
  explicit Workspace(llvm::StringRef prefix);
  ~Workspace();
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// Of a file in it.
  std::string pathOf(llvm::StringRef name) const { return (folder + "/" + name).str(); }
  /// Gives why it could not be written, or why there is no folder, or nothing.
  std::optional<std::string> write(llvm::StringRef name, llvm::StringRef bytes) const;

  /// A file in it; empty where it cannot be read.
  std::string read(llvm::StringRef name) const;

private:
  llvm::SmallString<128> folder;
  std::optional<std::string> why;
};

} // namespace weft

#endif // WEFT_CODEGEN_HOST_WORKSPACE_H
