// Which tokenizer: as asked on the command line.
#include "runtime/base/files/Folder.h"
#include "runtime/text/FitsModel.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/WordsKind.h"
#include "runtime/text/tokenizers/Bpe.h"

#include <cstdlib>

using namespace weft::runtime;

/// What suits a model with this many ids.
static std::string usual(int64_t vocabulary) {
  return vocabulary < 256    ? "char"
         : vocabulary == 256 ? "byte"
                             : text("bpe:%lld", wide(vocabulary));
}

/// Whether a request names a file, or a tokenizer that needs no text.
static bool isKnown(const std::string &request) {
  return request == "byte" || request == "bytes" || request.rfind("merges:", 0) == 0 ||
         request.rfind("words:", 0) == 0 || request.find_first_of("./") != std::string::npos ||
         fileExists(request);
}

static Error noTokenizer(const std::string &request, const char *learned) {
  return {Code::Usage,
          text("--tokenizer %s: there is no such file; expected %sbyte, merges:FILE, words:FILE or "
               "a FILE",
               request.c_str(), learned)};
}

static Result<TokenizerPtr> make(const std::string &request, std::string_view all) {
  if (request == "char" || request == "chars")
    return characterTokenizer(all);
  if (request.rfind("bpe:", 0) == 0) {
    char *end = nullptr;
    long long size = strtoll(request.c_str() + 4, &end, 10);
    if (*end || size < bpeLeastSize || size > bpeMostSize)
      return Error{Code::Usage, text("--tokenizer %s: expected bpe:N with N from %lld to %lld",
                                     request.c_str(), wide(bpeLeastSize), wide(bpeMostSize))};
    return trainBpe(all, size);
  }
  return isKnown(request) ? tokenizerWithoutText(request) : noTokenizer(request, "char, bpe:N, ");
}

Result<TokenizerPtr> weft::runtime::tokenizerWithoutText(const std::string &request) {
  if (request == "byte" || request == "bytes")
    return byteTokenizer();
  if (request.rfind("merges:", 0) == 0)
    return bpeFromMerges(request.substr(7));
  if (request.rfind("words:", 0) == 0)
    return wordsFromFile(request.substr(6));
  if (isKnown(request))
    return readTokenizer(request);
  bool learned = request.empty() || request == "char" || request.rfind("bpe:", 0) == 0;
  return learned ? Error{Code::Usage,
                         text("--tokenizer%s%s: the tokenizer of the training is needed: give the "
                              "tokenizer.json of its checkpoint",
                              request.empty() ? "" : " ", request.c_str())}
                 : noTokenizer(request, "");
}

Status weft::runtime::fitsModel(const Tokenizer &tokenizer, const Dimension &vocabulary,
                                const std::string &origin, Side side) {
  auto has = wide(tokenizer.size()), fits = wide(vocabulary.size.value_or(0));
  const char *name = vocabulary.name.c_str();
  if (has > fits || (has < fits && tokenizer.fillsModel()))
    return Error{Code::Value, text("%s: the tokenizer (%s) has %lld ids, but the model's %s is "
                                   "%lld; build with --set %s=%lld or choose another tokenizer",
                                   origin.c_str(), tokenizer.kind(), has, name, fits, name, has)};
  // of those made from pairs, that of targets has the mark that translations begin with
  if (tokenizer.closes() && tokenizer.startOfText().has_value() == (side == Side::Source))
    return Error{Code::Value, text("%s: is the vocabulary of the other language: are those of "
                                   "sources and targets exchanged?",
                                   origin.c_str())};
  return success();
}

Result<TokenizerPtr> weft::runtime::makeTokenizer(const std::string &request, std::string_view all,
                                                  const std::string &path,
                                                  const Dimension &vocabulary) {
  std::string kind = request.empty() ? usual(*vocabulary.size) : request;
  Result<TokenizerPtr> made = make(kind, all);
  return !made && kind.starts_with("char")
             ? Error{made.error().code, path + ": " + made.error().message}
             : std::move(made);
}
