// Options of a trial, written and read.
#include "tools/reduce/subject/Repeat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace weft::reduce {

namespace {
/// Options without a value: which numbers are drawn.
struct DrawnOption {
  std::string_view option;
  bool Drawn::*drawn;
};
constexpr DrawnOption drawnOptions[] = {
    {"--ties", &Drawn::ties}, {"--far", &Drawn::far}, {"--extreme", &Drawn::extreme}};
} // namespace

std::string optionsOf(const Subject &subject) {
  std::string result = fmt::format("--seed {}", subject.seed);
  for (const SizeMap &row : subject.sizes) {
    std::string sizes;
    for (auto &[name, size] : row)
      sizes += fmt::format("{}{}={}", sizes.empty() ? "" : ",", name, size);
    result += " --size " + (sizes.empty() ? "-" : sizes);
  }
  if (!subject.settings.config.empty())
    result += " --config " + subject.settings.config;
  for (auto &[name, value] : subject.settings.set)
    result += fmt::format(" --set {}={}", name, value);
  for (const std::vector<std::string> &passes : subject.without)
    result += fmt::format(" --without {}", fmt::join(passes, ","));
  if (subject.target != Subject().target)
    result += " --target " + subject.target;
  if (subject.precision != Subject().precision)
    result += " --precision " + subject.precision;
  if (subject.schedules != Subject().schedules)
    result += fmt::format(" --schedules {}", subject.schedules);
  if (!subject.weights.empty())
    result += " --weights-as " + subject.weights;
  if (!subject.caches.empty())
    result += " --caches-as " + subject.caches;
  for (const std::string &isa : subject.isas)
    result += " --isa " + isa;
  if (subject.chunks)
    result += " --chunks";
  if (!subject.optimized)
    result += " --quick";
  for (auto [option, drawn] : drawnOptions)
    if (subject.*drawn)
      result += fmt::format(" {}", option);
  return result;
}

std::string withHeader(const Subject &subject, const Verdict &verdict, const std::string &origin) {
  std::string what = verdict.what.substr(0, std::min<size_t>(verdict.what.find('\n'), 300));
  return fmt::format("# {}: {}{}{} ({})\n# try: {}\n{}", nameOf(verdict.kind), verdict.where,
                     what.empty() ? "" : ": ", what, origin, optionsOf(subject), subject.text);
}

std::string readSizes(const std::string &text, SizeMap &into) {
  if (text == "-")
    return "";
  std::stringstream pieces(text);
  for (std::string piece; std::getline(pieces, piece, ',');) {
    size_t at = piece.find('=');
    int64_t size = 0;
    std::string_view digits = piece;
    digits.remove_prefix(at == std::string::npos ? piece.size() : at + 1);
    const char *end = digits.data() + digits.size();
    if (at == 0 || digits.empty() || std::from_chars(digits.data(), end, size).ptr != end)
      return "`" + piece + "` is not NAME=NUMBER";
    into[piece.substr(0, at)] = size;
  }
  return "";
}

/// One option and its value, as `optionsOf` writes them.
static std::string take(const std::string &option, const std::string &value, Subject &into) {
  if (option == "--size") {
    into.sizes.emplace_back();
    return readSizes(value, into.sizes.back());
  }
  if (option == "--seed") {
    into.seed = std::strtoull(value.c_str(), nullptr, 10);
  } else if (option == "--config") {
    into.settings.config = value;
  } else if (option == "--set") {
    size_t at = value.find('=');
    into.settings.set.push_back(
        {value.substr(0, at), value.substr(std::min(at, value.size() - 1) + 1)});
  } else if (option == "--target") {
    into.target = value;
  } else if (option == "--precision") {
    into.precision = value;
  } else if (option == "--schedules") {
    into.schedules = std::strtoull(value.c_str(), nullptr, 10);
  } else if (option == "--weights-as") {
    into.weights = value;
  } else if (option == "--caches-as") {
    into.caches = value;
  } else if (option == "--isa") {
    into.isas.push_back(value);
  } else if (option == "--without") {
    into.without.emplace_back();
    std::stringstream pieces(value);
    for (std::string piece; std::getline(pieces, piece, ',');)
      into.without.back().push_back(piece);
  } else {
    return "`" + option + "` is no option of a trial";
  }
  return "";
}

/// What a line `# try:` says; what is wrong with it, if something is.
static std::string takeLine(const std::string &line, Subject &into) {
  std::stringstream words(line);
  for (std::string option, value; words >> option;) {
    if (option == "--quick") {
      into.optimized = false;
      continue;
    }
    if (option == "--chunks") {
      into.chunks = true;
      continue;
    }
    auto known = std::ranges::find(drawnOptions, option, &DrawnOption::option);
    if (known != std::end(drawnOptions)) {
      into.*known->drawn = true;
      continue;
    }
    words >> value;
    if (std::string problem = take(option, value, into); !problem.empty())
      return problem;
  }
  return "";
}

std::string readSubjects(const std::string &path, std::vector<Subject> &into) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  if (!file)
    return path + ": cannot be read";
  std::string text = all.str();
  std::vector<std::string> lines;
  for (size_t at; (at = text.find("# try:")) != std::string::npos;) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at + 6, end - at - 6));
    text.erase(0, end + 1); // what stands above it is said anew
  }
  if (lines.empty())
    lines.emplace_back();
  for (const std::string &line : lines) {
    Subject subject;
    subject.name = path;
    subject.text = text;
    if (std::string problem = takeLine(line, subject); !problem.empty())
      return path + ": " + problem;
    into.push_back(std::move(subject));
  }
  return "";
}

} // namespace weft::reduce
