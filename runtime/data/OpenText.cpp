// From `text:book.txt` to a source of batches.
#include "runtime/base/files/InputFile.h"
#include "runtime/data/OpenData.h"
#include "runtime/data/TextSource.h"
#include "runtime/text/FitsModel.h"
#include "runtime/text/OpenTokenizer.h"

using namespace weft::runtime;

/// Where the model takes a text: the inputs bound to `tokens` and `next`, both [batch, seq] of one
/// vocabulary.
static Result<TextSource::Binding> bindText(const Facts &facts, const Training &training) {
  auto bound = [&](const char *name) {
    auto found = training.arguments.find(name);
    bool unsaid =
        training.dataKind.empty(); // a model without a data clause: inputs of these names are meant
    return found != training.arguments.end() ? found->second : std::string(unsaid ? name : "");
  };
  const Entry &entry = facts.entries[training.gradient];
  TextSource::Binding binding{bound("tokens"), bound("next"), -1, -1};
  int tokens = argumentNamed(entry.inputs, binding.tokens),
      next = argumentNamed(entry.inputs, binding.next);
  if ((training.dataKind != "text" && !training.dataKind.empty()) || tokens < 0 ||
      (next < 0 && !binding.next.empty()))
    return Error{
        Code::Value,
        text(
            "%s does not say how it is trained on a text: its inputs are not bound to text(tokens, "
            "next); recorded batches are given as --data tensors:FILE.safetensors",
            training.name.c_str())};
  const Argument &argument = entry.inputs[tokens];
  if (argument.dims.size() != 2 || argument.index < 0 || !facts.dims[argument.index].size ||
      (next >= 0 &&
       (entry.inputs[next].dims != argument.dims || entry.inputs[next].index != argument.index)))
    return Error{Code::Value, text("`%s` %s of %s cannot take a text: two dimensions (batch, "
                                   "sequence) of indices into a fixed "
                                   "vocabulary are expected",
                                   argument.name.c_str(), facts.dimNames(argument.dims).c_str(),
                                   entry.name.c_str())};
  for (const Argument &other : entry.inputs)
    if (other.name != binding.tokens && other.name != binding.next)
      return Error{Code::Value, text("`%s` of %s is not part of a text", other.name.c_str(),
                                     entry.name.c_str())};
  binding.batchDim = argument.dims[0];
  binding.sequenceDim = argument.dims[1];
  return binding;
}

/// The sequence length where --seq is not given: all that the model allows, or 128 where it does
/// not say.
static int64_t usualSequence(const Dimension &dimension) {
  constexpr int64_t unbounded = 128;
  return dimension.size.value_or(dimension.bound.value_or(unbounded));
}

static Result<std::unique_ptr<DataSource>> openText(const Model &model, const Training &training,
                                                    const std::string &path,
                                                    const DataRequest &request) {
  Result<TextSource::Binding> binding = bindText(model.facts, training);
  if (!binding)
    return binding.error();
  Options options = Options::from(request.options);
  Result<int64_t> length = options.integer("seq", 0, 1, int64_t(1) << 40);
  if (!length)
    return length.error();
  Result<WholeFile> file = WholeFile::read(path);
  if (!file)
    return file.error();
  std::string_view all = file->view();
  if (all.empty())
    return Error{Code::Value, text("%s: is empty", path.c_str())};
  // a tokenizer that is asked for wins over the one that is kept, unless that is being resumed
  std::string asked = options.string("tokenizer");
  Result<TokenizerPtr> tokenizer =
      request.learns || asked.empty()
          ? keptTokenizer(request.checkpoint, request.carried, tokenizerFile)
          : TokenizerPtr();
  const Entry &entry = model.facts.entries[training.gradient];
  const Argument &argument = entry.inputs[argumentNamed(entry.inputs, binding->tokens)];
  const Dimension &vocabulary = model.facts.dims[argument.index];
  std::string origin = keptTokenizerPlace(request.checkpoint, tokenizerFile);
  if (tokenizer && !*tokenizer) {
    origin = asked.empty() ? path : "--tokenizer " + asked;
    tokenizer =
        request.learns ? makeTokenizer(asked, all, path, vocabulary) : tokenizerWithoutText(asked);
  }
  if (!tokenizer)
    return tokenizer.error();
  if (Status fits = fitsModel(**tokenizer, vocabulary, origin); !fits)
    return fits.error();
  Result<std::vector<int32_t>> tokens = encodeFromStart(**tokenizer, all);
  if (!tokens)
    return Error{tokens.error().code, path + ": " + tokens.error().message};
  int64_t sequence = *length > 0 ? *length : usualSequence(model.facts.dims[binding->sequenceDim]);
  auto source = TextSource::create({.tokens = std::move(*tokens),
                                    .tokenizer = std::move(*tokenizer),
                                    .binding = std::move(*binding),
                                    .sequence = sequence,
                                    .seed = request.seed,
                                    .fingerprint = hexadecimal(streamNamed(all)),
                                    .allForValidation = request.allForValidation});
  if (!source)
    return Error{source.error().code, path + ": " + source.error().message};
  return source;
}

DataKind weft::runtime::textKind() {
  return {"text",
          "FILE",
          false,
          {{sequenceOption(),
            {"tokenizer", "KIND",
             "char, byte, bpe:N (trained on the text), merges:FILE, or a FILE as for generate\n"
             "(default: char for a model of less than 256 ids, byte of 256, bpe of more)"}},
           openText}};
}
