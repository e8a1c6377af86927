// Reading and comparing what weights were made with.
#include "runtime/training/checkpoint/MadeWith.h"

#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"

using namespace weft::runtime;

Json weft::runtime::readsOf(const Facts &facts, const std::string &entry) {
  Json all = parseJson(facts.reads);
  auto found = all.find(entry);
  if (found == all.end()) // `generate.advance`, `logits.probed`
    found = all.find(entry.substr(0, entry.find('.')));
  return found == all.end() ? Json::object() : *found;
}

/// `name=value` as it can be typed; a value of a damaged or foreign file is cut after 40 bytes.
static void add(std::string &list, const std::string &name, const Json &value) {
  std::string shown = jsonText(value);
  bool isQuoted = value.is_string();
  if (isQuoted)
    shown.pop_back();
  list += text("%s%s=%.40s", list.empty() ? "" : ",", name.c_str(), shown.c_str() + isQuoted);
}

Status weft::runtime::fitsOptions(const std::string &folder, const Facts &facts,
                                  const std::string &entry, Purpose purpose) {
  const std::string path = text("%s/%s", folder.c_str(), optionsFile);
  if (!fileExists(path))
    return success();
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  Result<Json> read = readJson(file->view());
  if (!read || !read->is_object())
    return Error{Code::File, text("%s: is not the options of a checkpoint%s%s", path.c_str(),
                                  read ? "" : ": ", read ? "" : read.error().message.c_str())};
  const Json &options = *read;
  Json reads = readsOf(facts, entry);
  std::string there, here;
  size_t common = 0;
  for (auto mine = reads.begin(); mine != reads.end(); ++mine) {
    auto other = options.find(mine.key());
    if (other == options.end())
      continue;
    ++common;
    if (*other == *mine)
      continue;
    add(there, mine.key(), *other);
    add(here, mine.key(), *mine);
  }
  if (there.empty()) // an edit may have made an option of a number, or a number of an option
    return success();
  const char *in = folder.c_str(), *settings = there.c_str();
  const char *whose = "its weights were", *build = "build it with `--set ", *other = "`, or give ",
             *end = "/parameters.safetensors to use them all the same";
  if (purpose == Purpose::Resumption) {
    whose = "was";
    other = "`, or start a new training in another --out, with --init ";
    end = "/parameters.safetensors";
    if (common < std::min(reads.size(), options.size())) {
      whose = "is a checkpoint of another model,";
      build = settings = other = in = "";
      end = "start a new training in another --out";
    }
  }
  return Error{Code::Value, text("%s: %s made with %s, and this program is built with %s; "
                                 "%s%s%s%s%s",
                                 folder.c_str(), whose, there.c_str(), here.c_str(), build,
                                 settings, other, in, end)};
}
