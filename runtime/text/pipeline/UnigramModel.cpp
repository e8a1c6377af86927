// Unigram: SentencePiece's, on words.
#include "runtime/text/pipeline/Models.h"
#include "runtime/text/sentencepiece/Segmentation.h"

using namespace weft::runtime;

namespace {
class UnigramModel final : public WordModel {
public:
  explicit UnigramModel(SentencePieceVocabulary given)
      : vocabulary(std::move(given)), segmentation(vocabulary, UnigramSegmentation::Sums::Double) {
    bytes.fill(-1);
    for (const Piece &piece : vocabulary.pieces)
      if (auto byte = byteOfPiece(piece.text))
        bytes[*byte] = static_cast<int32_t>(&piece - vocabulary.pieces.data());
  }
  void encode(std::string_view word, std::vector<int32_t> &into) const override;

  int32_t unknown = 0;

private:
  SentencePieceVocabulary vocabulary;
  UnigramSegmentation segmentation;
  std::array<int32_t, 256> bytes;
};
} // namespace

void UnigramModel::encode(std::string_view word, std::vector<int32_t> &into) const {
  std::vector<Segment> segments;
  segmentation.segment(word, segments);
  for (size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].id != Segment::unknown) {
      into.push_back(segments[i].id);
      continue;
    }
    size_t end = i + 1; // several unknown ones are one
    std::string_view all = segments[i].text;
    for (; end < segments.size() && segments[end].id == Segment::unknown; ++end)
      all = {all.data(), all.size() + segments[end].text.size()};
    i = end - 1;
    bool spelled = vocabulary.byteFallback;
    for (char c : all)
      spelled = spelled && bytes[static_cast<unsigned char>(c)] >= 0;
    for (char c : spelled ? all : std::string_view())
      into.push_back(bytes[static_cast<unsigned char>(c)]);
    if (!spelled)
      into.push_back(unknown);
  }
}

Result<std::unique_ptr<WordModel>> weft::runtime::unigramModel(const Section &section) {
  SentencePieceVocabulary vocabulary;
  vocabulary.byteFallback = section.flag("byte_fallback");
  const Json &entries = *section.member("vocab");
  int64_t unknown = section.integer("unk_id", -1);
  if (unknown < 0 || unknown >= static_cast<int64_t>(entries.size()))
    return section.error("`unk_id` is none of its tokens");
  for (const Json &entry : entries)
    vocabulary.pieces.push_back({entry[0].get<std::string>(), entry[1].get<double>()});
  for (size_t id = 0; id < vocabulary.pieces.size(); ++id)
    if (vocabulary.pieces[id].text.empty())
      return section.error(text("vocab[%zu] is empty", id));
  auto model = std::make_unique<UnigramModel>(std::move(vocabulary));
  model->unknown = static_cast<int32_t>(unknown);
  return std::unique_ptr<WordModel>(std::move(model));
}
