// Command lines, by Boost.Program_options.
#include "tools/weft/base/Options.h"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <sstream>

namespace po = boost::program_options;

namespace weft {

std::string Arguments::get(const std::string &name, const std::string &fallback) const {
  auto at = values.find(name);
  return at == values.end() || at->second.empty() ? fallback : at->second.back();
}

std::vector<std::string> Arguments::all(const std::string &name) const {
  auto at = values.find(name);
  return at == values.end() ? std::vector<std::string>() : at->second;
}

static po::options_description describe(const Command &command) {
  po::options_description result("options", 100);
  for (const OptionSpec &option : command.options) {
    if (option.value.empty())
      result.add_options()(option.name.c_str(), option.help.c_str());
    else
      result.add_options()(
          option.name.c_str(),
          po::value<std::vector<std::string>>()->composing()->value_name(option.value),
          option.help.c_str());
  }
  result.add_options()("help,h", "this text");
  return result;
}

/// What begins with an option that is none is said, but never taken for it.
static std::string unknown(const std::string &name, const po::options_description &options) {
  std::string longer;
  for (const auto &option : options.options())
    if (name.size() > 2 && ("--" + option->long_name()).starts_with(name))
      longer += fmt::format("{}`--{}`", longer.empty() ? "" : ", ", option->long_name());
  return fmt::format("unknown option {}{}{}", name,
                     longer.empty() ? "" : ": options are written in full, ", longer);
}

/// What the help writes with dots: a list (`PASS,...`), or one thing after the other (`FILE...`).
static bool mayRepeat(const Command &command, const std::string &name) {
  for (const OptionSpec &option : command.options)
    if (option.name.substr(0, option.name.find(',')) == name)
      return option.value.ends_with("...");
  return false;
}

ParsedArguments parseArguments(const Command &command, const std::vector<std::string> &words) {
  ParsedArguments result;
  po::options_description visible = describe(command), all;
  all.add(visible).add_options()("positional", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("positional", -1);
  try {
    auto parsed =
        po::command_line_parser(words)
            .options(all)
            .positional(positional)
            .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
            .run();
    for (const auto &option : parsed.options) {
      if (option.string_key == "positional") {
        result.arguments.positional.insert(result.arguments.positional.end(), option.value.begin(),
                                           option.value.end());
        continue;
      }
      bool again = result.arguments.has(option.string_key);
      if (again && !mayRepeat(command, option.string_key)) {
        result.problem = fmt::format("--{} is given twice: give it once", option.string_key);
        return result;
      }
      auto &values = result.arguments.values[option.string_key];
      values.insert(values.end(), option.value.begin(), option.value.end());
    }
  } catch (const po::unknown_option &problem) {
    result.problem = unknown(problem.get_option_name(), visible);
    return result;
  } catch (const po::error &problem) {
    result.problem = problem.what();
    return result;
  }
  size_t given = result.arguments.positional.size();
  if (!result.arguments.has("help") && (given < command.least || given > command.most))
    result.problem = fmt::format("usage: {}", command.usage);
  return result;
}

std::string helpOf(const Command &command) {
  std::ostringstream out;
  out << "usage: " << command.usage << "\n\n" << command.summary << "\n\n" << describe(command);
  return out.str();
}

} // namespace weft
