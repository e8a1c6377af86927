// From JSON to the facts of a program.
#include "runtime/machine/Isa.h"
#include "runtime/model/Facts.h"
#include "runtime/model/Fields.h"

using namespace weft::runtime;

namespace {
class Reader {
public:
  Result<Facts> read(std::string_view text);

private:
  std::vector<int> numbers(const Fields &fields, const char *name, size_t size,
                           const char *what) const;
  std::vector<int> dimensions(const Fields &fields, const char *name = "dims") const;
  int dimension(const Fields &fields, const char *name) const;
  int entry(const Fields &fields, const char *name) const;
  Element element(const Fields &fields) const;
  Dimension readDimension(const Fields &fields) const;
  Parameter readParameter(const Fields &fields) const;
  SizeSum sum(const Json &json, const Fields &fields, const char *name) const;
  SizeFormula formula(const Json &json, const Fields &fields, const char *name) const;
  SizeFormula formula(const Fields &fields, const char *name) const;
  BufferSizes buffers(const Fields &fields, const char *name) const;
  BuffersBehind behind(const Fields &fields, size_t most) const;
  Argument readArgument(const Fields &fields) const;
  PackedFacts readPacked(const Fields &fields) const;
  Entry readEntry(const Fields &fields) const;
  Training readTraining(const Fields &fields) const;
  Decoding readDecoding(const Fields &fields) const;
  void checkGroups(const Fields &fields, const Decoding &decoding) const;
  KernelFacts readKernel(const Fields &fields) const;
  Facts facts;
  size_t dimensionCount = 0; // of all: one may follow from those behind it
  std::string problem;
};
} // namespace

/// The position of a word in `words`; the first where it is none of them, which is then the
/// problem.
template <class E, size_t N>
static E oneOf(const Fields &fields, const char *name, const char *const (&words)[N]) {
  std::string word = fields.string(name);
  for (size_t i = 0; i < N; ++i)
    if (word == words[i])
      return static_cast<E>(i);
  fields.wrong(name, "one of the known words");
  return static_cast<E>(0);
}

Element Reader::element(const Fields &fields) const {
  return oneOf<Element>(fields, "element", {"float", "int", "bool", "bf16", "int8"});
}

int Reader::dimension(const Fields &fields, const char *name) const {
  std::optional<int64_t> number = fields.integer(name);
  if (number && (*number < 0 || *number >= static_cast<int64_t>(facts.dims.size())))
    fields.wrong(name, "a dimension");
  return static_cast<int>(problem.empty() ? number.value_or(-1) : -1);
}

/// Positions in a list of `size`.
std::vector<int> Reader::numbers(const Fields &fields, const char *name, size_t size,
                                 const char *what) const {
  std::vector<int> out;
  fields.each(name, [&](const Json &json, const std::string &) {
    if (auto number = wholeNumber(json, 0, static_cast<int64_t>(size) - 1))
      out.push_back(static_cast<int>(*number));
    else
      fields.wrong(name, what);
  });
  return out;
}

std::vector<int> Reader::dimensions(const Fields &fields, const char *name) const {
  return numbers(fields, name, facts.dims.size(), "a list of dimensions");
}

/// `[[2, 0, 3], [1]]`: twice the product of dimensions 0 and 3, and one.
SizeSum Reader::sum(const Json &json, const Fields &fields, const char *name) const {
  SizeSum result;
  for (const Json &term : json) {
    auto coefficient =
        term.is_array() && !term.empty() ? wholeNumber(term[0]) : std::optional<int64_t>();
    if (!coefficient) {
      fields.wrong(name, "a sum of products");
      return result;
    }
    result.push_back({*coefficient, {}});
    for (size_t i = 1; i < term.size(); ++i)
      if (auto dim = wholeNumber(term[i], 0, static_cast<int64_t>(dimensionCount) - 1))
        result.back().dims.push_back(static_cast<int>(*dim));
      else
        fields.wrong(name, "a sum of products of dimensions");
  }
  return result;
}

/// A sum, or `{"above": sum, "below": sum}`.
SizeFormula Reader::formula(const Json &json, const Fields &fields, const char *name) const {
  if (json.is_array())
    return {sum(json, fields, name), {}};
  if (json.is_object() && json.contains("above") && json.contains("below"))
    return {sum(json["above"], fields, name), sum(json["below"], fields, name)};
  fields.wrong(name, "a formula");
  return {};
}

