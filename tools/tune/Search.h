// The search for the best of a kernel's schedules, by pairs of runs.
//
// A machine that others use is off by 15 % from moment to moment, so nothing is compared that did
// not run in the same moments: a candidate and the default take turns, and what counts is the
// median of the ratios. What was chosen among many is the luckiest of them too, so it replaces the
// default only if a second series, which knows nothing of the first, says so as well.
#ifndef WEFT_TOOLS_TUNE_SEARCH_H
#define WEFT_TOOLS_TUNE_SEARCH_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::tune {

/// What a search asks of the world: a kernel on this machine, or what a test makes up.
class Bench {
public:
  virtual ~Bench() = default;
  /// Seconds since some moment.
  virtual double now() = 0;
  /// Whether the user wants it to end.
  virtual bool interrupted() = 0;
  struct Ready {
    bool refused = false; ///< there is no code of it, `why` says why
    bool wrong = false;   ///< it computes something else: a fault of Weft
    std::string why;
  };
  /// Makes a candidate the one that `pair` runs.
  virtual Ready prepare(size_t candidate) = 0;
  struct Pair {
    double usual, candidate; ///< seconds, both above 0
  };
  /// Runs the default and the candidate, one right behind the other.
  virtual Pair pair() = 0;
};

struct Rules {
  double prunedAbove = 1.5;    ///< predicted time, relative to the least predicted one
  int64_t least = 3, most = 7; ///< pairs of the first series: of losers, and of others
  double loses = 1;            ///< median ratio after `least` pairs from which on it is a loser
  double gain = 0.97;          ///< median ratio of a winner at most
  int64_t confirming = 20;     ///< pairs of the second series,
  /// of which so many must be faster: by luck alone that happens once in 170 times.
  int64_t faster = 16;
  size_t finalists = 3;
  double exploring = 0.7; ///< of the time; the rest is for second series
};

enum class Verdict {
  usual,
  pruned,
  before,
  untried,
  refused,
  wrong,
  slower,
  close,
  unconfirmed,
  chosen
};
/// "slower", as tables say it; "before": an earlier search has tried it.
std::string verdictName(Verdict verdict);

/// What became of a candidate.
struct Tried {
  Verdict verdict = Verdict::untried;
  double predicted = 1; ///< time relative to the default's
  double measured = 0;  ///< the same, median of the last series; 0: it did not run
  int64_t pairs = 0;    ///< of the last series
  std::string why;      ///< of what was refused, or is wrong
};

struct Found {
  size_t best = 0;          ///< a candidate; 0 is the default
  double ratio = 1;         ///< its time relative to the default's, by the second series alone
  int64_t pairs = 0;        ///< of the second series
  bool complete = false;    ///< all that was not pruned has been tried
  bool cut = false;         ///< the time was over in the middle of a second series
  std::vector<Tried> tried; ///< by candidate

  size_t count(Verdict verdict) const;
};

/// Tries candidates until all are, `until` has come, or the user wants an end. `predicted` has the
/// time of each, 0 the default, in any unit; the default is never pruned. An earlier search has
/// tried all but the `left` that are predicted to be the slowest of those that are not pruned.
Found search(Bench &bench, const std::vector<double> &predicted, double until,
             const Rules &rules = {}, size_t left = SIZE_MAX);

/// What of the time that is left the first of `weights` gets; later ones get what it leaves.
double allotted(double left, const std::vector<double> &weights, size_t number);

double median(std::vector<double> values);

/// Spearman's rank correlation of what was predicted with what was measured; nothing of fewer than
/// three candidates, or where one of both is the same for all.
std::optional<double> agreement(const std::vector<Tried> &tried);

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_SEARCH_H
