// Options of `train`, and their agreement with a checkpoint's.
#include "runtime/training/Settings.h"

#include "runtime/data/OpenData.h"
#include "runtime/training/checkpoint/CheckpointState.h"

using namespace weft::runtime;

Json weft::runtime::settingsJson(const TrainSettings &settings) {
  return jsonObject({{"data", settings.data},
                     {"data_options", settings.dataOptions},
                     {"steps", settings.steps},
                     {"batch", settings.batch},
                     {"accumulate", settings.accumulate},
                     {"seed", settings.seed},
                     {"eval_every", settings.evaluateEvery},
                     {"eval_batches", settings.evaluateBatches},
                     {"checkpoint_every", settings.checkpointEvery}});
}

static DataOptions optionsOf(const Json &json) {
  DataOptions options;
  for (const auto &[name, value] : json.items())
    if (value.is_string())
      options[name] = value.get<std::string>();
  return options;
}

DataOptions weft::runtime::trainingDataOptions(const Json &state) {
  Json settings = state.is_object() ? state.value("settings", Json()) : Json();
  return settings.is_object() ? optionsOf(settings.value("data_options", Json())) : DataOptions();
}

namespace {
/// Reads options one by one; those of a resumed training come from its state where they are not
/// given.
class Reader {
public:
  Reader(const Options &options, const Json &resumed) : options(options), resumed(resumed) {}

  /// `fixed`: a resumed training cannot have another value.
  int64_t integer(const char *option, const char *key, int64_t otherwise, int64_t least,
                  bool fixed) {
    const Json *before = earlier(key);
    bool known = before && before->is_number_integer();
    Result<int64_t> value =
        options.integer(option, known ? before->get<int64_t>() : otherwise, least, mostOfASetting);
    if (!value) {
      note(value.error());
      return otherwise;
    }
    if (fixed && known && *value != before->get<int64_t>())
      differs(option, jsonText(*before), text("%lld", wide(*value)));
    return *value;
  }
  std::string string(const char *option, const char *key, bool fixed) {
    const Json *before = earlier(key);
    std::string kept = before && before->is_string() ? before->get<std::string>() : "";
    std::string value = options.string(option, kept);
    if (fixed && before && value != kept)
      differs(option, kept.empty() ? "not given" : kept, value);
    return value;
  }
  uint64_t seed() {
    const Json *before = earlier("seed");
    bool known = before && before->is_number_unsigned();
    if (known && !options.has("seed"))
      return before->get<uint64_t>();
    Result<uint64_t> value = options.seed();
    if (!value) {
      note(value.error());
      return 0;
    }
    if (known && *value != before->get<uint64_t>())
      differs("seed", jsonText(*before), text("%llu", static_cast<unsigned long long>(*value)));
    return *value;
  }
  /// A resumed training sees its data as before.
  DataOptions dataOptions() {
    const Json *before = earlier("data_options");
    DataOptions kept = before ? optionsOf(*before) : DataOptions(), all = kept;
    for (const auto &[name, value] : readDataOptions(options)) {
      all[name] = value;
      auto found = kept.find(name);
      if (before && (found == kept.end() || found->second != value))
        differs(name.c_str(), found == kept.end() ? "not given" : found->second, value);
    }
    return all;
  }
  void note(Error error) {
    if (!problem)
      problem = std::move(error);
  }
  std::optional<Error> problem;

private:
  const Json *earlier(const char *key) const {
    auto found = resumed.is_object() ? resumed.find(key) : resumed.end();
    return !resumed.is_object() || found == resumed.end() ? nullptr : &*found;
  }
  void differs(const char *option, const std::string &before, const std::string &now) {
    note({Code::Value, text("--%s%s%s: the checkpoint was made with --%s %s; leave it out to go "
                            "on, or start a new training in another --out",
                            option, now.empty() ? "" : " ", now.c_str(), option, before.c_str())});
  }
  const Options &options;
  const Json &resumed;
};
} // namespace

Result<TrainSettings> weft::runtime::readTrainSettings(const Options &options,
                                                       const Json &resumed) {
  Reader reader(options, resumed);
  TrainSettings settings;
  settings.out = options.string("out");
  settings.resume = options.has("resume");
  settings.logJson = options.has("log");
  settings.quiet = options.has("quiet");
  settings.initial = options.string("init");
  settings.data =
      reader.string("data", "data", false); // what it holds is compared instead: files move
  settings.dataOptions = reader.dataOptions();
  settings.epochs = reader.integer("epochs", "epochs", 0, 1, false);
  settings.steps = settings.epochs > 0 ? 0 : reader.integer("steps", "steps", 0, 1, false);
  if (options.has("steps") && options.has("epochs"))
    reader.note({Code::Usage, "--steps and --epochs both say how long: give one of them"});
  settings.batch = reader.integer("batch", "batch", 0, 1, true);
  settings.accumulate = reader.integer("accumulate", "accumulate", 1, 1, true);
  settings.seed = reader.seed();
  settings.evaluateEvery =
      reader.integer("eval-every", "eval_every", TrainSettings::unsaid, 0, false);
  settings.evaluateBatches =
      reader.integer("eval-batches", "eval_batches", settings.evaluateBatches, 0, false);
  settings.checkpointEvery =
      reader.integer("checkpoint-every", "checkpoint_every", settings.checkpointEvery, 1, false);
  Result<int64_t> stopAt = options.integer("stop-at", 0, 1, mostOfASetting);
  if (!stopAt)
    reader.note(stopAt.error());
  else
    settings.stopAt = *stopAt;
  if (std::string log = options.string("log"); settings.logJson && log != "json")
    reader.note({Code::Usage, text("--log %s: expected json", log.c_str())});
  if (settings.resume && !settings.initial.empty())
    reader.note(
        {Code::Usage, "--init and --resume do not go together: a checkpoint has its own weights"});
  for (auto [name, missing] : {std::pair{"out", settings.out.empty()},
                               {"data", settings.data.empty()},
                               {"steps or --epochs", settings.steps + settings.epochs == 0}})
    if (missing)
      reader.note({Code::Usage, text("--%s is missing", name)});
  if (reader.problem)
    return *reader.problem;
  return settings;
}
