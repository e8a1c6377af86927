// What a command reads, so that it writes over nothing of that.
#ifndef WEFT_RUNTIME_BASE_FILES_READFILES_H
#define WEFT_RUNTIME_BASE_FILES_READFILES_H

#include "runtime/base/Error.h"

#include <sys/stat.h>
#include <vector>

namespace weft::runtime {

/// A file that an option names to be written.
struct NamedOutput {
  std::string option, path;
};

/// While one lives, every InputFile that is opened is noted, as the file that it is: whatever it is
/// called, and whichever folder or list led to it. So is the program that runs. Command lines have
/// one, one at a time; a program that embeds the runtime has none.
class ReadFiles {
public:
  ReadFiles();
  ~ReadFiles();
  ReadFiles(const ReadFiles &) = delete;

  /// Notes what is read by other means; what is not there, or is no regular file, is left out.
  static void note(const std::string &path);
  static void note(const std::string &path, const struct stat &facts);

  /// Error: an output has no name, is a file that was noted, or is where another output goes. To be
  /// asked when everything is open that will be read, before there are results to lose.
  static Status checkOutputs(const std::vector<NamedOutput> &outputs);
};

} // namespace weft::runtime
#endif
