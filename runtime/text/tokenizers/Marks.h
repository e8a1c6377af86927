// Marks that are spelled in a text: where they are, and the text between them.
#ifndef WEFT_RUNTIME_TEXT_TOKENIZERS_MARKS_H
#define WEFT_RUNTIME_TEXT_TOKENIZERS_MARKS_H

#include "runtime/text/tokenizers/PrefixTrie.h"

namespace weft::runtime {

/// Takes a text apart at marks, the longest that begin at the leftmost place. Use:
///   for (MarkedText rest(marks, text); rest.next();) { rest.before(); rest.mark(); }
class MarkedText {
public:
  MarkedText(const PrefixTrie &marks, std::string_view text) : marks(marks), rest(text) {}
  /// Goes on to the next mark, or to the end of the text; false when that was already reached.
  bool next() {
    if (done)
      return false;
    for (size_t i = 0; i < rest.size(); ++i) {
      PrefixTrie::Match match = marks.longest(rest.substr(i));
      if (match.length == 0)
        continue;
      text = rest.substr(0, i);
      found = match.value;
      rest.remove_prefix(i + match.length);
      return true;
    }
    text = rest;
    found = PrefixTrie::none;
    done = true;
    return true;
  }
  std::string_view before() const { return text; }
  /// The value of the mark, or PrefixTrie::none at the end of the text.
  int32_t mark() const { return found; }

private:
  const PrefixTrie &marks;
  std::string_view rest, text;
  int32_t found = PrefixTrie::none;
  bool done = false;
};

} // namespace weft::runtime
#endif
