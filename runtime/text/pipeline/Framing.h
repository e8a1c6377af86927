// The marks around a whole text: `post_processor` of tokenizer.json.
#ifndef WEFT_RUNTIME_TEXT_PIPELINE_FRAMING_H
#define WEFT_RUNTIME_TEXT_PIPELINE_FRAMING_H

#include "runtime/text/pipeline/AddedTokens.h"

namespace weft::runtime {

struct Framing {
  std::optional<int32_t> start, end;
  bool closes = false; // `end` is the post-processor's, which puts it behind every text
};

/// BertProcessing, ByteLevel, RobertaProcessing, Sequence, TemplateProcessing with at most one mark
/// on each side. Where none says how a text ends, it is the added token of one of the usual names.
Result<Framing> framingFrom(const Section &section, const AddedTokens &added, int32_t size);

} // namespace weft::runtime
#endif
