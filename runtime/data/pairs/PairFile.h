// A file of sentences and their translations, read as words.
#ifndef WEFT_RUNTIME_DATA_PAIRS_PAIRFILE_H
#define WEFT_RUNTIME_DATA_PAIRS_PAIRFILE_H

#include "runtime/base/Error.h"
#include "runtime/text/words/Words.h"

namespace weft::runtime {

struct Pair {
  std::vector<std::string> source, target; // words
  int64_t line;                            // where it stands, from 1
};

struct PairFile {
  std::vector<Pair> pairs;
  int64_t skipped = 0, firstSkipped = 0; // lines that are no pair, and which was the first
  std::string fingerprint = {};          // of the whole file
};

/// Reads `source TAB target` lines, at most `most` pairs of them (0: all). A line that is not two
/// sentences with one tab between is skipped and counted. Errors: bytes that are no UTF-8, by line;
/// no pair at all.
Result<PairFile> readPairs(const std::string &path, WordRules rules, int64_t most);

/// The words that occur at least `least` times in the first `limit` words of each sentence (0: in
/// all), and the marks, in code-point order.
std::vector<std::string>
vocabularyOf(const std::vector<const std::vector<std::string> *> &sentences, int64_t least,
             int64_t limit, const WordMarks &marks);

} // namespace weft::runtime
#endif
