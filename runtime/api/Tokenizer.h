// A tokenizer behind the C interface.
#ifndef WEFT_RUNTIME_API_TOKENIZER_H
#define WEFT_RUNTIME_API_TOKENIZER_H

#include "runtime/api/Call.h"
#include "runtime/text/tokenizers/Tokenizer.h"

/// Changes never, so that threads may share it; texts that are read with it keep it.
struct WeftTokenizer {
  std::shared_ptr<const weft::runtime::Tokenizer> tokenizer;
};

#endif
