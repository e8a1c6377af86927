// Tokenizers through the C interface.
#include "runtime/tokenizers/Tokenizer.h"

#include "runtime/api/Model.h"
#include "runtime/carried/KeptTokenizer.h"
#include "runtime/files/Folder.h"
#include "runtime/training/Checkpoint.h"

#include <algorithm>

using namespace weft::runtime;

struct WeftTokenizer {
  TokenizerPtr tokenizer;
};

static Result<TokenizerPtr> open(const std::string &path) {
  if (path == "byte")
    return byteTokenizer();
  if (!isFolder(path))
    return readTokenizer(path);
  Result<Checkpoint> checkpoint = findCheckpoint(path);
  if (checkpoint)
    return readTokenizer(checkpoint->file(tokenizerFile));
  Result<TokenizerPtr> ofOthers = readTokenizer(path);
  return ofOthers ? std::move(ofOthers) : checkpoint.error();
}

WeftTokenizer *weft_tokenizer_open(const char *path) {
  Result<TokenizerPtr> tokenizer = open(path);
  if (tokenizer)
    return new WeftTokenizer{std::move(*tokenizer)};
  fail(tokenizer.error());
  return nullptr;
}

/// What the library carries under this name; `what` and `option` are what it is and how it is said.
static WeftTokenizer *openCarried(const Model &model, const char *name, const char *what,
                                  const char *option) {
  Result<TokenizerPtr> kept = keptTokenizer("", model.carried ? &*model.carried : nullptr, name);
  if (kept && *kept)
    return new WeftTokenizer{std::move(*kept)};
  fail(kept ? Error{Code::Name, text("this library carries no %s: build it with --weights, and "
                                     "with --%s where none lies beside them",
                                     what, option)}
            : kept.error());
  return nullptr;
}

WeftTokenizer *weft_tokenizer_carried(const WeftModel *model) {
  return openCarried(*model->model, tokenizerFile, "tokenizer", "tokenizer");
}

WeftTokenizer *weft_source_tokenizer_carried(const WeftModel *model) {
  return openCarried(*model->model, sourceTokenizerFile, "tokenizer of sources",
                     "source-tokenizer");
}

void weft_tokenizer_close(WeftTokenizer *tokenizer) {
  delete tokenizer;
}

int64_t weft_tokenizer_size(const WeftTokenizer *tokenizer) {
  return tokenizer->tokenizer->size();
}

int32_t weft_tokenizer_end(const WeftTokenizer *tokenizer) {
  return tokenizer->tokenizer->endOfText().value_or(-1);
}

int32_t weft_tokenizer_start(const WeftTokenizer *tokenizer) {
  return tokenizer->tokenizer->startOfText().value_or(-1);
}

int64_t weft_encode(const WeftTokenizer *tokenizer, const char *text, size_t bytes, int32_t *ids,
                    int64_t capacity) {
  Result<std::vector<int32_t>> all = tokenizer->tokenizer->encode({text, bytes});
  if (!all) {
    fail(all.error());
    return -1;
  }
  auto count = static_cast<int64_t>(all->size());
  std::copy_n(all->data(), std::clamp<int64_t>(capacity, 0, count), ids);
  return count;
}

int64_t weft_decode(const WeftTokenizer *tokenizer, int32_t id, char *bytes, int64_t capacity) {
  std::string all = tokenizer->tokenizer->decode(id);
  auto count = static_cast<int64_t>(all.size());
  std::copy_n(all.data(), std::clamp<int64_t>(capacity, 0, count), bytes);
  return count;
}

int64_t weft_decode_all(const WeftTokenizer *tokenizer, const int32_t *ids, int64_t count,
                        char *bytes, int64_t capacity) {
  std::string all = decodeText(*tokenizer->tokenizer, {ids, static_cast<size_t>(count)});
  auto length = static_cast<int64_t>(all.size());
  std::copy_n(all.data(), std::clamp<int64_t>(capacity, 0, length), bytes);
  return length;
}
