// Tunings as text: what is read is not trusted.
#include "ir/cpu/tuning/Tunings.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MD5.h"

#include <cmath>

using llvm::StringRef;

namespace weft::cpu {
namespace {

/// No field is longer; what a schedule says takes some 250 characters.
constexpr size_t longest = 2000;

/// All but the last line, as it is written.
std::string bodyOf(const Tuning &tuning) {
  return llvm::formatv(
      "kernel {0} {1}\n  on {2}, {3}\n  by {4}\n  sizes {5}\n"
      "  default {6:f2} us {7}\n  tuned {8:f2} us {9}\n  pairs {10}, untried {11}\n",
      tuning.kernel, tuning.what, tuning.set, tuning.machine, tuning.by, tuning.sizes,
      tuning.usualMicroseconds, tuning.usual, tuning.tunedMicroseconds, tuning.tuned, tuning.pairs,
      tuning.untried);
}

std::string sumOf(StringRef body) {
  llvm::MD5 hash;
  hash.update(body);
  llvm::MD5::MD5Result result = hash.final();
  return result.digest().str().take_front(8).str();
}

/// The lines of one entry, and what is wrong with it.
class Reader {
public:
  Reader(llvm::ArrayRef<StringRef> lines, unsigned first) : lines(lines), first(first) {}

  std::optional<Tuning> read() {
    Tuning result;
    result.line = first;
    StringRef rest = take("kernel ");
    std::tie(result.kernel, result.what) = pair(rest, " ");
    std::tie(result.set, result.machine) = pair(take("  on "), ", ");
    result.by = take("  by ").str();
    result.sizes = take("  sizes ").str();
    std::tie(result.usualMicroseconds, result.usual) = timed(take("  default "));
    std::tie(result.tunedMicroseconds, result.tuned) = timed(take("  tuned "));
    auto [pairs, untried] = pair(take("  pairs "), ", untried ");
    result.pairs = count(pairs);
    result.untried = count(untried);
    StringRef sum = take("  sum ");
    if (!why.empty())
      return std::nullopt;
    if (at != lines.size())
      return fail("there is more than an entry has: `" + shown(lines[at]) + "`"), std::nullopt;
    // Of the lines as they stand: `1.50` that has become `1.5` is not as it was written either.
    if (sum != sumOf(llvm::join(lines.drop_back(), "\n") + "\n"))
      return fail("it is not as it was written: its sum is not `" + shown(sum) + "`"), std::nullopt;
    return result;
  }

  TuningProblem problem() const { return {first + where, why}; }

private:
  void fail(const llvm::Twine &text) {
    if (why.empty()) {
      why = text.str();
      where = at == 0 ? 0 : unsigned(at - 1);
    }
  }

  /// Printable, and no longer than a person wants to read.
  static std::string shown(StringRef text) {
    constexpr size_t enough = 60;
    std::string result;
    llvm::raw_string_ostream out(result);
    llvm::printEscapedString(text.take_front(enough), out);
    return result;
  }

  StringRef take(StringRef start) {
    if (!why.empty())
      return "";
    StringRef line = at < lines.size() ? lines[at] : "";
    ++at;
    if (line.size() > longest)
      fail("its line is longer than " + llvm::Twine(longest) + " characters");
    else if (!line.consume_front(start) || line.empty())
      fail("expected `" + start.trim() + " …`");
    return line;
  }

  std::pair<std::string, std::string> pair(StringRef text, StringRef between) {
    auto [one, other] = text.split(between);
    if (one.empty() || other.empty())
      fail("expected two things, with `" + between + "` between");
    return {one.str(), other.str()};
  }

  int64_t count(StringRef text) {
    int64_t number = 0;
    if (why.empty() && (text.getAsInteger(10, number) || number < 0))
      fail("`" + shown(text) + "` is no whole number from 0");
    return number;
  }

  std::pair<double, std::string> timed(StringRef text) {
    auto [number, schedule] = text.split(" us ");
    double microseconds = 0;
    if (why.empty() && (number.getAsDouble(microseconds) || !std::isfinite(microseconds) ||
                        microseconds <= 0 || schedule.empty()))
      fail("expected a time and a schedule: `12.3 us #cpu.…`");
    return {microseconds, schedule.str()};
  }

  llvm::ArrayRef<StringRef> lines;
  unsigned first, where = 0;
  size_t at = 0;
  std::string why;
};
} // namespace

std::string writeTuning(const Tuning &tuning) {
  std::string body = bodyOf(tuning);
  return body + "  sum " + sumOf(body) + "\n";
}

std::string writeTunings(const std::vector<Tuning> &tunings) {
  std::string text = "# Schedules that `weft tune` has found; for `weft build --tuned FILE`.\n";
  for (const Tuning &each : tunings)
    text += writeTuning(each);
  return text;
}

ReadTunings readTunings(StringRef text) {
  ReadTunings result;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size();) {
    size_t begin = i++;
    StringRef line = lines[begin];
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    while (i < lines.size() && lines[i].starts_with("  "))
      ++i;
    Reader reader(llvm::ArrayRef(lines).slice(begin, i - begin), unsigned(begin) + 1);
    if (std::optional<Tuning> tuning = reader.read())
      result.tunings.push_back(std::move(*tuning));
    else
      result.problems.push_back(reader.problem());
  }
  return result;
}

} // namespace weft::cpu
