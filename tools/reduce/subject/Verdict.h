// What became of a program that was tried: right, refused, or how it failed.
#ifndef WEFT_TOOLS_REDUCE_SUBJECT_VERDICT_H
#define WEFT_TOOLS_REDUCE_SUBJECT_VERDICT_H

#include <string>
#include <string_view>

namespace weft::reduce {

/// From `crash` on they are faults of the compiler.
enum class Kind {
  right,
  invalid,    ///< the checker says no
  refused,    ///< the interpreter and the program refuse the sizes, both
  crash,      ///< a signal, an assertion, a sanitizer's report
  hang,       ///< not done within the limit
  internal,   ///< "internal error", or a pass that fails
  unbuilt,    ///< the checker says yes, the builder no
  format,     ///< the formatter changes what it says
  stage,      ///< what the passes of `model` make computes something else
  derivative, ///< the interpreter's gradient is not the quotient of differences
  refusal,    ///< one of interpreter and program refuses
  values,     ///< a compiled result is not the interpreter's
  gradient,   ///< a compiled gradient is not the interpreter's
  threads,    ///< another result with other threads
  decode,     ///< continued is not recomputed
};

std::string_view nameOf(Kind kind);

struct Verdict {
  Kind kind = Kind::right;
  std::string where; ///< the step of the trial: `run loss on avx512`
  std::string what;  ///< in words, several lines perhaps
  /// Of what could be compared: elements, and those among them that rounding alone decides.
  uint64_t compared = 0, blind = 0;

  bool isFault() const { return kind >= Kind::crash; }
  /// What two faults of one cause have in common: the kind, and for what is said in words, the
  /// words without names and numbers.
  std::string signature() const;
};

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_SUBJECT_VERDICT_H
