// SentencePiece's `.model`: a message of protocol buffers, sentencepiece_model.proto.
#include "runtime/base/ByteReader.h"
#include "runtime/base/Utf8.h"
#include "runtime/text/sentencepiece/Vocabulary.h"

using namespace weft::runtime;

using Vocabulary = SentencePieceVocabulary;

namespace {
/// A field of a message: a number, or bytes (text, a message within).
struct Field {
  int number = 0;
  uint64_t value = 0;
  std::string_view bytes = {};

  bool flag() const { return value != 0; }
  float real() const {
    float out;
    auto bits = static_cast<uint32_t>(value);
    memcpy(&out, &bits, sizeof out);
    return out;
  }
};
} // namespace

/// The next field; check reader.whole() before using it.
static Field nextField(ByteReader &reader) {
  uint64_t key = reader.varint();
  Field field{.number = static_cast<int>(key >> 3 & 0x1fffffff)};
  switch (key & 7) {
  case 0:
    field.value = reader.varint();
    break;
  case 1:
    field.value = reader.number<uint64_t>();
    break;
  case 2:
    field.bytes = reader.bytes(reader.varint());
    break;
  case 5:
    field.value = reader.number<uint32_t>();
    break;
  default: // groups, which this message does not have
    reader.fail();
  }
  return field;
}

/// Calls `take` with each field of a message; false where it is malformed.
template <class Take> static bool readMessage(std::string_view message, Take take) {
  ByteReader reader(message);
  while (!reader.atEnd()) {
    Field field = nextField(reader);
    if (!reader.whole())
      return false;
    take(field);
  }
  return true;
}

static Error broken(const char *what) {
  return {Code::Value, text("its %s is not whole", what)};
}

static Result<Piece> readPiece(std::string_view message, size_t number) {
  Piece piece;
  uint64_t kind = 1;
  bool whole = readMessage(message, [&](const Field &field) {
    if (field.number == 1)
      piece.text = field.bytes;
    else if (field.number == 2)
      piece.score = field.real();
    else if (field.number == 3)
      kind = field.value;
  });
  if (!whole || kind < 1 || kind > 6)
    return broken(text("piece %zu", number).c_str());
  if (!isUtf8(piece.text))
    return Error{Code::Value, text("piece %zu is not UTF-8", number)};
  piece.kind = static_cast<PieceKind>(kind);
  return piece;
}

namespace {
/// What the specification of the training says that the use depends on.
struct TrainerSpec {
  uint64_t algorithm = 1; // unigram, BPE, word, char
  std::string start = "<s>", end = "</s>";
};
} // namespace

static Result<TrainerSpec> readTrainerSpec(std::string_view message, Vocabulary &vocabulary) {
  TrainerSpec spec;
  bool whole = readMessage(message, [&](const Field &field) {
    if (field.number == 3)
      spec.algorithm = field.value;
    else if (field.number == 24)
      vocabulary.spaceBehind = field.flag();
    else if (field.number == 35)
      vocabulary.byteFallback = field.flag();
    else if (field.number == 44)
      vocabulary.unknown = field.bytes;
    else if (field.number == 46)
      spec.start = field.bytes;
    else if (field.number == 47)
      spec.end = field.bytes;
  });
  if (!whole || !isUtf8(vocabulary.unknown))
    return broken("training specification");
  if (spec.algorithm != 1 && spec.algorithm != 2)
    return Error{Code::Value, "its pieces are words or characters, which Weft does not read; "
                              "unigram and BPE models are"};
  return spec;
}

static Status readNormalizerSpec(std::string_view message, Vocabulary &vocabulary) {
  bool whole = readMessage(message, [&](const Field &field) {
    if (field.number == 2)
      vocabulary.characterMap = field.bytes;
    else if (field.number == 3)
      vocabulary.spaceInFront = field.flag();
    else if (field.number == 4)
      vocabulary.removeExtraSpaces = field.flag();
    else if (field.number == 5 && !field.flag())
      vocabulary.space = " ";
  });
  return whole ? success() : broken("normalization specification");
}

/// The control piece of this text.
static std::optional<int32_t> markNamed(const Vocabulary &vocabulary, std::string_view name) {
  for (const Piece &piece : vocabulary.pieces)
    if (piece.kind == PieceKind::Control && piece.text == name)
      return static_cast<int32_t>(&piece - vocabulary.pieces.data());
  return std::nullopt;
}

bool weft::runtime::readsAsModel(std::string_view protobuf) {
  constexpr int most = 5; // pieces, the three specifications, and what tests itself
  bool known = true, pieces = false;
  bool whole = readMessage(protobuf, [&](const Field &field) {
    known &= field.number >= 1 && field.number <= most && field.bytes.data();
    pieces |= field.number == 1;
  });
  return whole && known && pieces;
}

Result<TokenizerPtr> weft::runtime::sentencePieceFromModel(std::string_view protobuf) {
  Vocabulary vocabulary;
  std::string_view trainer, normalizer;
  std::optional<Error> error;
  bool whole = readMessage(protobuf, [&](const Field &field) {
    if (field.number == 2)
      trainer = field.bytes;
    if (field.number == 3)
      normalizer = field.bytes;
    if (field.number != 1 || error)
      return;
    Result<Piece> piece = readPiece(field.bytes, vocabulary.pieces.size());
    if (piece)
      vocabulary.pieces.push_back(std::move(*piece));
    else
      error = piece.error();
  });
  if (error)
    return *error;
  if (!whole || vocabulary.pieces.empty())
    return Error{Code::Value, text("it breaks off after piece %zu", vocabulary.pieces.size())};
  Result<TrainerSpec> spec = readTrainerSpec(trainer, vocabulary);
  if (!spec)
    return spec.error();
  if (Status status = readNormalizerSpec(normalizer, vocabulary); !status)
    return status.error();
  if (spec->algorithm == 2)
    vocabulary.algorithm = Vocabulary::Algorithm::Bpe;
  vocabulary.start = markNamed(vocabulary, spec->start);
  vocabulary.end = markNamed(vocabulary, spec->end);
  return sentencePieceTokenizer(std::move(vocabulary));
}
