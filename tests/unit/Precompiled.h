// What nearly every test of the compiler includes; precompiled once.
#ifndef WEFT_TESTS_UNIT_PRECOMPILED_H
#define WEFT_TESTS_UNIT_PRECOMPILED_H

#include "codegen/Precompiled.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#endif // WEFT_TESTS_UNIT_PRECOMPILED_H
