// Holds what a file says of its model against the clause.
#include "tools/weft/foreign/CompareConfig.h"

#include "frontend/source/Spelling.h"
#include "tools/weft/foreign/KnownFields.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace weft {
namespace {

using runtime::Json;

const Json *member(const Json &object, const std::string &name) {
  if (!object.is_object())
    return nullptr;
  auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

std::string saidTwice(const std::string &first, const Json &one, const std::string &second,
                      const Json &other) {
  return fmt::format("`{}` is {}, and `{}` is {}: which one counts?", first, runtime::jsonText(one),
                     second, runtime::jsonText(other));
}

/// `rope_type` for what was called `type`; what is scaled by "default" is not scaled.
Json rotations(Json scaling, const std::string &where, std::vector<std::string> &twice) {
  if (const Json *older = member(scaling, "type")) {
    const Json *type = member(scaling, "rope_type");
    if (type && *type != *older)
      twice.push_back(saidTwice(where + ".type", *older, where + ".rope_type", *type));
    Json value = *older;
    scaling["rope_type"] = std::move(value);
    scaling.erase("type");
  }
  const Json *type = member(scaling, "rope_type");
  bool isPlain = scaling.is_object() && (scaling.empty() || (type && *type == "default"));
  return isPlain ? Json() : scaling;
}

/// What may stand in two places in the older one: `rope_theta` and `rope_scaling` beside each
/// other, where `rope_parameters` has both in one. Of two that differ nobody can say which one
/// counts.
Json inOneWay(Json config, std::vector<std::string> &twice) {
  Json parameters = config.value("rope_parameters", Json());
  Json scaling = config.value("rope_scaling", Json());
  if (parameters.is_object()) {
    config.erase("rope_parameters");
    if (const Json *theta = member(parameters, "rope_theta")) {
      const Json *beside = member(config, "rope_theta");
      if (beside && !beside->is_null() && *beside != *theta)
        twice.push_back(saidTwice("rope_theta", *beside, "rope_parameters.rope_theta", *theta));
      config["rope_theta"] = Json(*theta);
      parameters.erase("rope_theta");
    }
    Json newer = rotations(parameters, "rope_parameters", twice);
    Json older = rotations(scaling, "rope_scaling", twice);
    if (!scaling.is_null() && older != newer)
      twice.push_back(saidTwice("rope_scaling", older, "rope_parameters", newer));
    config["rope_scaling"] = std::move(newer);
  } else if (!scaling.is_null()) {
    config["rope_scaling"] = rotations(std::move(scaling), "rope_scaling", twice);
  }
  return config;
}

/// Numbers that were rounded to floats on the way are the same.
bool isNear(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b));
}

/// As `--set` takes it: an option that is a whole number takes no `500000.0`.
std::string settingOf(const Json &value) {
  double number = value.is_number() ? value.get<double>() : 0.5;
  bool isWhole = number == std::floor(number) && std::abs(number) < 0x1p53;
  return isWhole ? fmt::format("{:.0f}", number) : runtime::jsonText(value);
}

class Comparison {
public:
  Comparison(const Json &given, const std::vector<ForeignOption> &options,
             const std::vector<ForeignSize> &sizes, bool everyFieldCounts)
      : config(inOneWay(given, findings.wrong)), options(options),
        everyFieldCounts(everyFieldCounts) {
    for (const ForeignOption &option : options)
      named.insert(option.name);
    for (const ForeignSize &size : sizes)
      named.insert(size.name);
  }

  ConfigFindings run() {
    for (const ForeignOption &option : options)
      if (!std::holds_alternative<ForeignOption::Anything>(option.value))
        compare(option);
    for (const auto &[name, value] : config.items())
      if (!named.contains(name))
        demand(name, value);
    return std::move(findings);
  }

private:
  /// The value at `a.b`; null where nothing is said. `hasParent`: there is an object to look in.
  const Json *find(const std::string &name, bool &hasParent) const {
    const Json *at = &config;
    hasParent = true;
    for (size_t begin = 0; begin <= name.size();) {
      size_t dot = std::min(name.find('.', begin), name.size());
      bool isLast = dot == name.size();
      hasParent = at->is_object() && (isLast || at->contains(name.substr(begin, dot - begin)));
      at = member(*at, name.substr(begin, dot - begin));
      if (!at)
        return nullptr;
      begin = dot + 1;
    }
    return at->is_null() ? nullptr : at;
  }

  void compare(const ForeignOption &option) {
    bool hasParent = true;
    if (const Json *value = find(option.name, hasParent))
      return compare(option, *value, "");
    if (std::optional<Json> implied = impliedBy(option.name))
      return compare(option, *implied, "not said, which means ");
    if (hasParent)
      wrong("it says no `{}`{}", option.name, near(option.name));
  }

