// Folders: making, listing, removing, locking.
#ifndef WEFT_RUNTIME_BASE_FILES_FOLDER_H
#define WEFT_RUNTIME_BASE_FILES_FOLDER_H

#include "runtime/base/Error.h"

#include <vector>

namespace weft::runtime {

bool isFolder(const std::string &path);
bool fileExists(const std::string &path);
/// Makes the folder and those above it; one that exists is fine. Gives those that were made, the
/// outermost first; after an error there are none.
Result<std::vector<std::string>> makeFolders(const std::string &path);
Status makeFolder(const std::string &path);
/// The names in a folder, sorted; none if it cannot be read.
std::vector<std::string> namesIn(const std::string &path);
/// Removes a folder that holds only files, as far as possible; nothing there is fine.
void removeFolder(const std::string &path);
/// Removes what makeFolders() made, as far as it is empty.
void removeMadeFolders(const std::vector<std::string> &made);

/// Keeps others from writing to a folder while it lives; released too when the process dies.
class FolderLock {
public:
  /// The error says that another process holds it: who, and what to do.
  static Result<FolderLock>
  take(const std::string &path,
       const char *holder = "another training is writing to it; wait for it or use another --out");
  ~FolderLock();
  FolderLock(FolderLock &&other) : descriptor(std::exchange(other.descriptor, -1)) {}

private:
  explicit FolderLock(int descriptor) : descriptor(descriptor) {}
  int descriptor;
};

} // namespace weft::runtime
#endif
