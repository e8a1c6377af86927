// Tensors on the command line: `--input q='[[1, 0], [0, 1]]'`.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_LITERAL_H
#define WEFT_RUNTIME_PROGRAM_RUN_LITERAL_H

#include "runtime/model/Facts.h"

namespace weft::runtime {

/// Nested lists of numbers or of true and false, or one of them, as JSON; "inf", "-inf" and "nan"
/// in quotes.
struct Literal {
  enum class Kind { Switches, Wholes, Numbers };
  std::string name;
  std::vector<int64_t> shape;
  std::vector<double> values; // row-major
  Kind kind = Kind::Switches; // the least that holds all values
};

/// Reads NAME=JSON. Errors say where lists differ in length or depth, and what is no number.
Result<Literal> readLiteral(const std::string &given);
/// Every one of an option; a name that comes twice is an error.
Result<std::vector<Literal>> readLiterals(const std::vector<std::string> &given);

/// Writes the values as elements of `argument`. Errors: a fraction for an int, a number for a bool,
/// one that its type cannot hold.
Status store(const Literal &literal, const Argument &argument, void *target);

/// Whether the values may stand for an argument of this element: an error that says why not.
Status fits(const Literal &literal, const Argument &argument);

} // namespace weft::runtime
#endif
