// Lines, tabs, words.
#include "runtime/data/pairs/PairFile.h"

#include "runtime/base/Philox.h"
#include "runtime/base/Utf8.h"
#include "runtime/base/files/InputFile.h"

#include <algorithm>

using namespace weft::runtime;

/// The pair of a line, or none where it is not two sentences with a tab between.
static std::optional<Pair> pairOf(std::string_view line, int64_t number, WordRules rules) {
  size_t tab = line.find('\t');
  if (tab == std::string_view::npos || line.find('\t', tab + 1) != std::string_view::npos)
    return std::nullopt;
  Pair pair{wordsOf(line.substr(0, tab), rules), wordsOf(line.substr(tab + 1), rules), number};
  return pair.source.empty() || pair.target.empty() ? std::nullopt : std::optional(std::move(pair));
}

Result<PairFile> weft::runtime::readPairs(const std::string &path, WordRules rules, int64_t most) {
  Result<WholeFile> whole = WholeFile::read(path);
  if (!whole)
    return whole.error();
  PairFile file;
  file.fingerprint = hexadecimal(streamNamed(whole->view()));
  std::string_view rest = whole->view();
  for (int64_t number = 1; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!isUtf8(line))
      return Error{Code::Value, text("%s:%lld: is not UTF-8 at byte %zu of the line", path.c_str(),
                                     wide(number), validUtf8Length(line))};
    if (std::optional<Pair> pair = pairOf(line, number, rules))
      file.pairs.push_back(std::move(*pair));
    else if (file.skipped++ == 0)
      file.firstSkipped = number;
    if (most > 0 && static_cast<int64_t>(file.pairs.size()) == most)
      break;
  }
  if (file.pairs.empty())
    return Error{Code::Value,
                 text("%s: no line of it is two sentences with a tab between", path.c_str())};
  return file;
}

std::vector<std::string>
weft::runtime::vocabularyOf(const std::vector<const std::vector<std::string> *> &sentences,
                            int64_t least, int64_t limit, const WordMarks &marks) {
  std::unordered_map<std::string, int64_t> counts;
  for (const std::vector<std::string> *sentence : sentences) {
    size_t seen =
        limit > 0 ? std::min(sentence->size(), static_cast<size_t>(limit)) : sentence->size();
    for (size_t i = 0; i < seen; ++i)
      ++counts[(*sentence)[i]];
  }
  for (const std::string *mark : {&marks.begin, &marks.end, &marks.padding, &marks.unknown})
    if (!mark->empty())
      counts[*mark] = least;
  std::vector<std::string> words;
  for (const auto &[word, count] : counts)
    if (count >= least)
      words.push_back(word);
  std::sort(words.begin(), words.end()); // of UTF-8, the order of bytes is that of code points
  return words;
}
