// A file to write: beside its target, renamed onto it when whole, so that nothing is ever
// half-written.
#ifndef WEFT_RUNTIME_BASE_FILES_NEWFILE_H
#define WEFT_RUNTIME_BASE_FILES_NEWFILE_H

#include "runtime/base/Error.h"

#include <cstddef>

namespace weft::runtime {

/// Until commit() the old file at `path` is untouched; a NewFile that is dropped leaves nothing
/// behind, and what a killed process left goes when the same file is written again. What `path`
/// links to is replaced, not the link. A device or a pipe at `path` is written to directly.
class NewFile {
public:
  /// How the name ends while it is being written.
  static constexpr const char *suffix = ".partial";
  /// A file that is not there yet gets `mode` as of open(2), 0777 for a program; one that is
  /// replaced keeps its permissions, and a program may be run by everyone who may read it.
  static Result<NewFile> create(const std::string &path, unsigned mode = 0666);
  ~NewFile();
  NewFile(NewFile &&other) noexcept { *this = std::move(other); }
  NewFile &operator=(NewFile &&other) noexcept;

  Status write(const void *data, size_t bytes);
  Status write(std::string_view text) { return write(text.data(), text.size()); }
  /// Memory that is the file's next `bytes`, until commit(): the system writes it there, so it may
  /// be more than this machine has. Null where the path is a device or a pipe, or on a system of
  /// files that gives no such memory. Error: the disk has no room for so many. Nothing else is
  /// written behind it.
  Result<char *> room(size_t bytes);
  /// To the disk, then under its name.
  Status commit();

private:
  NewFile() = default;
  Status createBeside(unsigned mode);
  Error failed(const char *what) const;
  std::string path, name, temporary; // as given; in the folder
  int folder = -1, file = -1;
  bool inPlace = false;
  void *mapping = nullptr;
  size_t mapped = 0;
};

/// Where a path leads: followed through links, to a name that may not be there yet.
std::string followed(const std::string &path);

/// A whole small file at once.
Status writeFile(const std::string &path, std::string_view contents, unsigned mode = 0666);

/// Makes what was created, renamed or removed in a folder outlast a power cut.
Status syncFolder(const std::string &path);

/// The folder that a path is in: "." for a plain name.
std::string folderOf(const std::string &path);

} // namespace weft::runtime
#endif
