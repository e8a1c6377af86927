// Simpler texts of a program: each edit is one thing to try.
#ifndef WEFT_TOOLS_REDUCE_EDITS_EDITS_H
#define WEFT_TOOLS_REDUCE_EDITS_EDITS_H

#include "tools/reduce/edits/Pieces.h"

namespace weft::reduce {

/// Spans of the text, none within another, and what comes in their place.
struct Edit {
  std::vector<std::pair<Span, std::string>> changes;

  std::string applied(std::string_view text) const;
};

/// A kind of edit. All that `pieces` allow, the largest first; whether the result is a program at
/// all is for the trial to say.
struct EditKind {
  const char *name; ///< as progress says it: "declarations"
  std::vector<Edit> (*all)(const Pieces &pieces);
};

/// In the order in which they are tried.
const std::vector<EditKind> &editKinds();

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EDITS_EDITS_H
