// What nearly every file of the runtime includes; precompiled once.
#ifndef WEFT_RUNTIME_PRECOMPILED_H
#define WEFT_RUNTIME_PRECOMPILED_H

#include "runtime/base/Json.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#endif // WEFT_RUNTIME_PRECOMPILED_H
