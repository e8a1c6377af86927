// A tokenizer from a file of any format, which its contents tell.
#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/text/Gguf.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/WordsKind.h"
#include "runtime/text/pipeline/Pipeline.h"
#include "runtime/text/sentencepiece/Json.h"
#include "runtime/text/tokenizers/Bpe.h"
#include "runtime/text/tokenizers/FromJson.h"
#include "runtime/text/tokenizers/Section.h"

#include <cctype>
#include <cstring>

using namespace weft::runtime;

static Result<TokenizerPtr> fromWeftJson(const Json &json) {
  std::string kind = Section(&json, "").string("kind");
  if (kind == "bytes")
    return byteTokenizer();
  if (kind == "characters")
    return charactersFromJson(json);
  if (kind == "bpe")
    return bpeFromJson(json);
  if (kind == "words")
    return wordsFromJson(json);
  if (kind == "sentencepiece")
    return sentencePieceFromJson(json);
  return Error{Code::Value, "its kind is unknown"};
}

/// GPT-2's vocabulary and its merges are two files of one folder, by either pair of names.
static std::string mergesBeside(const std::string &path) {
  for (auto [vocabulary, merges] :
       {std::pair("encoder.json", "vocab.bpe"), {"vocab.json", "merges.txt"}})
    if (path.ends_with(vocabulary))
      return path.substr(0, path.size() - strlen(vocabulary)) + merges;
  return path.substr(0, path.rfind('/') + 1) + "merges.txt";
}

static Result<TokenizerPtr> fromJson(std::string_view contents, const std::string &path) {
  Result<Json> read = readJson(contents);
  if (!read)
    return read.error();
  const Json &json = *read;
  Section document(&json, "");
  if (document.member("weft_tokenizer"))
    return document.integer("weft_tokenizer", 0) == 1
               ? fromWeftJson(json)
               : Error{Code::Value, "its version is unknown"};
  if (const Json *model = document.member("model"); model && model->is_object())
    return pipelineFromJson(json); // GPT-2 has a token of that name
  if (!json.is_object() || json.empty() || !json.begin()->is_number())
    return Error{Code::Value, "it is neither a tokenizer nor a vocabulary"};
  std::string merges = mergesBeside(path);
  Result<WholeFile> file = WholeFile::read(merges);
  if (!file)
    return Error{Code::Value, text("to a vocabulary of this kind belongs a list of merges, but %s",
                                   file.error().message.c_str())};
  return pipelineFromVocabulary(json, file->view());
}

/// Whether there are bytes that no text has.
static bool isBinary(std::string_view contents) {
  return contents.substr(0, 4096).find('\0') != std::string_view::npos;
}

/// Whether a file is a list of merges: `#version` first, or two words in the first line.
static bool isMerges(std::string_view contents) {
  std::string_view first = contents.substr(0, contents.find('\n'));
  size_t space = first.find(' ');
  return contents.starts_with("#version") ||
         (space != 0 && space != std::string_view::npos && space + 1 < first.size());
}

static Result<TokenizerPtr> fromContents(std::string_view contents, const std::string &path) {
  size_t first = 0;
  while (first < contents.size() && isspace(static_cast<unsigned char>(contents[first])))
    ++first;
  if (contents.substr(first).starts_with('{'))
    return fromJson(contents, path);
  // A damaged model still begins with a piece as a rule: its field, a length of one byte or two,
  // and what a field holds that is not empty; the other with a small number of four bytes.
  bool begins = contents.size() > 3 && contents[0] == '\n' && contents[3] != '\0';
  if (readsAsModel(contents) || (isBinary(contents) && begins))
    return sentencePieceFromModel(contents);
  if (isBinary(contents))
    return sentencePieceFromLlama2c(contents);
  if (isMerges(contents))
    return bpeFromMerges(path);
  if (contents.find("[UNK]") != std::string_view::npos)
    return pipelineFromWordPieces(contents);
  return Error{Code::Value, "it is of no known format"};
}

/// From the beginning of a file that has a model's weights behind its vocabulary; a header says
/// nowhere how long it is.
static Result<TokenizerPtr> fromGguf(const InputFile &file) {
  for (uint64_t size = 1 << 24;; size *= 4) {
    std::vector<std::byte> head(std::min(size, file.size()));
    if (Status status = file.read(0, head); !status)
      return status.error();
    bool isCut = false;
    Result<TokenizerPtr> made =
        tokenizerFromGguf({reinterpret_cast<const char *>(head.data()), head.size()}, isCut);
    if (!isCut || head.size() == file.size())
      return made;
  }
}

static Result<TokenizerPtr> fromFile(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.error();
  std::byte first[4] = {};
  if (file->size() >= sizeof first)
    if (Status status = file->read(0, first); !status)
      return status.error();
  if (memcmp(first, "GGUF", sizeof first) == 0)
    return fromGguf(*file);
  Result<WholeFile> whole = WholeFile::read(*file);
  return whole ? fromContents(whole->view(), path) : whole.error();
}

/// The file of a model's folder that holds its tokenizer.
static std::string fileIn(const std::string &folder) {
  for (const char *name : {"tokenizer.json", "tokenizer.model", "vocab.json", "encoder.json",
                           "vocab.txt", "tokenizer.bin"})
    if (fileExists(folder + "/" + name))
      return folder + "/" + name;
  return folder + "/tokenizer.json";
}

Result<TokenizerPtr> weft::runtime::readTokenizer(const std::string &given) {
  std::string path = isFolder(given) ? fileIn(given) : given;
  Result<TokenizerPtr> made = fromFile(path);
  if (made || made.error().code == Code::File)
    return made;
  return Error{Code::File, text("%s: is not a whole tokenizer: %s", path.c_str(),
                                made.error().message.c_str())};
}

Result<TokenizerPtr> weft::runtime::tokenizerFromText(std::string_view json) {
  Result<TokenizerPtr> made = fromJson(json, "");
  if (made)
    return made;
  return Error{Code::File, "a tokenizer that the program carries is broken, build it again: " +
                               made.error().message};
}
