// What a SentencePiece model knows: pieces with scores, and how text is brought into their form.
#ifndef WEFT_RUNTIME_TEXT_SENTENCEPIECE_VOCABULARY_H
#define WEFT_RUNTIME_TEXT_SENTENCEPIECE_VOCABULARY_H

#include "runtime/text/tokenizers/Tokenizer.h"

namespace weft::runtime {

/// As in sentencepiece_model.proto; the numbers are those of the files (GGUF has the same).
enum class PieceKind { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

struct Piece {
  std::string text;
  double score = 0; // a float in SentencePiece's own files
  PieceKind kind = PieceKind::Normal;
};

/// Kudo, Richardson 2018. What the files of SentencePiece, of llama.cpp (GGUF) and of llama2.c hold
/// in common. The defaults are SentencePiece's own.
struct SentencePieceVocabulary {
  enum class Algorithm { Unigram, Bpe };
  Algorithm algorithm = Algorithm::Unigram;
  std::vector<Piece> pieces = {};
  std::string characterMap = {};       // precompiled normalization; empty: text stays as it is
  std::string space = "\u2581";        // what a space of a text is in the pieces
  std::string decodedSpace = "\u2581"; // what of a piece decodes to a space, or to none in front
  std::string unknown = " \u2047 ";    // what the unknown piece decodes to
  bool spaceInFront = true;            // a space before the text,
  bool spaceBehind = false;            // or rather behind it
  bool removeExtraSpaces = true;       // at both ends, and all but one within
  bool byteFallback = false;           // unknown characters are spelled by Byte pieces
  bool keepInvalidBytes = false;       // bytes that are no UTF-8; otherwise each becomes U+FFFD
  bool cutsUserDefined = false; // out of the text before all else, longest first, as it is spelled
  std::optional<int32_t> start = {}, end = {};
};

/// Errors: pieces that are empty, double, without a score; not one for the unknown; bytes missing
/// where they are needed; marks that are none.
Status checkVocabulary(const SentencePieceVocabulary &vocabulary);

/// Errors: as above, by the number of the piece, and a broken character map.
Result<TokenizerPtr> sentencePieceTokenizer(SentencePieceVocabulary vocabulary);

/// The byte that a piece such as `<0x0A>` is for.
std::optional<unsigned char> byteOfPiece(std::string_view text);

/// The readers of each format, from the bytes of a file; errors are without the file's name.
Result<TokenizerPtr> sentencePieceFromModel(std::string_view protobuf);
/// Whether all of a file reads as the fields of such a model, whatever they hold.
bool readsAsModel(std::string_view protobuf);
Result<TokenizerPtr> sentencePieceFromLlama2c(std::string_view records);

} // namespace weft::runtime
#endif
