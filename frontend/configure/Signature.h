// What a build-time value must be like to stand where another stood.
#pragma once

#include "frontend/configure/Static.h"

namespace weft {

/// What the place takes ("a number", "a function like `relu`"), if `value` is not of the kind of
/// `like`; nothing if it fits. Functions fit if they have the same number of dimensions, the
/// same typed arguments and the same result, and own no parameters where the other owns none.
std::optional<std::string> mismatch(const Static &value, const Static &like);

} // namespace weft
