// Options of commands by getopt_long.
#include "runtime/options/Options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <getopt.h>

using namespace weft::runtime;

/// An option that is none: what begins with it is said, but never taken for it.
static Error unknown(const std::string &name, const std::vector<OptionSpec> &specs) {
  std::vector<std::string> longer;
  for (const OptionSpec &spec : specs)
    if (name.size() > 2 && ("--" + std::string(spec.name)).rfind(name, 0) == 0)
      longer.push_back("--" + std::string(spec.name));
  return {Code::Usage,
          text("unknown option %s%s%s", name.c_str(),
               longer.empty() ? "" : ": options are written in full, ", listed(longer, 6).c_str())};
}

Result<Options> Options::parse(int argc, char **argv, int first,
                               const std::vector<OptionSpec> &specs) {
  std::vector<option> table;
  for (const OptionSpec &spec : specs)
    table.push_back({spec.name, *spec.value ? required_argument : no_argument, nullptr, 0});
  table.push_back({});
  Options options;
  opterr = 0;
  optind = first;
  for (;;) {
    int which = -1;
    const char *given = optind < argc ? argv[optind] : "";
    int found = getopt_long(argc, argv, "+:", table.data(), &which);
    if (found == -1)
      break;
    std::string name(given, strcspn(given, "="));
    const OptionSpec *spec = nullptr; // getopt_long would take what only begins as a name does
    for (const OptionSpec &each : specs)
      if (name == "--" + std::string(each.name))
        spec = &each;
    if (!spec)
      return unknown(name, specs);
    if (found != 0)
      return Error{Code::Usage,
                   text("%s %s", name.c_str(), *spec->value ? "needs a value" : "takes no value")};
    std::vector<std::string> &values = options.values[spec->name];
    if (!values.empty() && !std::string_view(spec->value).ends_with("..."))
      return Error{Code::Usage, text("%s is given twice: give it once", name.c_str())};
    values.emplace_back(optarg ? optarg : "");
  }
  if (optind < argc)
    return Error{Code::Usage, text("unexpected `%s`: options begin with --", argv[optind])};
  return options;
}

Options Options::from(const std::map<std::string, std::string> &given) {
  Options options;
  for (const auto &[name, value] : given)
    options.values[name] = {value};
  return options;
}

std::string Options::string(const std::string &name, const std::string &otherwise) const {
  auto found = values.find(name);
  return found == values.end() ? otherwise : found->second.back();
}

std::vector<std::string> Options::all(const std::string &name) const {
  auto found = values.find(name);
  return found == values.end() ? std::vector<std::string>() : found->second;
}

Result<std::string> Options::need(const std::string &name) const {
  if (has(name))
    return string(name);
  return Error{Code::Usage, text("--%s is missing", name.c_str())};
}

Result<int64_t> Options::integer(const std::string &name, int64_t otherwise, int64_t least,
                                 int64_t most) const {
  if (!has(name))
    return otherwise;
  std::string given = string(name);
  char *end = nullptr;
  errno = 0;
  long long value = strtoll(given.c_str(), &end, 10);
  if (given.empty() || *end || errno || value < least || value > most)
    return Error{Code::Usage, text("--%s %s: expected a whole number from %lld to %lld",
                                   name.c_str(), given.c_str(), wide(least), wide(most))};
  return static_cast<int64_t>(value);
}

Result<double> Options::real(const std::string &name, double otherwise, double least,
                             double most) const {
  if (!has(name))
    return otherwise;
  std::string given = string(name);
  char *end = nullptr;
  double value = strtod(given.c_str(), &end);
  if (given.empty() || *end || !(value >= least && value <= most))
    return Error{Code::Usage, text("--%s %s: expected a number from %g to %g", name.c_str(),
                                   given.c_str(), least, most)};
  return value;
}

Result<uint64_t> Options::seed(const char *name) const {
  std::string given = string(name, "0");
  char *end = nullptr;
  errno = 0;
  unsigned long long value = strtoull(given.c_str(), &end, 10);
  if (given.empty() || given[0] == '-' || *end || errno)
    return Error{Code::Usage,
                 text("--%s %s: expected a whole number from 0 to 2^64 - 1", name, given.c_str())};
  return static_cast<uint64_t>(value);
}

std::string weft::runtime::optionHelp(const std::vector<OptionSpec> &specs, const Facts &facts) {
  std::string out;
  for (const OptionSpec &spec : specs) {
    out += text("  --%-26s ", text("%s %s", spec.name, spec.value).c_str());
    for (char c : spec.helpOf ? spec.helpOf(facts) : std::string(spec.help))
      out += c == '\n' ? text("\n%31s", "") : std::string(1, c);
    out += '\n';
  }
  return out;
}
