// The numbers that sizes which come with the data are taken for, where something is predicted.
#ifndef WEFT_TOOLS_WEFT_SIZES_TAKENSIZES_H
#define WEFT_TOOLS_WEFT_SIZES_TAKENSIZES_H

#include "ir/model/Dims.h"

#include <map>
#include <set>

namespace weft {

/// Those that are given; else bounds where there are some, otherwise a guess.
class TakenSizes {
public:
  TakenSizes(const model::Dims &dims, const std::map<std::string, int64_t> &given)
      : dims(dims), given(given) {}

  int64_t number(const Size &size);
  /// " where batch = 4, seq = 64": what was taken for something so far.
  std::string where() const;
  /// What is wrong with those given: no such size comes with the data, or it is not that large.
  std::optional<std::string> problem() const;

private:
  const model::Dims &dims;
  std::map<std::string, int64_t> given;
  std::set<std::string> asked;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SIZES_TAKENSIZES_H
