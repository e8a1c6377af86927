// Greedy, over kinds of edits, until none of them goes any further.
#include "tools/reduce/Shrink.h"

#include "frontend/format/Formatter.h"
#include "tools/reduce/Child.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/reduce/edits/Edits.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace weft::reduce {

std::string tidied(const std::string &text) {
  SourceManager sources;
  Diagnostics diagnostics;
  std::string result =
      format(sources, sources.add("tidied.weft", text), diagnostics).value_or(text);
  // Edits leave empty lines behind.
  std::string tight;
  for (size_t begin = 0; begin < result.size();) {
    size_t end = result.find('\n', begin);
    end = end == std::string::npos ? result.size() : end;
    if (result.find_first_not_of(" \t", begin) < end)
      tight += result.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return tight;
}

size_t lineCount(const std::string &text) {
  return size_t(std::count(text.begin(), text.end(), '\n'));
}

namespace {
using Clock = std::chrono::steady_clock;

class Shrinker {
public:
  Shrinker(Subject subject, const Verdict &verdict, const ShrinkOptions &options)
      : options(options), signature(verdict.signature()),
        end(Clock::now() + std::chrono::milliseconds(int64_t(1000 * options.totalSeconds))) {
    result.subject = std::move(subject);
    result.verdict = verdict;
  }

  Shrunk run() {
    settings();
    result.subject.text = tidied(result.subject.text);
    for (bool changed = true; changed && !late();) {
      changed = false;
      for (const EditKind &kind : editKinds())
        changed |= edits(kind);
      changed |= rows();
    }
    Subject formatted = result.subject;
    formatted.text = tidied(formatted.text);
    keeps(std::move(formatted), "format");
    result.finished = !late();
    return std::move(result);
  }

private:
  bool late() const { return Clock::now() >= end; }

  /// Whether it still fails in the same way; then it is the smallest so far.
  bool keeps(Subject subject, const char *kind) {
    if (late() || !tried.insert(keyOf(subject)).second)
      return false;
    ++result.tried;
    Verdict verdict =
        options.attempt ? options.attempt(subject) : attemptInChild(subject, options.trialSeconds);
    bool same = verdict.isFault() && verdict.signature() == signature;
    if (same) {
      ++result.kept;
      result.subject = std::move(subject);
      result.verdict = verdict;
    }
    if (options.show)
      options.show(kind, lineCount(result.subject.text), result.tried, result.kept);
    return same;
  }

  static std::string keyOf(const Subject &subject) {
    std::string key = subject.text;
    for (const SizeMap &row : subject.sizes) {
      key += "\n;";
      for (auto &[name, size] : row)
        key += name + "=" + std::to_string(size) + ",";
    }
    for (const std::string &isa : subject.isas)
      key += "\n:" + isa;
    key += subject.schedules ? "s" : "";
    key += subject.chunks ? "c" : "";
    key += subject.gradients ? "g" : "";
    key += subject.differences ? "d" : "";
    key += subject.optimized ? "o" : "";
    key += std::to_string(subject.without.size()) + (subject.onlyWithout ? "o" : "");
    return key;
  }

  /// What costs time and may have nothing to do with it goes first.
  void settings() {
    auto change = [&](auto edit) {
      Subject subject = result.subject;
      edit(subject);
      keeps(std::move(subject), "settings");
    };
    change([](Subject &s) { s.optimized = false; });
    change([](Subject &s) { s.without.clear(); });
    if (result.subject.schedules)
      change([](Subject &s) { s.schedules = 0; });
    if (result.subject.chunks)
      change([](Subject &s) { s.chunks = false; });
    change([](Subject &s) { s.differences = false; });
    change([](Subject &s) { s.gradients = false; });
    for (const std::string &isa : setsOfMachine(*targetNamed(result.subject.target)))
      if (result.subject.isas.empty())
        change([isa](Subject &s) { s.isas = {isa}; });
    for (size_t i = 0; result.subject.sizes.size() > 1 && i < result.subject.sizes.size(); ++i)
      change([i](Subject &s) { s.sizes = {s.sizes[i]}; });
  }

  bool edits(const EditKind &kind) {
    bool changed = false;
    size_t at = 0;
    for (bool again = true; again && !late();) {
      again = false;
      Pieces pieces(result.subject.text);
      std::vector<Edit> all = kind.all(pieces);
      for (; at < all.size() && !late(); ++at) {
        Subject subject = result.subject;
        subject.text = all[at].applied(subject.text);
        if (keeps(std::move(subject), kind.name)) {
          changed = again = true;
          break; // places have moved; go on from here, what came before was tried
        }
      }
    }
    return changed;
  }

  /// Runs at fewer and smaller sizes.
  bool rows() {
    bool changed = false;
    for (size_t i = 0; i < result.subject.sizes.size() && result.subject.sizes.size() > 1;) {
      Subject subject = result.subject;
      subject.sizes.erase(subject.sizes.begin() + int64_t(i));
      bool kept = keeps(std::move(subject), "runs");
      changed |= kept;
      i += kept ? 0 : 1;
    }
    for (size_t i = 0; i < result.subject.sizes.size(); ++i) {
      SizeMap row = result.subject.sizes[i];
      for (auto &[name, size] : row)
        for (int64_t smaller : {int64_t(1), int64_t(2), int64_t(3), size / 2, size - 1})
          if (smaller >= 1 && smaller < result.subject.sizes[i][name]) {
            Subject subject = result.subject;
            subject.sizes[i][name] = smaller;
            changed |= keeps(std::move(subject), "runs");
          }
    }
    return changed;
  }

  const ShrinkOptions &options;
  std::string signature;
  Clock::time_point end;
  Shrunk result;
  std::set<std::string> tried;
};
} // namespace

Shrunk shrink(Subject subject, const Verdict &verdict, const ShrinkOptions &options) {
  return Shrinker(std::move(subject), verdict, options).run();
}

} // namespace weft::reduce
