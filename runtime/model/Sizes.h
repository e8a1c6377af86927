// The sizes of a run: collected from the inputs, completed by its formulas, held against each other
// and the bounds.
#ifndef WEFT_RUNTIME_MODEL_SIZES_H
#define WEFT_RUNTIME_MODEL_SIZES_H

#include "runtime/model/Facts.h"

namespace weft::runtime {

class Sizes {
public:
  explicit Sizes(const Facts &facts);

  /// `origin` is who says so, for messages: "--set", "input tokens". Errors: a fixed or derived
  /// dimension, a size below one, or another size than was said before.
  Status set(int dimension, int64_t size, const std::string &origin);
  /// Takes the sizes of `argument` from the shape of a tensor given for it. Errors name tensor,
  /// dimension, both sizes.
  Status bind(const Argument &argument, const std::vector<int64_t> &shape,
              const std::string &origin);
  /// Derives what follows and checks everything for a run of the entry of this number: nothing it
  /// needs is unknown, what it asks of its sizes holds, derived sizes are those of the tensors
  /// bound. A dimension that the entry has no tensor of is 0.
  Status resolve(int entry);

  /// By number of dimension; whole after resolve().
  const int64_t *data() const { return sizes.data(); }
  int64_t operator[](int dimension) const { return sizes[dimension]; }
  /// The shape of an argument, and its number of elements, which resolve() found to be in range.
  std::vector<int64_t> shape(const std::vector<int> &dims) const;
  int64_t count(const std::vector<int> &dims) const;

private:
  /// A size of a derived dimension that a tensor has: compared once it is derived.
  struct Expected {
    int dimension;
    int64_t size;
    std::string origin;
  };
  Status disagree(int dimension, int64_t size, const std::string &origin) const;
  Status checkBound(int dimension) const;
  void derive();
  Status checkObligations(const Entry &entry) const;
  Status refuse(const Entry &entry, const Obligation &what, CheckedSize left,
                CheckedSize right) const;
  Status checkCount(const Argument &argument) const;
  std::vector<int> sourcesOf(int dimension) const;
  Error unknownIndex(const Argument &argument, int source) const;
  const Facts *facts;
  std::vector<int64_t> sizes; // -1: not known yet
  std::vector<std::string> origins;
  std::vector<Expected> expected;
};

} // namespace weft::runtime
#endif
