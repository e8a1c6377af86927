// From `pairs:fra.tsv` to a source of batches: inputs, vocabularies, splits.
#include "runtime/data/pairs/OpenPairs.h"
#include "runtime/data/pairs/HeldOut.h"
#include "runtime/data/pairs/PairFile.h"
#include "runtime/data/pairs/PairSource.h"
#include "runtime/text/FitsModel.h"

#include <algorithm>

using namespace weft::runtime;

namespace {
struct Opened {
  const Facts &facts;
  const Entry &entry;
  std::string path;
  Options options;
  PairFile file;
  HeldOut held;
  PairSource::Contents contents;
};
} // namespace

static constexpr const char *roles[] = {"source", "valid", "target", "label", "length"};

/// Which inputs take the pairs: those bound by the model's data clause, or of the same names.
static Result<PairSource::Binding> bindPairs(const Facts &facts, const Training &training) {
  const Entry &entry = facts.entries[training.gradient];
  if (!training.dataKind.empty() && training.dataKind != "pairs")
    return Error{Code::Value, text("%s is trained on `%s`, not on pairs", training.name.c_str(),
                                   training.dataKind.c_str())};
  PairSource::Binding binding;
  std::string *names[] = {&binding.source, &binding.valid, &binding.target, &binding.label,
                          &binding.length};
  std::vector<std::string> bound;
  for (size_t i = 0; i < std::size(roles); ++i) {
    auto found = training.arguments.find(roles[i]);
    if (found != training.arguments.end())
      *names[i] = found->second;
    else if (training.dataKind.empty() && argumentNamed(entry.inputs, roles[i]) >= 0)
      *names[i] = roles[i];
    bound.push_back(*names[i]);
  }
  for (const Argument &input : entry.inputs)
    if (std::find(bound.begin(), bound.end(), input.name) == bound.end())
      return Error{Code::Value, text("`%s` of %s is not part of pairs(source, valid, target, "
                                     "label, length)",
                                     input.name.c_str(), entry.name.c_str())};
  for (size_t i = 0; i < std::size(roles); ++i) {
    bool isLength = i == 1 || i == 4;
    int input = bound[i].empty() ? -1 : argumentNamed(entry.inputs, bound[i]);
    if (input < 0 && (i == 0 || i == 2))
      return Error{Code::Value,
                   text("%s does not say which of its inputs is the %s of pairs: `data = "
                        "pairs(source, valid, target, label, length)`",
                        training.name.c_str(), roles[i])};
    if (input < 0)
      continue;
    const Argument &argument = entry.inputs[input];
    bool fits = argument.element == Element::Int && argument.dims.size() == (isLength ? 1u : 2u) &&
                (isLength || (argument.index >= 0 && facts.dims[argument.index].size));
    if (!fits)
      return Error{Code::Value,
                   text("`%s` %s of %s cannot take the %s of pairs: %s are expected",
                        argument.name.c_str(), facts.dimNames(argument.dims).c_str(),
                        entry.name.c_str(), roles[i],
                        isLength ? "whole numbers [batch]"
                                 : "indices into a fixed vocabulary [batch, sequence]")};
  }
  auto dims = [&](const std::string &name) {
    return entry.inputs[argumentNamed(entry.inputs, name)].dims;
  };
  binding.batchDim = dims(binding.source)[0];
  binding.sourceDim = dims(binding.source)[1];
  binding.targetDim = dims(binding.target)[1];
  if (!binding.label.empty() && dims(binding.label) != dims(binding.target))
    return Error{Code::Value,
                 text("`%s` and `%s` of %s have different dimensions", binding.target.c_str(),
                      binding.label.c_str(), entry.name.c_str())};
  return binding;
}

/// The dimension that the ids of an input index.
static const Dimension &vocabularyDim(const Opened &open, const std::string &input) {
  return open.facts.dims[open.entry.inputs[argumentNamed(open.entry.inputs, input)].index];
}

