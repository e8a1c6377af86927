// What the fields of state.json may be.
#include "runtime/training/checkpoint/CheckpointState.h"

#include "runtime/base/WholeNumber.h"
#include "runtime/base/files/InputFile.h"

#include <span>

using namespace weft::runtime;

namespace {
enum class Kind { Text, Number, Seed, Object, Texts };

struct Field {
  const char *name;
  Kind kind;
  int64_t least = 0;     // of a Number
  bool optional = false; // checkpoints of earlier versions lack it
};
} // namespace

static constexpr int format = 1;

static const Field outer[] = {{"step", Kind::Number},     {"training", Kind::Text},
                              {"config", Kind::Text},     {"data_hash", Kind::Text},
                              {"settings", Kind::Object}, {"tokenizers", Kind::Texts, 0, true}};
static const Field ofSettings[] = {{"data", Kind::Text},
                                   {"data_options", Kind::Texts},
                                   {"steps", Kind::Number, 1},
                                   {"batch", Kind::Number, 1},
                                   {"accumulate", Kind::Number, 1},
                                   {"seed", Kind::Seed},
                                   {"eval_every", Kind::Number},
                                   {"eval_batches", Kind::Number},
                                   {"checkpoint_every", Kind::Number, 1}};

static bool isTexts(const Json &value) {
  for (const Json &each : value)
    if (!each.is_string())
      return false;
  return value.is_object();
}

static bool holds(const Field &field, const Json &value) {
  switch (field.kind) {
  case Kind::Text:
    return value.is_string();
  case Kind::Number:
    return wholeNumber(value, field.least, mostOfASetting).has_value();
  case Kind::Seed:
    return value.is_number_unsigned();
  case Kind::Object:
    return value.is_object();
  case Kind::Texts:
    return isTexts(value);
  }
  return false;
}

static std::string expected(const Field &field) {
  switch (field.kind) {
  case Kind::Text:
    return "a text";
  case Kind::Number:
    return text("a whole number from %lld to %lld", wide(field.least), wide(mostOfASetting));
  case Kind::Seed:
    return "a whole number from 0 to 2^64 - 1";
  case Kind::Object:
    return "an object";
  case Kind::Texts:
    return "an object of texts";
  }
  return "";
}

static std::string shown(const Json &value) {
  constexpr size_t most = 40;
  std::string all = jsonText(value);
  return all.size() <= most ? all : all.substr(0, most) + "…";
}

static Status check(const Json &object, std::span<const Field> fields, const std::string &path) {
  for (const Field &field : fields) {
    auto found = object.find(field.name);
    if (found == object.end() && field.optional)
      continue;
    if (found == object.end())
      return Error{Code::File, text("%s: `%s` is missing, expected %s", path.c_str(), field.name,
                                    expected(field).c_str())};
    if (!holds(field, *found))
      return Error{Code::File, text("%s: `%s` is %s, expected %s", path.c_str(), field.name,
                                    shown(*found).c_str(), expected(field).c_str())};
  }
  return success();
}

Result<Json> weft::runtime::readCheckpointState(const std::string &path) {
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  Result<Json> read = readJson(file->view());
  if (!read)
    return Error{Code::File, text("%s: is not the state of a checkpoint: %s", path.c_str(),
                                  read.error().message.c_str())};
  Json state = std::move(*read);
  if (!state.is_object() || !state.contains("weft_checkpoint"))
    return Error{Code::File, path + ": is not the state of a checkpoint"};
  const Json &version = state["weft_checkpoint"];
  if (version.is_number_integer() && version.get<int64_t>() > format)
    return Error{Code::Type, text("%s: is a checkpoint of format %s, and this program reads format "
                                  "%d: it was written by a later version of Weft",
                                  path.c_str(), shown(version).c_str(), format)};
  if (version != format)
    return Error{Code::File, text("%s: `weft_checkpoint` is %s, expected %d", path.c_str(),
                                  shown(version).c_str(), format)};
  if (Status status = check(state, outer, path); !status)
    return status.error();
  if (Status status = check(state["settings"], ofSettings, path); !status)
    return status.error();
  return state;
}
