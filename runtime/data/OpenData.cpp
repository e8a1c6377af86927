// The kinds of data.
#include "runtime/data/OpenData.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

static std::vector<DataKind> allKinds() {
  return {textKind(), pairsKind(), imagesKind(), tensorsKind()};
}

static bool takes(const DataKind &kind, std::string_view option) {
  const std::vector<OptionSpec> &options = kind.reader.options;
  return std::any_of(options.begin(), options.end(),
                     [&](const OptionSpec &spec) { return spec.name == option; });
}

static std::string form(const DataKind &kind) {
  return text("%s:%s", kind.name, kind.path);
}

/// Recorded batches fit every training; one that does not say what it is trained on may take what
/// goes by the names of its inputs.
static bool reads(const Facts &facts, const DataKind &kind) {
  return kind.reader.open &&
         (!strcmp(kind.name, "tensors") ||
          std::any_of(facts.trainings.begin(), facts.trainings.end(),
                      [&](const Training &training) {
                        return training.dataKind == kind.name ||
                               (training.dataKind.empty() && strcmp(kind.name, "images"));
                      }));
}

std::string weft::runtime::dataForms(const Facts &facts) {
  std::vector<DataKind> kinds = allKinds();
  std::erase_if(kinds, [&](const DataKind &kind) { return !reads(facts, kind); });
  std::string forms;
  for (size_t i = 0; i < kinds.size(); ++i)
    forms += (i == 0 ? "" : i + 1 < kinds.size() ? ", " : " or ") + form(kinds[i]);
  return forms;
}

std::string weft::runtime::nameInPairs(const Facts &facts, const char *part) {
  for (const Training &training : facts.trainings)
    if (auto found = training.arguments.find(part);
        training.dataKind == "pairs" && found != training.arguments.end())
      return found->second;
  return part;
}

bool weft::runtime::takesDataOption(const Facts &facts, std::string_view option) {
  bool isOfData = false;
  for (const DataKind &kind : allKinds()) {
    bool has = takes(kind, option);
    if (has && reads(facts, kind))
      return true;
    isOfData |= has;
  }
  return !isOfData;
}

std::vector<OptionSpec> weft::runtime::withDataOptions(std::vector<OptionSpec> options) {
  for (const DataKind &kind : allKinds())
    for (const OptionSpec &spec : kind.reader.options)
      if (std::none_of(options.begin(), options.end(), [&](const OptionSpec &other) {
            return std::string_view(other.name) == spec.name;
          }))
        options.push_back(spec);
  return options;
}

DataOptions weft::runtime::readDataOptions(const Options &options) {
  DataOptions given;
  for (const OptionSpec &spec : withDataOptions({}))
    if (options.has(spec.name))
      given[spec.name] = options.string(spec.name);
  return given;
}

/// The kind that the data names, and where its path begins; none if it names none.
static std::optional<DataKind> kindOf(const std::string &data) {
  size_t colon = data.find(':');
  if (colon == std::string::npos || colon + 1 == data.size())
    return std::nullopt;
  for (DataKind &kind : allKinds())
    if (data.compare(0, colon, kind.name) == 0)
      return std::move(kind);
  return std::nullopt;
}

bool weft::runtime::isAugmentation(std::string_view option) {
  std::vector<DataKind> kinds = allKinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const DataKind &kind) {
    const std::vector<std::string> &names = kind.reader.augmentation;
    return std::find(names.begin(), names.end(), option) != names.end();
  });
}

DataOptions weft::runtime::withTrainingOptions(DataOptions given, const std::string &data,
                                               const DataOptions &training) {
  std::optional<DataKind> kind = kindOf(data);
  if (kind && kind->keepsOptions)
    for (const auto &[name, value] : training)
      if (takes(*kind, name))
        given.try_emplace(name, value);
  return given;
}

std::vector<std::string> weft::runtime::preprocessedOtherwise(const DataOptions &given,
                                                              const std::string &data,
                                                              const DataOptions &training) {
  std::vector<std::string> sentences;
  std::optional<DataKind> kind = kindOf(data);
  auto shown = [](const std::string &name, const std::string &value) {
    return "--" + name + (value.empty() ? "" : " " + value);
  };
  if (kind && kind->keepsOptions)
    for (const std::string &name : kind->reader.preprocessing) {
      auto now = given.find(name), before = training.find(name);
      if (now != given.end() && (before == training.end() || before->second != now->second))
        sentences.push_back(
            shown(name, now->second) + ": the training had " +
            (before == training.end() ? "no --" + name : shown(name, before->second)));
    }
  return sentences;
}

Json weft::runtime::stateToCarry(const Json &state) {
  if (!state.is_object() || !state.contains("training"))
    return Json::object();
  const Json &settings = state["settings"];
  std::optional<DataKind> kind = kindOf(settings["data"].get<std::string>());
  bool keeps = kind && kind->keepsOptions;
  Json kept = jsonObject({{"training", state["training"]},
                          {"settings", jsonObject({{"data_options", keeps ? settings["data_options"]
                                                                          : Json::object()}})}});
  if (auto classes = state.find("classes"); classes != state.end())
    kept["classes"] = *classes;
  return kept;
}

/// Error: an option was given that the kind of data does not take.
static Status refuseOthers(const DataKind &kind, const DataRequest &request) {
  for (const auto &[option, value] : request.options) {
    if (takes(kind, option))
      continue;
    std::vector<std::string> takers;
    for (const DataKind &other : allKinds())
      if (takes(other, option))
        takers.push_back(form(other));
    std::string goes = takers.empty() ? "does not go" : "goes with " + listed(takers) + ", not";
    return Error{Code::Usage,
                 text("--%s %s with %s", option.c_str(), goes.c_str(), request.data.c_str())};
  }
  return success();
}

Result<std::unique_ptr<DataSource>>
weft::runtime::openData(const Model &model, const Training &training, const DataRequest &request) {
  std::optional<DataKind> kind = kindOf(request.data);
  if (!kind)
    return Error{Code::Usage, text("--%s %s: expected %s", request.option, request.data.c_str(),
                                   dataForms(model.facts).c_str())};
  if (!kind->reader.open)
    return Error{Code::Value, text("%s: this program reads no %s, because its model has no "
                                   "training with `data = %s`",
                                   request.data.c_str(), kind->name, kind->clause)};
  if (Status status = refuseOthers(*kind, request); !status)
    return status.error();
  return kind->reader.open(model, training, request.data.substr(request.data.find(':') + 1),
                           request);
}