/// Vocabularies have to fit into the model's tables.
static Status compareSizes(const Opened &open) {
  std::string wrong, settings;
  for (auto [input, tokenizer] :
       {std::pair{open.contents.binding.source, open.contents.source.get()},
        {open.contents.binding.target, open.contents.target.get()}}) {
    const Dimension &dimension = vocabularyDim(open, input);
    settings += text("%s%s=%lld", settings.empty() ? "" : ",", dimension.name.c_str(),
                     wide(tokenizer->size()));
    if (tokenizer->size() > *dimension.size)
      wrong += text("%s%lld words for `%s`, but %s is %lld%s", wrong.empty() ? "" : ", and ",
                    wide(tokenizer->size()), input.c_str(), dimension.name.c_str(),
                    wide(*dimension.size), open.facts.place(dimension).c_str());
  }
  if (wrong.empty())
    return success();
  return Error{Code::Size, text("there are %s; build with --set %s, or choose a higher --min-count",
                                wrong.c_str(), settings.c_str())};
}

/// A vocabulary that is kept with the weights.
static Result<TokenizerPtr> readWords(const Opened &open, const DataRequest &request, Side side) {
  bool isSource = side == Side::Source;
  const char *name = isSource ? sourceTokenizerFile : tokenizerFile;
  std::string place = keptTokenizerPlace(request.checkpoint, name);
  Result<TokenizerPtr> read = keptTokenizer(request.checkpoint, request.carried, name);
  if (!read)
    return read;
  if (!*read)
    return Error{Code::File, request.checkpoint.empty() ? text("this program has no %s", name)
                                                        : place + ": is not there"};
  const PairSource::Binding &binding = open.contents.binding;
  const Dimension &vocabulary = vocabularyDim(open, isSource ? binding.source : binding.target);
  if (Status fits = fitsModel(**read, vocabulary, place, side); !fits)
    return fits.error();
  if (!asWords(read->get()) || !(*read)->padding() || !(*read)->endOfText() ||
      (!isSource && !(*read)->startOfText()))
    return Error{Code::Value, text("%s: is not a vocabulary of %s made from pairs", place.c_str(),
                                   isSource ? "sources" : "targets")};
  return read;
}

static Status readVocabularies(Opened &open, const DataRequest &request) {
  Result<TokenizerPtr> source = readWords(open, request, Side::Source),
                       target = readWords(open, request, Side::Other);
  if (!source || !target)
    return !source ? source.error() : target.error();
  open.contents.source = std::move(*source);
  open.contents.target = std::move(*target);
  return success();
}

/// Those of the words that training and validation have.
static Status makeVocabularies(Opened &open, const DataRequest &request, WordRules rules,
                               int64_t limit) {
  if (!request.learns)
    return Error{Code::Usage,
                 "pairs need the vocabularies of a training: --checkpoint is a file of weights"};
  Result<int64_t> least = open.options.integer("min-count", 2, 1, INT32_MAX);
  if (!least)
    return least.error();
  for (bool isSource : {true, false}) {
    WordMarks marks{isSource ? "" : "<bos>", "<eos>", "<pad>", "<unk>"};
    std::vector<const std::vector<std::string> *> sentences;
    for (const std::vector<int64_t> *split : {&open.held.train, &open.held.validation})
      for (int64_t pair : *split)
        sentences.push_back(isSource ? &open.file.pairs[static_cast<size_t>(pair)].source
                                     : &open.file.pairs[static_cast<size_t>(pair)].target);
    Result<TokenizerPtr> made =
        Words::create({vocabularyOf(sentences, *least, limit, marks), marks, rules, true});
    if (!made)
      return made.error();
    (isSource ? open.contents.source : open.contents.target) = std::move(*made);
  }
  return compareSizes(open);
}

static std::string joined(const std::vector<std::string> &words) {
  std::string out;
  for (const std::string &word : words)
    out += (out.empty() ? "" : " ") + word;
  return out;
}

/// Ids of the sentences of a split, cut where lengths are fixed.
static Status addRows(Opened &open, const std::vector<int64_t> &pairs, bool cuts,
                      std::vector<PairSource::Row> &rows) {
  const PairSource::Binding &binding = open.contents.binding;
  for (int64_t number : pairs) {
    const Pair &pair = open.file.pairs[static_cast<size_t>(number)];
    PairSource::Row row{asWords(open.contents.source.get())->sentence(pair.source),
                        asWords(open.contents.target.get())->sentence(pair.target),
                        joined(pair.source), joined(pair.target), pair.line};
    for (auto [ids, fixed, dimension, side] :
         {std::tuple(&row.source, open.contents.sourceLength, binding.sourceDim, "source"),
          {&row.label, open.contents.targetLength, binding.targetDim, "target"}}) {
      const Dimension &dim = open.facts.dims[dimension];
      int64_t most = fixed > 0 ? fixed : dim.bound.value_or(INT64_MAX);
      auto length = static_cast<int64_t>(ids->size());
      if (length > most && !cuts)
        return Error{Code::Size,
                     text("%s:%lld: the %s has %lld tokens with its end mark, this build has room "
                          "for %s <= %lld%s; leave it out, or cut sentences with --seq %lld",
                          open.path.c_str(), wide(pair.line), side, wide(length), dim.name.c_str(),
                          wide(most), open.facts.place(dim).c_str(), wide(most))};
      ids->resize(static_cast<size_t>(std::min(length, most)));
    }
    rows.push_back(std::move(row));
  }
  return success();
}

