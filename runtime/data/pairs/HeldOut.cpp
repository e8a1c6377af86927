// Splitting a file of pairs.
#include "runtime/data/pairs/HeldOut.h"

#include "runtime/base/Philox.h"

#include <algorithm>

using namespace weft::runtime;

/// A number for each pair that looks random, and is the same for all pairs of one source.
static std::vector<uint64_t> drawsOf(const PairFile &file) {
  std::vector<uint64_t> draws;
  for (const Pair &pair : file.pairs) {
    std::string source;
    for (const std::string &word : pair.source)
      source += word + " ";
    std::array<uint32_t, 4> draw = RandomStream(0, streamNamed("held out")).at(streamNamed(source));
    draws.push_back(static_cast<uint64_t>(draw[1]) << 32 | draw[0]);
  }
  return draws;
}

Result<HeldOut> weft::runtime::holdOut(const PairFile &file, const Options &options,
                                       bool everything) {
  auto count = static_cast<int64_t>(file.pairs.size());
  std::vector<int64_t> order;
  for (int64_t i = 0; i < count; ++i)
    order.push_back(i);
  if (everything)
    return HeldOut{{}, order, {}};
  Result<int64_t> test = options.integer("test-on", 0, 0, INT64_MAX),
                  validation = options.integer("validate-on", count / 10, 0, INT64_MAX);
  if (!test || !validation)
    return !test ? test.error() : validation.error();
  std::string which = options.string("held-out", "last");
  if (which != "last" && which != "random")
    return Error{Code::Usage, text("--held-out %s: expected last or random", which.c_str())};
  if (*test >= count || *validation >= count - *test)
    return Error{Code::Value, text("none of its %lld pairs is left to train on: %lld to validate "
                                   "on and %lld to test on are held out",
                                   wide(count), wide(*validation), wide(*test))};
  std::vector<uint64_t> draws;
  if (which == "random") {
    draws = drawsOf(file);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return std::pair(draws[static_cast<size_t>(a)], a) <
             std::pair(draws[static_cast<size_t>(b)], b);
    });
  }
  HeldOut held;
  auto isOf = [&](int64_t position, int64_t begin, int64_t end) { // a group goes where it begins
    while (!draws.empty() && position > 0 &&
           draws[static_cast<size_t>(order[static_cast<size_t>(position)])] ==
               draws[static_cast<size_t>(order[static_cast<size_t>(position - 1)])])
      --position;
    return position >= begin && position < end;
  };
  int64_t trained = count - *test - *validation;
  for (int64_t i = 0; i < count; ++i)
    (isOf(i, 0, trained)               ? held.train
     : isOf(i, trained, count - *test) ? held.validation
                                       : held.test)
        .push_back(order[static_cast<size_t>(i)]);
  for (std::vector<int64_t> *split : {&held.train, &held.validation, &held.test})
    std::sort(split->begin(), split->end());
  return held;
}
