// From `text:book.txt` to a source of batches.
#include "runtime/data/TensorSource.h"
#include "runtime/data/TextSource.h"

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
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  std::string_view all = file->view();
  if (all.empty())
    return Error{Code::Value, text("%s: is empty", path.c_str())};
  const Entry &entry = model.facts.entries[training.gradient];
  const Argument &argument = entry.inputs[argumentNamed(entry.inputs, binding->tokens)];
  Result<TokenizerPtr> tokenizer =
      !request.tokenizerFile.empty() ? readTokenizer(request.tokenizerFile)
      : request.trainTokenizer
          ? makeTokenizer(request.tokenizer, all, model.facts.dims[argument.index])
          : tokenizerWithoutText(request.tokenizer);
  if (!tokenizer) // what is wrong with --tokenizer is not wrong with the text
    return tokenizer.error().code == Code::Usage
               ? tokenizer.error()
               : Error{tokenizer.error().code, path + ": " + tokenizer.error().message};
  Result<std::vector<int32_t>> tokens = (*tokenizer)->encode(all);
  if (!tokens)
    return Error{tokens.error().code, path + ": " + tokens.error().message};
  int64_t sequence = request.sequence > 0 ? request.sequence
                                          : usualSequence(model.facts.dims[binding->sequenceDim]);
  auto source = TextSource::create({.tokens = std::move(*tokens),
                                    .tokenizer = std::move(*tokenizer),
                                    .binding = std::move(*binding),
                                    .sequence = sequence,
                                    .seed = request.seed,
                                    .fingerprint = streamNamed(all),
                                    .allForValidation = request.allForValidation});
  if (!source)
    return Error{source.error().code, path + ": " + source.error().message};
  return source;
}

Result<std::unique_ptr<DataSource>>
weft::runtime::openData(const Model &model, const Training &training, const DataRequest &request) {
  size_t colon = request.data.find(':');
  std::string kind = request.data.substr(0, colon),
              path = colon == std::string::npos ? "" : request.data.substr(colon + 1);
  if (kind == "text" && !path.empty())
    return openText(model, training, path, request);
  bool asText = request.sequence > 0 || !request.tokenizer.empty();
  if (kind == "tensors" && !path.empty() && asText)
    return Error{Code::Usage, text("--seq and --tokenizer go with text:FILE; %s has its own shapes",
                                   request.data.c_str())};
  if (kind == "tensors" && !path.empty())
    return TensorSource::open(model.facts, model.facts.entries[training.gradient], path);
  return Error{Code::Usage, text("--data %s: expected text:FILE or tensors:FILE.safetensors",
                                 request.data.c_str())};
}
