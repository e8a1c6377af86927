// What fuzzers hold their readers to.
#pragma once

#include <cstdlib>

/// Stops the fuzzer: what is fuzzed promised something else.
inline void require(bool holds) {
  if (!holds)
    abort();
}
