// Comparing the names of folders with each other, and with those of a training.
#include "runtime/data/images/ClassNames.h"

#include "runtime/data/images/formats/ClassFolders.h"

#include <algorithm>

using namespace weft::runtime;
using Names = std::vector<std::string>;

static Names without(Names names, const Names &others) {
  std::erase_if(names, [&](const std::string &name) {
    return std::find(others.begin(), others.end(), name) != others.end();
  });
  return names;
}

/// Those of the training that the weights are from; none where that knew none, or is older.
static Result<Names> keptNames(const Json *state, const std::string &where, int64_t count) {
  Names names;
  if (!state || !state->is_object() || !state->contains("classes"))
    return names;
  const Json &kept = (*state)["classes"];
  for (const Json &name : kept)
    if (name.is_string())
      names.push_back(name.get<std::string>());
  Names sorted = names;
  std::sort(sorted.begin(), sorted.end());
  bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (!kept.is_array() || names.size() != kept.size() || twice ||
      static_cast<int64_t>(names.size()) != count)
    return Error{Code::File, text("%s: `classes` is %s, expected %lld names", where.c_str(),
                                  jsonText(kept).substr(0, 40).c_str(), wide(count))};
  return names;
}

Result<Names> weft::runtime::classNames(const ImageFiles &files, const DataRequest &request,
                                        int64_t count) {
  if (files.format != ImageFiles::Format::Folders)
    return Names();
  std::string where = request.checkpoint.empty() ? "this program" : request.checkpoint;
  Result<Names> names = keptNames(request.state, where, count);
  if (!names)
    return names;
  for (const Names *part : {&files.train, &files.validation, &files.test})
    for (const std::string &folder : *part) {
      Names there = foldersIn(folder);
      if (names->empty()) {
        *names = there;
        where = folder;
      }
      Names unknown = without(there, *names), absent = without(*names, there);
      if (!unknown.empty())
        return Error{
            Code::Value,
            text("%s: has %s, which %s does not know%s%s; classes go by the names of their folders",
                 folder.c_str(), listed(unknown).c_str(), where.c_str(),
                 absent.empty() ? "" : ", and lacks ",
                 absent.empty() ? "" : listed(absent).c_str())};
    }
  return names;
}
