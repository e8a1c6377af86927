// What the functions become on a GPU: they call nothing, and round as IEEE 754 says.
#include "DeviceMath.h"

#include <gtest/gtest.h>
#include <regex>

using namespace weft;
using namespace weft::test;

namespace {

class DeviceMath : public testing::TestWithParam<std::string> {
protected:
  const cuda::Device &device() {
    for (const cuda::Device &each : cuda::devices())
      if (each.name == GetParam())
        return each;
    llvm_unreachable("a parameter is the name of a device");
  }
};

/// The texts in `ptx` that match.
std::vector<std::string> found(const std::string &ptx, const char *pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator at(ptx.begin(), ptx.end(), expression), end; at != end; ++at)
    all.push_back(at->str());
  return all;
}

const std::vector<std::string> none;

TEST_P(DeviceMath, NothingIsCalled) {
  std::string ptx = devicePtx(deviceFunctions(), device());
  EXPECT_EQ(found(ptx, R"(\.extern[^\n]*|\.func[^\n]*|\bcall\b[^\n]*)"), none);
  EXPECT_EQ(found(ptx, R"(\.entry)").size(), deviceFunctions().size());
}

// An operation that does not say how it rounds may be joined with another by who assembles it.
TEST_P(DeviceMath, EveryOperationRoundsAsIeeeSays) {
  std::string ptx = devicePtx(deviceFunctions(), device());
  EXPECT_EQ(found(ptx, R"([a-z0-9.]*\.(ftz|approx|full)\b[a-z0-9.]*)"), none);
  EXPECT_EQ(found(ptx, R"(\b(add|sub|mul|div|sqrt|fma|rcp)\.(f32|f64)\b[^\n]*)"), none);
  for (const DeviceFunction &each : deviceFunctions()) {
    auto count = [ptx = devicePtx(each, device())](const char *pattern) {
      return found(ptx, pattern).size();
    };
    llvm::StringRef name = each.name;
    SCOPED_TRACE(each.name);
    if (name.starts_with("quotient"))
      EXPECT_EQ(count(R"(\bdiv\.rn\.f(32|64)\b)"), 1u);
    if (name.starts_with("sqrt") || name.starts_with("rsqrt"))
      EXPECT_EQ(count(R"(\bsqrt\.rn\.f(32|64)\b)"), 1u);
    if (name.starts_with("rounded")) {
      EXPECT_EQ(count(R"(\bmul\.rn\.f(32|64)\b)"), 1u);
      EXPECT_EQ(count(R"(\badd\.rn\.f(32|64)\b)"), 1u);
      EXPECT_EQ(count(R"(\bfma\b)"), 0u);
    }
    if (name.starts_with("contracted"))
      EXPECT_EQ(count(R"(\bfma\.rn\.f(32|64)\b)"), 1u);
  }
}

INSTANTIATE_TEST_SUITE_P(Device, DeviceMath, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const cuda::Device &each : cuda::devices())
                             names.push_back(each.name.str());
                           return names;
                         }()),
                         [](const auto &info) { return info.param; });

} // namespace