SizeFormula Reader::formula(const Fields &fields, const char *name) const {
  const Json *json = fields.find(name);
  return formula(json ? *json : Json(), fields, name);
}

BufferSizes Reader::buffers(const Fields &fields, const char *name) const {
  BufferSizes result;
  fields.each(name, [&](const Json &held, const std::string &) {
    std::vector<SizeFormula> &buffer = result.emplace_back();
    for (const Json &bytes : held)
      buffer.push_back(formula(bytes, fields, name));
  });
  return result;
}

/// At most `most` lists, each of the buffers before its own.
BuffersBehind Reader::behind(const Fields &fields, size_t most) const {
  BuffersBehind result;
  fields.each("behind", [&](const Json &below, const std::string &) {
    auto own = static_cast<int64_t>(result.size());
    std::vector<int> &list = result.emplace_back();
    for (const Json &each : below)
      if (auto buffer = wholeNumber(each, 0, own - 1))
        list.push_back(static_cast<int>(*buffer));
      else
        fields.wrong("behind", "lists of the buffers before each");
  });
  if (result.size() > most)
    fields.wrong("behind", "of the buffers in `work`");
  return result;
}

int Reader::entry(const Fields &fields, const char *name) const {
  if (!fields.find(name))
    return -1;
  int number = facts.entry(fields.string(name));
  if (number < 0)
    fields.wrong(name, "an entry");
  return number;
}

Dimension Reader::readDimension(const Fields &fields) const {
  Dimension dimension;
  dimension.name = fields.string("name");
  dimension.size = fields.integer("size");
  dimension.bound = fields.integer("bound");
  if (fields.find("formula"))
    dimension.formula = formula(fields, "formula");
  dimension.line = fields.integer("line").value_or(0);
  return dimension;
}

Parameter Reader::readParameter(const Fields &fields) const {
  Parameter parameter;
  parameter.name = fields.string("name");
  parameter.dims = dimensions(fields);
  parameter.loops = static_cast<int>(fields.integer("loops").value_or(0));
  parameter.element = element(fields);
  if (parameter.element == Element::GroupedInt8)
    fields.wrong("element", "float, int or bool");
  parameter.kind = oneOf<ParameterKind>(fields, "kind", {"parameter", "state", "optimizer"});
  parameter.initial =
      oneOf<InitialValue>(fields, "init", {"normal", "truncated_normal", "uniform", "constant"});
  parameter.value = fields.real("value");
  parameter.packedAlone = fields.flag("packed_alone");
  if (parameter.loops < 0 || parameter.loops > static_cast<int>(parameter.dims.size()))
    fields.wrong("loops", "within dims");
  for (int dim : parameter.dims)
    if (!facts.dims[dim].size)
      fields.wrong("dims", "of fixed size");
  return parameter;
}

Argument Reader::readArgument(const Fields &fields) const {
  Argument argument;
  argument.name = fields.string("name");
  argument.element = element(fields);
  argument.dims = dimensions(fields);
  argument.index = dimension(fields, "index");
  argument.cache = fields.flag("cache");
  argument.gradientOf = fields.stringOr("gradient_of", "");
  if (argument.element == Element::GroupedInt8) {
    std::optional<int64_t> row;
    if (argument.cache && !argument.dims.empty())
      row = facts.dims[argument.dims.back()].size;
    if (!row || *row % grouped::length != 0)
      fields.wrong("element", "int8 of caches whose rows are whole groups of 32");
  }
  return argument;
}

