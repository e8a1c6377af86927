// `weft reduce`: makes a program that fails as small as it goes on failing.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/StorageOptions.h"

#include "ir/model/Precision.h"
#include "ir/model/weights/WeightsAs.h"
#include "passes/Pipeline.h"
#include "tools/reduce/Child.h"
#include "tools/reduce/Shrink.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/reduce/subject/Repeat.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/base/files/ReadFiles.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unistd.h>

namespace weft {
namespace {
using reduce::Subject;

/// A number of an option; nothing, and a word, where it is none.
std::optional<double> numberOf(const Arguments &arguments, const char *name, double fallback) {
  std::string text = arguments.get(name);
  double value = fallback;
  auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
  if (text.empty() || (end == text.data() + text.size() && value >= 0))
    return value;
  fmt::print(stderr, "weft reduce: --{} takes a number, not `{}`\n", name, text);
  return std::nullopt;
}

std::vector<std::string> pieces(const std::string &text) {
  std::vector<std::string> result;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

/// What the command line says over what the file says. False, and a word, where it makes no sense.
bool take(const Arguments &arguments, Subject &subject) {
  auto refuse = [](const std::string &why) {
    fmt::print(stderr, "weft reduce: {}\n", why);
    return false;
  };
  if (arguments.has("config"))
    subject.settings.config = arguments.get("config");
  for (const std::string &given : arguments.all("set"))
    for (const std::string &piece : pieces(given)) {
      size_t at = piece.find('=');
      if (at == std::string::npos || at == 0 || at + 1 == piece.size())
        return refuse("--set takes NAME=VALUE, not `" + piece + "`");
      subject.settings.set.push_back({piece.substr(0, at), piece.substr(at + 1)});
    }
  if (arguments.has("size"))
    subject.sizes.clear();
  for (const std::string &row : arguments.all("size")) {
    subject.sizes.emplace_back();
    if (std::string problem = reduce::readSizes(row, subject.sizes.back()); !problem.empty())
      return refuse("--size: " + problem);
  }
  for (const std::string &given : arguments.all("without")) {
    subject.without.push_back(pieces(given));
    for (const std::string &pass : subject.without.back())
      if (!isPass(pass))
        return refuse("there is no pass `" + pass + "`; `weft show --passes` lists them");
  }
  subject.target = arguments.get("target", subject.target);
  const Target *target = targetNamed(subject.target);
  if (!target)
    return refuse("there is no target `" + subject.target + "`");
  subject.precision = arguments.get("precision", subject.precision);
  if (!model::precisionNamed(subject.precision))
    return refuse("there is no precision `" + subject.precision + "`; it is " +
                  model::precisionNames());
  subject.weights = arguments.get("weights-as", subject.weights);
  if (std::string problem;
      !subject.weights.empty() && !model::readWeightsAs(subject.weights, problem))
    return refuse("--weights-as: " + problem);
  if (!subject.weights.empty() && !readsPanels(*target))
    return refuse("--weights-as: kernels of the target `" + subject.target +
                  "` read no weights that are whole numbers");
  subject.caches = arguments.get("caches-as", subject.caches);
  if (!subject.caches.empty()) {
    std::optional<model::CacheFormat> format = model::cacheFormatNamed(subject.caches);
    if (!format)
      return refuse(fmt::format("--caches-as: caches are kept as {}, not as `{}`",
                                model::cacheFormatNames, subject.caches));
    if (auto problem =
            wrongCaches("--caches-as", *format, *model::precisionNamed(subject.precision), *target))
      return refuse(*problem);
  }
  if (arguments.has("isa"))
    subject.isas.clear();
  for (const std::string &isa : arguments.all("isa")) {
    if (!llvm::is_contained(target->instructionSets(), isa))
      return refuse("--isa takes " + llvm::join(target->instructionSets(), " or ") + ", not `" +
                    isa + "`");
    if (std::string why = reduce::whyNotThose({isa}); !why.empty() && target != &cpuTarget())
      return refuse(why);
    subject.isas.push_back(isa);
  }
  std::optional<double> seed = numberOf(arguments, "seed", double(subject.seed));
  if (!seed)
    return false;
  subject.seed = uint64_t(*seed);
  std::optional<double> schedules = numberOf(arguments, "schedules", double(subject.schedules));
  if (!schedules)
    return false;
  subject.schedules = uint64_t(*schedules);
  subject.ties |= arguments.has("ties");
  subject.extreme |= arguments.has("extreme");
  subject.chunks |= arguments.has("chunks");
  if (arguments.has("quick"))
    subject.optimized = false;
  return true;
}
/// The program, and the files that it uses.
void noteSources(const std::string &path) {
  SourceManager sources;
  Diagnostics ignored;
  loadProgram(path, sources, ignored);
  noteFiles(sources);
}
} // namespace

int runReduce(const Arguments &arguments) {
  const std::string &path = arguments.positional.at(0);
  std::string out = arguments.get("output");
  std::vector<Subject> subjects;
  if (std::string problem = reduce::readSubjects(path, subjects); !problem.empty()) {
    fmt::print(stderr, "weft reduce: {}\n", problem);
    return exitUser;
  }
  Subject &subject = subjects.front();
  if (subjects.size() > 1)
    fmt::print(stderr, "weft reduce: {} has {} lines `# try:`, of which the first is taken\n", path,
               subjects.size());
  std::optional<double> seconds = numberOf(arguments, "seconds", 600),
                        limit = numberOf(arguments, "limit", reduce::usualLimit);
  if (!seconds || !limit || !take(arguments, subject))
    return exitUsage;
  if (std::string said = reduce::aboutLacking(*targetNamed(subject.target), subject.isas);
      !said.empty())
    fmt::print(stderr, "weft reduce: {}\n", said);
  noteSources(path);
  std::vector<runtime::NamedOutput> outputs; // none: it is printed
  if (arguments.has("output"))
    outputs.push_back({"output", out});
  if (runtime::Status kept = runtime::ReadFiles::checkOutputs(outputs); !kept) {
    fmt::print(stderr, "weft reduce: {}\n", kept.error().message);
    return exitUsage;
  }
  reduce::Verdict verdict = reduce::attemptInChild(subject, *limit);
  if (!verdict.isFault()) {
    fmt::print("{}: {}{}{}\n", path, reduce::nameOf(verdict.kind), verdict.what.empty() ? "" : ": ",
               verdict.what);
    bool right = verdict.kind == reduce::Kind::right || verdict.kind == reduce::Kind::refused;
    fmt::print("{}\n",
               right ? "it does not fail: nothing to reduce (other sizes: --size, numbers: --seed)"
                     : "the program is refused, as it should be: nothing to reduce");
    return exitUser;
  }
  fmt::print("{}: {}: {}: {}\n", path, reduce::nameOf(verdict.kind), verdict.where, verdict.what);
  bool terminal = isatty(STDOUT_FILENO);
  size_t shown = reduce::lineCount(subject.text);
  auto show = [&](const std::string &kind, size_t lines, unsigned tried, unsigned kept) {
    if (terminal)
      fmt::print("\r{} lines, {} of {} tries kept ({})\033[K", lines, kept, tried, kind);
    else if (lines < shown)
      fmt::print("{} lines after {} tries ({})\n", lines, tried, kind);
    shown = std::min(shown, lines);
    std::fflush(stdout);
  };
  size_t before = reduce::lineCount(subject.text);
  std::fflush(stdout);
  reduce::Shrunk small = reduce::shrink(std::move(subject), verdict, {*limit, *seconds, {}, show});
  fmt::print("{}{} lines of {}, {} tries{}\n", terminal ? "\r\033[K" : "",
             reduce::lineCount(small.subject.text), before, small.tried,
             small.finished ? "" : "; time is up, `--seconds` gives more");
  std::string text = reduce::withHeader(small.subject, small.verdict, "reduced from " + path);
  if (out.empty()) {
    fmt::print("{}", text);
  } else if (runtime::Status written = runtime::writeFile(out, text); !written) {
    fmt::print(stderr, "weft reduce: {}\n", written.error().message);
    return exitUser;
  }
  fmt::print("again: weft reduce {}\n", out.empty() ? "FILE, with these lines in it" : out);
  return exitOk;
}

} // namespace weft
