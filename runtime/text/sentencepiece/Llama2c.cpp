// llama2.c's tokenizer.bin: the longest token's length, then score, length and bytes of each.
#include "runtime/base/ByteReader.h"
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/Vocabulary.h"

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

/// The kinds are not in the file; Llama's first ids are always these. `export` wrote line breaks
/// around the marks.
static Piece pieceOf(std::string_view text, float score, size_t id) {
  Piece piece{std::string(text), score};
  if (id == 0)
    piece.kind = PieceKind::Unknown;
  else if (id <= 2) {
    piece.kind = PieceKind::Control;
    piece.text = id == 1 ? "<s>" : "</s>";
  } else if (byteOfPiece(text))
    piece.kind = PieceKind::Byte;
  return piece;
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromLlama2c(std::string_view records) {
  Vocabulary vocabulary{.algorithm = Vocabulary::Algorithm::Bpe,
                        .space = " ",
                        .decodedSpace = " ",
                        .removeExtraSpaces = false,
                        .byteFallback = true,
                        .keepInvalidBytes = true,
                        .start = 1,
                        .end = 2};
  ByteReader in(records);
  auto longest = in.number<uint32_t>();
  while (!in.atEnd()) {
    size_t id = vocabulary.pieces.size();
    auto score = in.number<float>();
    auto length = in.number<uint32_t>();
    std::string_view bytes = in.bytes(length);
    if (!in.whole())
      return Error{Code::Value, text("token %zu is broken off", id)};
    if (length > longest || !isUtf8(bytes))
      return Error{Code::Value, text("token %zu is %s", id,
                                     length > longest ? "longer than the longest" : "not UTF-8")};
    vocabulary.pieces.push_back(pieceOf(bytes, score, id));
  }
  return sentencePieceTokenizer(std::move(vocabulary));
}
