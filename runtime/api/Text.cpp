// Texts that come id by id through the C interface.
#include "runtime/api/Tokenizer.h"
#include "runtime/base/Utf8Stream.h"

using namespace weft::runtime;

struct WeftText {
  std::shared_ptr<const Tokenizer> tokenizer;
  TextDecoder decoder;
  Utf8Stream stream = {};
  std::string given = {}; // by the last call
};

WeftText *weft_text_open(const WeftTokenizer *tokenizer) {
  return call<WeftText *>("weft_text_open", nullptr, {{"tokenizer", tokenizer}}, [&] {
    const std::shared_ptr<const Tokenizer> &shared = tokenizer->tokenizer;
    return Result<WeftText *>(new WeftText{shared, TextDecoder(*shared)});
  });
}

void weft_text_close(WeftText *text) {
  delete text;
}

/// Takes on what the text has become: all or nothing, also where memory runs out.
static const char *become(WeftText &text, WeftText &&next, int64_t *bytes) noexcept {
  text = std::move(next);
  if (bytes)
    *bytes = static_cast<int64_t>(text.given.size());
  return text.given.c_str();
}

const char *weft_text_push(WeftText *text, int32_t id, int64_t *bytes) {
  return call<const char *>("weft_text_push", nullptr, {{"text", text}}, [&] {
    WeftText next{text->tokenizer, text->decoder, text->stream};
    next.given = next.stream.push(next.decoder.push(id));
    return Result<const char *>(become(*text, std::move(next), bytes));
  });
}

const char *weft_text_finish(WeftText *text, int64_t *bytes) {
  return call<const char *>("weft_text_finish", nullptr, {{"text", text}}, [&] {
    WeftText next{text->tokenizer, TextDecoder(*text->tokenizer), text->stream};
    next.given = next.stream.finish();
    return Result<const char *>(become(*text, std::move(next), bytes));
  });
}