  std::string near(const std::string &name) const {
    std::vector<std::string> known;
    for (const auto &[other, value] : config.items())
      known.push_back(other);
    std::optional<std::string> nearestName = nearest(name, known);
    return nearestName ? fmt::format("; is it `{}`?", *nearestName) : "";
  }

  void compare(const ForeignOption &option, const Json &value, const char *said) {
    std::string wanted = settingOf(value);
    const char *expected = nullptr; // where the file says what no option can be
    bool fits = false;
    if (auto *truth = std::get_if<bool>(&option.value)) {
      expected = value.is_boolean() ? nullptr : "true or false was expected";
      fits = !expected && value.get<bool>() == *truth;
    } else if (auto *number = std::get_if<double>(&option.value)) {
      expected = value.is_number() ? nullptr : "a number was expected";
      fits = !expected && isNear(value.get<double>(), *number);
    } else if (auto *text = std::get_if<std::string>(&option.value))
      fits = value.is_string() && value.get<std::string>() == *text;
    else if (auto *function = std::get_if<ForeignOption::Function>(&option.value)) {
      std::string foreign = value.is_string() ? value.get<std::string>() : "";
      fits = isActivation(function->name, foreign);
      wanted = activationOf(foreign);
      if (wanted.empty() && !fits)
        return wrong("`{}` is {}{}, which is no function here that Weft knows of; `{}` is another",
                     option.name, said, runtime::jsonText(value), option.shown);
    }
    if (fits)
      return;
    std::string there = fmt::format("{}{}", said, runtime::jsonText(value));
    if (option.option.empty())
      return wrong("`{}` is {}, the clause says {}: the program's text is of another model",
                   option.name, there, option.shown);
    wrong("`{}` is {}, here `{}` is {}: {}", option.name, there, option.option, option.shown,
          expected ? expected
                   : fmt::format("a program that fits is made with `--set {}={}`", option.option,
                                 wanted));
  }

  /// No rule is about the field: either it changes nothing, or the clause must say what it is here.
  void demand(const std::string &name, const Json &value) {
    if (name == "rope_scaling" && value.is_object()) {
      for (const auto &[part, inner] : value.items())
        if (std::string path = name + "." + part; !named.contains(path) && !inner.is_null())
          missing(path, inner);
      return;
    }
    switch (kindOf(name)) {
    case FieldKind::Harmless:
      return;
    case FieldKind::Unknown:
      return unread(name, value);
    case FieldKind::Size:
      if (value.is_null())
        return;
      return wrong("`{0}` is {1}, and the clause does not say which dimension that is: "
                   "`size \"{0}\" = …`, or `ignore option \"{0}\"` where shapes show it",
                   name, runtime::jsonText(value));
    case FieldKind::Telling:
      return value.is_null() ? void() : missing(name, value);
    case FieldKind::Usual:
      break;
    }
    bool isOff = name == "sliding_window" && member(config, "use_sliding_window") &&
                 config["use_sliding_window"] == false;
    if (!isOff && !isUsual(name, value))
      missing(name, value);
  }

  /// Of an object of which the clause names parts, the other parts.
  void unread(const std::string &path, const Json &value) {
    if (named.contains(path))
      return;
    auto inside = named.lower_bound(path + ".");
    bool isNamed = inside != named.end() && inside->starts_with(path + ".");
    if (everyFieldCounts && !value.is_object())
      return missing(path, value);
    if (!value.is_object() || (!everyFieldCounts && !isNamed))
      return findings.unknown.push_back(path);
    for (const auto &[part, inner] : value.items())
      unread(path + "." + part, inner);
  }

  void missing(const std::string &name, const Json &value) {
    wrong("`{0}` is {1}, and the clause does not say what that is here: `option \"{0}\" = …`, or "
          "`ignore option \"{0}\"` where it changes nothing",
          name, runtime::jsonText(value));
  }

  template <class... Values>
  void wrong(fmt::format_string<Values...> text, const Values &...values) {
    findings.wrong.push_back(fmt::vformat(text, fmt::make_format_args(values...)));
  }

  ConfigFindings findings;
  Json config;
  const std::vector<ForeignOption> &options;
  bool everyFieldCounts;
  std::set<std::string> named;
};

} // namespace

ConfigFindings compareConfig(const Json &config, const std::vector<ForeignOption> &options,
                             const std::vector<ForeignSize> &sizes, bool everyFieldCounts) {
  return Comparison(config, options, sizes, everyFieldCounts).run();
}

} // namespace weft
