// What others recorded: where it is, and tests that have nothing to compare with where it is not.
#ifndef WEFT_TESTS_RECORD_RECORDEDDATA_H
#define WEFT_TESTS_RECORD_RECORDEDDATA_H

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace weft::test {

/// A file or folder of everybody's data: of `$WEFT_DATA`, else of `shared/data` beside the
/// checkout.
inline std::filesystem::path recordedData(const std::string &part) {
  const char *named = std::getenv("WEFT_DATA");
  std::filesystem::path root = named && *named ? named : WEFT_SOURCE "/../shared/data";
  return root.lexically_normal() / part;
}

/// Tests against `part` of the recorded data; skipped, with the reason, where that is absent.
/// `Base` is testing::Test, or testing::TestWithParam of something.
template <class Base = testing::Test> class AgainstRecord : public Base {
protected:
  explicit AgainstRecord(const std::string &part) : record(recordedData(part)) {}
  void SetUp() override {
    if (!std::filesystem::exists(record))
      GTEST_SKIP() << record << " is absent: nothing to compare with (WEFT_DATA names the folder, "
                   << "else it is shared/data beside the checkout)";
  }
  std::filesystem::path record;
};

} // namespace weft::test

#endif // WEFT_TESTS_RECORD_RECORDEDDATA_H
