// Reading the options of a search.
#include "runtime/program/SearchOptions.h"

using namespace weft::runtime;

Result<const Decoding *> weft::runtime::chooseDecoding(const Facts &facts, const Options &options) {
  std::string name = options.string("entry");
  return findDecoding(facts, options.has("entry") ? name.c_str() : nullptr);
}

int64_t weft::runtime::usualTokens(const Decoding &decoding) {
  constexpr int64_t otherwise = 100;
  return decoding.max.value_or(otherwise);
}

Result<SearchSettings> weft::runtime::readSearch(const Options &options, const Decoding &decoding) {
  Result<int64_t> beams = options.integer("beam", 1, 1, 1024);
  Result<double> penalty = options.real("length-penalty", 0, 0, 100);
  if (!beams || !penalty)
    return !beams ? beams.error() : penalty.error();
  SearchSettings settings;
  settings.beams = *beams;
  settings.lengthPenalty = *penalty;
  settings.maxTokens = usualTokens(decoding);
  return settings;
}
