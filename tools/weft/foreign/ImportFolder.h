// A folder that an import fills: under its name only when it is whole.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_IMPORTFOLDER_H
#define WEFT_TOOLS_WEFT_FOREIGN_IMPORTFOLDER_H

#include "runtime/base/files/Folder.h"

#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Is written beside its place and takes it when whole, so that a kill at any moment leaves the
/// earlier import or the new one under the name. Dropped before commit(), it leaves nothing.
class ImportFolder {
public:
  static constexpr const char *weights = "parameters.safetensors";

  /// A link to a folder stands for the folder.
  explicit ImportFolder(std::string place);
  ~ImportFolder();
  ImportFolder(const ImportFolder &) = delete;

  /// Makes the folder to write to. Takes up what a kill left: an earlier import that lost its name
  /// gets it back. Fails where something other than an import would be lost, or a file of it that
  /// the new one is made of.
  runtime::Status create();
  /// Puts the new in the place of the old.
  runtime::Status commit();

  /// Where it will be, and where its files are written until then.
  const std::string &place() const { return path; }
  const std::string &written() const { return unfinished; }

private:
  runtime::Status exchange() const;

  std::string path, unfinished, replaced;
  std::vector<std::string> made;           ///< with it, and removed with it
  std::optional<runtime::FolderLock> lock; ///< of what it writes to: two imports do not mix
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_IMPORTFOLDER_H