PackedFacts Reader::readPacked(const Fields &fields) const {
  PackedFacts packed;
  packed.bytes = formula(fields, "bytes");
  if (std::optional<int64_t> of = fields.integer("of")) {
    packed.of = static_cast<int>(*of);
    if (*of < 0 || *of >= static_cast<int64_t>(facts.parameters.size()))
      fields.wrong("of", "a parameter");
  }
  packed.varies = dimensions(fields, "varies");
  packed.carried = fields.flag("carried");
  constexpr int64_t most = int64_t(1) << 46; // no machine maps as much
  auto isPlausible = [&](CheckedSize bytes) {
    return !bytes.beyond && bytes.value >= 0 && bytes.value <= most;
  };
  if (packed.carried && (packed.of < 0 || !packed.varies.empty() || !packed.bytes.dims().empty() ||
                         !isPlausible(packed.bytes.at(nullptr))))
    fields.wrong("carried", "of what is made of one parameter alone, whatever the sizes");
  for (const Parameter &parameter : facts.parameters)
    if (parameter.packedAlone && !packed.carried &&
        (packed.of < 0 || &parameter == &facts.parameters[static_cast<size_t>(packed.of)]))
      fields.wrong("carried", "true, where a parameter is packed alone");
  return packed;
}

Entry Reader::readEntry(const Fields &fields) const {
  Entry entry;
  entry.name = fields.string("name");
  entry.kind =
      oneOf<EntryKind>(fields, "kind", {"plain", "gradient", "update", "begin", "advance"});
  auto into = [&](std::vector<Argument> &list) {
    return [&](const Json &json, const std::string &path) {
      list.push_back(readArgument(fields.of(json, path)));
    };
  };
  fields.each("inputs", into(entry.inputs));
  fields.each("outputs", into(entry.outputs));
  fields.each("obligations", [&](const Json &json, const std::string &path) {
    Fields own = fields.of(json, path);
    entry.obligations.push_back(
        {own.string("text"), dimensions(own),
         oneOf<SizeRelation>(own, "relation", {"at_most", "equal", "multiple"}),
         formula(own, "left"), formula(own, "right")});
  });
  entry.work = buffers(fields, "work");
  entry.behind = behind(fields, entry.work.size());
  entry.packed = numbers(fields, "packed", facts.packed.size(), "a list of the packed weights");
  entry.writes = numbers(fields, "writes", facts.parameters.size(), "a list of parameters");
  return entry;
}

Training Reader::readTraining(const Fields &fields) const {
  Training training;
  training.name = fields.string("name");
  training.gradient = entry(fields, "gradient");
  training.update = entry(fields, "update");
  training.loss = facts.entry(fields.stringOr("entry", "")); // a build may leave it out
  bool evaluates = !fields.find("gradient") && !fields.find("update") && training.loss >= 0;
  if (evaluates)
    training.gradient = training.loss;
  if (training.gradient < 0 || (training.update < 0 && !evaluates))
    fields.wrong("gradient", "an entry");
  if (!facts.trainings.empty() && evaluates == facts.trains())
    fields.wrong("gradient", "there where another training has one");
  fields.each("metrics", [&](const Json &name, const std::string &path) {
    if (!name.is_string())
      return fields.wrong("metrics", "a list of names");
    training.metrics.push_back(name.get<std::string>());
  });
  if (training.loss >= 0 && facts.entries[static_cast<size_t>(training.loss)].outputs.size() <
                                1 + training.metrics.size())
    fields.wrong("metrics", "results of the loss behind its first");
  const Json *data = fields.find("data");
  if (!data)
    return training;
  Fields dataFields = fields.of(*data, "training.data");
  training.dataKind = dataFields.string("kind");
  if (const Json *arguments = dataFields.find("arguments"); arguments && arguments->is_object())
    for (const auto &[name, argument] : arguments->items())
      training.arguments[name] = argument.is_string() ? argument.get<std::string>() : "";
  return training;
}

/// Elements that share scales are side by side: neither rows nor positions are cut there.
void Reader::checkGroups(const Fields &fields, const Decoding &decoding) const {
  const std::vector<Argument> &inputs = facts.entries[decoding.advance].inputs;
  int ids = argumentNamed(inputs, decoding.argument);
  for (const Argument &input : inputs) {
    if (input.element != Element::GroupedInt8)
      continue;
    int row = input.dims.back();
    bool isCut = row == decoding.capacity;
    for (int dim : ids < 0 ? std::vector<int>() : inputs[ids].dims)
      isCut |= row == dim;
    if (isCut)
      fields.wrong("advance", "one whose caches keep groups together");
  }
}

