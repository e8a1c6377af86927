// From a file of a checkpoint, or from a text of the program.
#include "runtime/text/KeptTokenizer.h"

#include "runtime/base/files/Folder.h"
#include "runtime/text/OpenTokenizer.h"

using namespace weft::runtime;

std::string weft::runtime::keptTokenizerPlace(const std::string &checkpoint, const char *name) {
  return checkpoint.empty() ? text("the %s of this program", name) : checkpoint + "/" + name;
}

Result<TokenizerPtr> weft::runtime::keptTokenizer(const std::string &checkpoint,
                                                  const CarriedFile *carried, const char *name) {
  if (std::string path = checkpoint + "/" + name; !checkpoint.empty())
    return fileExists(path) ? readTokenizer(path) : TokenizerPtr();
  std::string_view json = carried ? carried->find(name) : std::string_view();
  return json.empty() ? TokenizerPtr() : tokenizerFromText(json);
}
