// Several texts, continued side by side.
#ifndef WEFT_RUNTIME_GENERATION_CONTINUATIONS_H
#define WEFT_RUNTIME_GENERATION_CONTINUATIONS_H

#include "runtime/generation/Continuation.h"

namespace weft::runtime {

/// Who is told what becomes of texts, by their numbers.
class TextListener {
public:
  virtual ~TextListener() = default;
  /// The model has taken in the prompt.
  virtual void begun(size_t text) = 0;
  virtual void token(size_t text, int32_t id) = 0;
  /// Whether anybody still listens: else the rest need not be made.
  virtual bool ended(size_t text, const Continuation &made) = 0;
};

/// What came of all texts together.
struct ContinuationTotals {
  int64_t prompts = 0, tokens = 0, stepped = 0; // tokens: taken in, once; made; made by steps
  int64_t steps = 0, proposed = 0, kept = 0;
  int64_t full = 0; // texts
  double promptSeconds = 0, stepSeconds = 0;
};

/// Continues all prompts, at most `batch` of them at a time: a step takes the next tokens of each,
/// and where a text is done, the next one takes its place. Each text is what it is alone, to the
/// bit. Prompts beside each other that are equal are taken in once. Errors: before anything is
/// computed as roomFor(), and an id that is none; then as Generator::advance(), chooseToken().
/// Those of a text begin with its origin, where there are several.
Result<ContinuationTotals> continueAll(Model &model, const ContinuationSettings &settings,
                                       std::span<const Prompt> prompts, size_t batch,
                                       TextListener &listener);

} // namespace weft::runtime
#endif