Decoding Reader::readDecoding(const Fields &fields) const {
  Decoding decoding;
  decoding.name = fields.string("name");
  decoding.argument = fields.string("argument");
  decoding.begin = entry(fields, "begin");
  decoding.advance = entry(fields, "advance");
  decoding.dim = dimension(fields, "dim");
  decoding.known = dimension(fields, "known");
  decoding.fresh = dimension(fields, "new");
  decoding.capacity = dimension(fields, "capacity");
  decoding.start = fields.integer("start");
  decoding.max = fields.integer("max");
  if (decoding.advance < 0 || decoding.known < 0 || decoding.fresh < 0)
    fields.wrong("advance", "complete");
  else
    checkGroups(fields, decoding);
  return decoding;
}

KernelFacts Reader::readKernel(const Fields &fields) const {
  KernelFacts kernel;
  kernel.name = fields.string("name");
  kernel.family = fields.string("family");
  fields.each("lines", [&](const Json &line, const std::string &) {
    if (auto number = wholeNumber(line, 0))
      kernel.lines.push_back(*number);
    else
      fields.wrong("lines", "numbers of lines");
  });
  kernel.dots = fields.integer("dots");
  kernel.products = formula(fields, "products");
  kernel.others = formula(fields, "others");
  bool writesParts = fields.find("writes_parts");
  kernel.writes = {formula(fields, "writes"),
                   formula(fields, writesParts ? "writes_parts" : "writes")};
  fields.each("reads", [&](const Json &pair, const std::string &) {
    if (!pair.is_array() || pair.size() != 2)
      return fields.wrong("reads", "pairs of formulas");
    kernel.reads.emplace_back(formula(pair[0], fields, "reads"), formula(pair[1], fields, "reads"));
  });
  kernel.isMasked = fields.flag("masked");
  kernel.multipliesPairs = fields.flag("pairs");
  kernel.multipliesScaledPairs = fields.flag("scaled_pairs");
  return kernel;
}

Result<Facts> Reader::read(std::string_view json) {
  Json document = parseJson(json);
  Fields root(document, "facts", problem);
  if (document.is_discarded() || root.need("weft") != 1)
    return Error{Code::Internal, "the facts in this program are not version 1 of Weft's JSON"};
  facts.source = root.stringOr("source", "");
  facts.config = root.stringOr("config", "");
  facts.cores = root.integer("cores");
  if (const Json *tuned = root.find("tuned"))
    for (int isa = 0; isa < setsOfProcessors; ++isa)
      if (auto count = root.of(*tuned, "tuned").integer(isaName(isa)))
        facts.tuned[isaName(isa)] = *count;
  facts.precision = root.stringOr("precision", "float32");
  facts.weights = root.stringOr("weights", "");
  const Json *reads = root.find("reads");
  facts.reads = reads ? jsonText(*reads) : "{}";
  auto readInto = [&](const char *name, auto &list, auto method) {
    root.each(name, [&](const Json &json, const std::string &path) {
      list.push_back((this->*method)(root.of(json, path)));
    });
  };
  root.each("dims", [&](const Json &, const std::string &) { ++dimensionCount; });
  readInto("dims", facts.dims, &Reader::readDimension);
  readInto("parameters", facts.parameters, &Reader::readParameter);
  readInto("packed", facts.packed, &Reader::readPacked);
  readInto("entries", facts.entries, &Reader::readEntry);
  readInto("training", facts.trainings, &Reader::readTraining);
  readInto("decoding", facts.decodings, &Reader::readDecoding);
  readInto("kernels", facts.kernels, &Reader::readKernel);
  if (const Json *texts = root.find("carries")) {
    facts.carried.emplace();
    if (!texts->is_object())
      root.wrong("carries", "an object");
    for (const auto &[name, bytes] : texts->items())
      if (auto count = wholeNumber(bytes, 0))
        facts.carried->texts.push_back({name, *count});
      else
        root.wrong("carries", "lengths of texts");
  }
  if (!problem.empty())
    return Error{Code::Internal, "the facts in this program are wrong: " + problem};
  for (const Decoding &each : facts.decodings)
    if (each.begin >= 0)
      for (Argument &input : facts.entries[each.advance].inputs)
        input.once = argumentNamed(facts.entries[each.begin].inputs, input.name) >= 0;
  return std::move(facts);
}

Result<Facts> weft::runtime::readFacts(std::string_view json) {
  return Reader().read(json);
}
