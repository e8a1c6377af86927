// What a build-time value must be like to stand where another stood.
#pragma once

#include "frontend/configure/Static.h"

namespace weft {

/// What a place whose default is `like` takes: "a whole number", "a function like `relu`".
std::string kindOf(const Static &like);
/// Whether `value` may stand there. A whole default is used as one: as a count, as an index.
bool isOfKind(const Static &value, const Static &like);

} // namespace weft