/// Fixed lengths: those of the build, or --seq.
static Status setLengths(Opened &open, int64_t sequence) {
  PairSource::Contents &contents = open.contents;
  for (auto [length, dimension] : {std::pair{&contents.sourceLength, contents.binding.sourceDim},
                                   {&contents.targetLength, contents.binding.targetDim}}) {
    const Dimension &dim = open.facts.dims[dimension];
    *length = dim.size.value_or(sequence);
    int64_t most = dim.size.value_or(dim.bound.value_or(INT64_MAX));
    if (sequence > most || (sequence > 0 && dim.size && sequence != *dim.size))
      return Error{Code::Size,
                   text("--seq %lld: this build has %s %s %lld%s", wide(sequence), dim.name.c_str(),
                        dim.size ? "=" : "<=", wide(most), open.facts.place(dim).c_str())};
  }
  return success();
}

static Result<std::unique_ptr<DataSource>> openPairs(const Model &model, const Training &training,
                                                     const std::string &path,
                                                     const DataRequest &request) {
  Result<PairSource::Binding> binding = bindPairs(model.facts, training);
  if (!binding)
    return binding.error();
  Options options = Options::from(request.options);
  WordRules rules{!options.has("keep-case"), !options.has("keep-spacing")};
  Result<int64_t> most = options.integer("pairs", 0, 1, INT64_MAX),
                  sequence = options.integer("seq", 0, 1, INT32_MAX);
  if (!most || !sequence)
    return !most ? most.error() : sequence.error();
  Result<PairFile> file = readPairs(path, rules, *most);
  if (!file)
    return file.error();
  Result<HeldOut> held = holdOut(*file, options, request.allForValidation);
  if (!held)
    return Error{held.error().code, path + ": " + held.error().message};
  Opened open{model.facts,
              model.facts.entries[training.gradient],
              path,
              options,
              std::move(*file),
              std::move(*held),
              {}};
  open.contents.binding = std::move(*binding);
  if (Status status = setLengths(open, *sequence); !status)
    return status.error();
  if (!request.checkpoint.empty() || request.carried) {
    if (Status status = readVocabularies(open, request); !status)
      return status.error();
  } else if (Status status = makeVocabularies(open, request, rules, *sequence); !status) {
    return Error{status.error().code, path + ": " + status.error().message};
  }
  for (auto [pairs, rows] : {std::pair{&open.held.train, &open.contents.train},
                             {&open.held.validation, &open.contents.validation},
                             {&open.held.test, &open.contents.test}})
    if (Status status = addRows(open, *pairs, *sequence > 0, *rows); !status)
      return status.error();
  open.contents.seed = request.seed;
  open.contents.path = path;
  open.contents.fingerprint = open.file.fingerprint;
  if (open.file.skipped > 0)
    open.contents.remark = text("; %lld line%s skipped that are not two sentences with a tab "
                                "between, the first is line %lld",
                                wide(open.file.skipped), open.file.skipped == 1 ? "" : "s",
                                wide(open.file.firstSkipped));
  return std::unique_ptr<DataSource>(new PairSource(std::move(open.contents)));
}

DataReader weft::runtime::pairsReader() {
  return {{sequenceOption(),
           {"pairs", "N", "only the first N pairs of the file"},
           {"validate-on", "N", "pairs held out to validate on (default: a tenth)"},
           {"test-on", "N", "pairs held out until the end (default 0)"},
           {"held-out", "WHICH",
            "last: of the file, test behind validation (default); random: whole groups of pairs "
            "with one source"},
           {"min-count", "N", "how often a word occurs to have an id (default 2)"},
           {"keep-case", "", "words as they are written, not in lower case"},
           {"keep-spacing", "", "no space between a word and the , . ! ? behind it"}},
          openPairs,
          {"keep-case", "keep-spacing"}};
}
