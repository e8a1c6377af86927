// Tokenizers through the C interface.
#include "runtime/api/Tokenizer.h"

#include "runtime/api/Model.h"
#include "runtime/base/files/Folder.h"
#include "runtime/text/KeptTokenizer.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/training/checkpoint/Checkpoint.h"

#include <algorithm>

using namespace weft::runtime;

static Result<TokenizerPtr> read(const std::string &path) {
  if (path == "byte")
    return byteTokenizer();
  if (!isFolder(path))
    return readTokenizer(path);
  Result<Checkpoint> checkpoint = findCheckpoint(path);
  if (checkpoint) {
    warn(checkpoint->warning());
    return readTokenizer(checkpoint->file(tokenizerFile));
  }
  Result<TokenizerPtr> ofOthers = readTokenizer(path);
  return ofOthers ? std::move(ofOthers) : checkpoint.error();
}

WeftTokenizer *weft_tokenizer_open(const char *path) {
  auto body = [&]() -> Result<WeftTokenizer *> {
    Result<TokenizerPtr> tokenizer = read(path);
    if (!tokenizer)
      return tokenizer.error();
    return new WeftTokenizer{std::move(*tokenizer)};
  };
  return call<WeftTokenizer *>("weft_tokenizer_open", nullptr, {{"path", path}}, body);
}

/// What the library carries under this name; `what` and `option` are what it is and how it is said.
static Result<WeftTokenizer *> openCarried(const Model &model, const char *name, const char *what,
                                           const char *option) {
  Result<TokenizerPtr> kept = keptTokenizer("", model.carried ? &*model.carried : nullptr, name);
  if (kept && *kept)
    return new WeftTokenizer{std::move(*kept)};
  return kept ? Error{Code::Name, text("this library carries no %s: build it with --weights, and "
                                       "with --%s where none lies beside them",
                                       what, option)}
              : kept.error();
}

WeftTokenizer *weft_tokenizer_carried(const WeftModel *model) {
  return callOn<WeftTokenizer *>("weft_tokenizer_carried", nullptr, model, {{"model", model}}, [&] {
    return openCarried(*model->opened->model, tokenizerFile, "tokenizer", "tokenizer");
  });
}

WeftTokenizer *weft_source_tokenizer_carried(const WeftModel *model) {
  auto body = [&] {
    return openCarried(*model->opened->model, sourceTokenizerFile, "tokenizer of sources",
                       "source-tokenizer");
  };
  return callOn<WeftTokenizer *>("weft_source_tokenizer_carried", nullptr, model,
                                 {{"model", model}}, body);
}

void weft_tokenizer_close(WeftTokenizer *tokenizer) {
  delete tokenizer;
}

int64_t weft_tokenizer_size(const WeftTokenizer *tokenizer) {
  return call<int64_t>("weft_tokenizer_size", -1, {{"tokenizer", tokenizer}},
                       [&] { return Result<int64_t>(tokenizer->tokenizer->size()); });
}

int32_t weft_tokenizer_start(const WeftTokenizer *tokenizer) {
  return call<int32_t>("weft_tokenizer_start", -1, {{"tokenizer", tokenizer}}, [&] {
    return Result<int32_t>(tokenizer->tokenizer->startOfText().value_or(-1));
  });
}

int32_t weft_tokenizer_end(const WeftTokenizer *tokenizer) {
  return call<int32_t>("weft_tokenizer_end", -1, {{"tokenizer", tokenizer}}, [&] {
    return Result<int32_t>(tokenizer->tokenizer->endOfText().value_or(-1));
  });
}

/// Writes as much as there is room for, and gives how much there is.
template <class T, class All>
static Result<int64_t> written(const char *function, const All &all, const char *name, T *into,
                               int64_t capacity) {
  auto count = static_cast<int64_t>(all.size());
  if (capacity < 0 || (capacity > 0 && !into))
    return Error{Code::Usage, text("%s(): `%s` %s", function, name,
                                   into ? "cannot have room for less than nothing" : "is NULL")};
  std::copy_n(all.data(), std::min(capacity, count), into);
  return count;
}

int64_t weft_encode(const WeftTokenizer *tokenizer, const char *text, size_t bytes, int32_t *ids,
                    int64_t capacity) {
  auto body = [&]() -> Result<int64_t> {
    if (Status status = bytes == 0 ? success() : checkNeeded("weft_encode", {{"text", text}});
        !status)
      return status.error();
    Result<std::vector<int32_t>> all = tokenizer->tokenizer->encode(
        bytes == 0 ? std::string_view() : std::string_view(text, bytes));
    if (!all)
      return all.error();
    return written("weft_encode", *all, "ids", ids, capacity);
  };
  return call<int64_t>("weft_encode", -1, {{"tokenizer", tokenizer}}, body);
}

int64_t weft_decode(const WeftTokenizer *tokenizer, int32_t id, char *bytes, int64_t capacity) {
  return call<int64_t>("weft_decode", -1, {{"tokenizer", tokenizer}}, [&] {
    return written("weft_decode", tokenizer->tokenizer->decode(id), "bytes", bytes, capacity);
  });
}

int64_t weft_decode_all(const WeftTokenizer *tokenizer, const int32_t *ids, int64_t count,
                        char *bytes, int64_t capacity) {
  auto body = [&]() -> Result<int64_t> {
    if (count < 0 || (count > 0 && !ids))
      return Error{Code::Usage, count < 0 ? "weft_decode_all() of fewer than no ids"
                                          : "weft_decode_all(): `ids` is NULL"};
    std::string all = decodeText(*tokenizer->tokenizer, {ids, static_cast<size_t>(count)});
    return written("weft_decode_all", all, "bytes", bytes, capacity);
  };
  return call<int64_t>("weft_decode_all", -1, {{"tokenizer", tokenizer}}, body);
}
