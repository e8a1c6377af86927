// What nearly every test includes; precompiled once.
#ifndef WEFT_TESTS_PRECOMPILED_H
#define WEFT_TESTS_PRECOMPILED_H

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#endif // WEFT_TESTS_PRECOMPILED_H
