// What nearly every file without MLIR includes; precompiled once.
#ifndef WEFT_FRONTEND_PRECOMPILED_H
#define WEFT_FRONTEND_PRECOMPILED_H

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#endif // WEFT_FRONTEND_PRECOMPILED_H
