// Simpler expressions, and values that others take the place of.
#ifndef WEFT_TOOLS_REDUCE_EDITS_EDITEXPRESSIONS_H
#define WEFT_TOOLS_REDUCE_EDITS_EDITEXPRESSIONS_H

#include "tools/reduce/edits/Edits.h"

namespace weft::reduce {

/// One expression becomes a part of itself, or a number; a call loses an option, a value one of its
/// brackets.
std::vector<Edit> simplerExpressions(const Pieces &pieces);
/// A statement `x = …` goes, and another value stands wherever `x` stood.
std::vector<Edit> othersForValues(const Pieces &pieces);
/// A statement `x = …` goes, and `…` stands where `x` stood, if that is one place.
std::vector<Edit> inlinedValues(const Pieces &pieces);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EDITS_EDITEXPRESSIONS_H
