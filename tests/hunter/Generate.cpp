// Entries around a body.
#include "Generate.h"
#include "Body.h"

#include "ir/model/demands/Fusions.h"
#include "passes/Pipeline.h"

#include <fmt/format.h>
#include <regex>

namespace weft::hunter {
namespace {

class Program {
public:
  explicit Program(uint64_t seed) : seed(seed), numbers(seed, "program"), whole(numbers) {}

  Written make() {
    bool large = numbers.chance(0.12), far = !large && numbers.chance(0.05);
    unsigned runs = 1 + numbers.below(far ? 2 : 3);
    whole.most = far ? 170000 : large ? 30000 : 2500;
    distant = far;
    // Of their own, so that all other programs are the same without.
    Numbers kept(seed, "caches");
    bool rounds = kept.chance(0.08);
    if (rounds)
      whole.most = 30000;
    whole.dims.declare(runs, large && !rounds, far && !rounds, rounds);
    unsigned statements = numbers.chance(0.55) ? 2 + numbers.below(4) : 4 + numbers.below(11);
    std::string entries = numbers.chance(0.12) || rounds ? continued(statements)
                          : numbers.chance(0.33)         ? direct(statements)
                                                         : throughBlock(statements);
    std::string text = "fn tame(x: [..]) -> [..] = log(1 + (x + 0.3) ^ 2)\n" + options() +
                       forbidding(whole.functions + entries);
    Written subject;
    subject.risks = whole.risks;
    subject.text = whole.dims.text(words(text)) + text;
    subject.seed = seed;
    for (unsigned run = 0; run < runs; ++run)
      subject.sizes.push_back(whole.dims.given(run));
    subject.differences = !far && (!large || numbers.chance(0.3));
    subject.optimized = numbers.chance(0.1);
    subject.ties = numbers.chance(0.15);
    // Where only differences of numbers count, they may be large; what multiplies them knows
    // little.
    bool differs = text.find("log_softmax[") != std::string::npos ||
                   text.find(" - log(sum[") != std::string::npos ||
                   text.find("cross_entropy[") != std::string::npos;
    subject.far = differs && text.find("attend[") == std::string::npos && numbers.chance(0.4);
    subject.extreme = numbers.chance(0.1);
    // Each costs a compilation: most programs have one, some all.
    // A set that the machine lacks is stood in for.
    if (!numbers.chance(0.15))
      subject.isas = {oneOf(numbers, {"x86-64-v3", "avx512", "avx512"})};
    if (numbers.chance(0.3))
      subject.without = {left()};
    if (numbers.chance(0.2))
      subject.precision = "bf16";
    if (numbers.chance(0.25))
      subject.weights =
          oneOf(numbers, {"int8,head=int8", "int4,head=int4", "int8", "int4,head=int8"});
    if (numbers.chance(0.3))
      subject.schedules = seed + 1; // as if a machine had been tuned
    subject.chunks = numbers.chance(0.5);
    if (rounds)
      subject.caches = "int8";
    else if (kept.chance(0.2))
      subject.caches = oneOf(kept, {"float32", "bf16", "int8"});
    Numbers sets(seed, "sets"); // of their own too
    if (!subject.isas.empty() && sets.chance(0.5))
      subject.setOfPairs = oneOf(sets, {"avx512-bf16", "amx"});
    subject.tryPairs();
    return subject;
  }

private:
  /// Words of the text, of which some are dimensions.
  static std::vector<std::string> words(const std::string &text) {
    static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
    std::vector<std::string> result;
    for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
      result.push_back(at->str());
    return result;
  }

  /// With `@forbid` before some statements and bodies: what is left as it is written is the same.
  std::string forbidding(const std::string &text) const {
    Numbers numbers(seed, "forbid"); // of their own, so that a program is the same without
    if (!numbers.chance(0.2))
      return text;
    static const std::regex place("(^|\\n)( *)(x[0-9]+ = |repeat\\[|entry [a-z]+\\(|block |fn )");
    std::string result;
    auto from = text.cbegin();
    for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at) {
      result.append(from, (*at)[3].first);
      if (numbers.chance(0.3))
        result += fmt::format("@forbid({}) ",
                              model::fusions[numbers.below(std::size(model::fusions))].name);
      from = (*at)[3].first;
    }
    return result.append(from, text.cend());
  }

  std::string options() {
    std::string result;
    for (auto &[name, value] : whole.options)
      result += fmt::format("option {} = {}\n", name, value);
    return result;
  }

  std::vector<std::string> left() {
    static const std::vector<std::vector<std::string>> groups = [] {
      std::vector<std::vector<std::string>> all = {{"canonicalize", "weft-cse"},
                                                   {"weft-fuse-rows", "weft-fuse-epilogues"}};
      for (llvm::StringRef pass : optimizations())
        all.push_back({pass.str()});
      return all;
    }();
    return one(numbers, groups);
  }

  /// Arguments of the program's entries: always one of floats, perhaps ids, masks and lengths.
  void draw(Body &body) {
    auto add = [&](const char *name, const char *element, Names dims) {
      if (!body.all().empty() && numbers.chance(0.3) && dims.size() > 1)
        std::swap(dims.front(), dims.back());
      body.add({name, element, dims});
      arguments +=
          (arguments.empty() ? "" : ", ") + std::string(name) + ": " + typeText(element, dims);
      given += (given.empty() ? "" : ", ") + std::string(name);
    };
    body.all().reserve(600);
    add("arg", "",
        one(numbers, std::vector<Names>{{"b", "s", "m"},
                                        {"b", "s", "m"},
                                        {"s", "m"},
                                        {"b", "m", "s"},
                                        {"s", "b", "m"},
                                        {"b", "f"},
                                        {"b", "s"},
                                        {"b", "s", "h", "d"}}));
    for (auto [name, element, dims, chance] : {std::tuple("arg2", "", Names{"b", "m"}, 0.25),
                                               {"arg3", "", Names{"e"}, 0.25},
                                               {"arg4", "", Names{"s", "f"}, 0.2},
                                               {"arg5", "", Names{"b", "e"}, 0.2},
                                               {"arg6", "", Names{"b", "s", "e"}, 0.2},
                                               {"arg7", "", Names{"u"}, 1.0}, // that it has a size
                                               {"ids", "v", Names{"b", "s"}, 0.35},
                                               {"label", "m", Names{"b"}, 0.15},
                                               {"length", "int", Names{"b"}, 0.25},
                                               {"keep", "bool", Names{"b", "s"}, 0.35},
                                               {"which", "e", Names{"b", "s"}, 0.2},
                                               {"gate", "bool", Names{"s"}, 0.15},
                                               {"scale", "", Names{}, 0.15},
                                               {"far", "", Names{"t", "m"}, 0.2},
                                               {"spot", "s", Names{"b"}, 0.15},
                                               {"pos", "", Names{"place", "m"}, 0.15}}) {
      bool there = true;
      for (const std::string &dim : dims)
        there &= whole.dims.has(dim);
      if (there && numbers.chance(chance))
        add(name, element, dims);
    }
  }

  Names shuffled(Names names) {
    for (size_t i = 1; i < names.size(); ++i)
      if (numbers.chance(0.6))
        std::swap(names[i], names[numbers.below(i + 1)]);
    return names;
  }

  /// With no dimensions but `b`, `s` and `m`.
  static std::string inShape(const Value &value) {
    if (value.has("h") && value.has("d") && !value.has("m") &&
        within(value.dims, {"b", "s", "h", "d"}))
      return value.name + "[(h, d) as m]";
    Names more = without(value.dims, {"b", "s", "m"});
    return more.empty() ? value.name : fmt::format("mean[({})]({})", list(more), value.name);
  }

  /// A model of sequences that looks back only, and what continues one.
  std::string continued(unsigned statements) {
    Body body(whole, 0, true);
    body.onlyBackwards();
    body.all().reserve(600);
    body.add({"x", "", {"b", "s", "m"}});
    bool first = numbers.chance(0.5);
    if (first)
      body.readEarlier();
    body.grow(statements);
    if (!first)
      body.readEarlier();
    // Whatever was computed and not read has a share in the result.
    std::vector<const Value *> open, read;
    for (const Value &value : body.all())
      if (value.isFloat() && value.name != "x")
        (value.used ? read : open).push_back(&value);
    std::string result = "x";
    for (unsigned i = 0; i < 4 && open.size() + read.size() > 0; ++i) {
      std::vector<const Value *> &from = open.empty() ? read : open;
      size_t at = from.size() - 1 - numbers.below(std::min<size_t>(from.size(), 4));
      result += " + tanh(" + inShape(*from[at]) + ")";
      from.erase(from.begin() + at);
    }
    std::string text = "block Net(ids: v[b, s]) -> [b, s, v] {\n  param table: [v, m] = "
                       "normal(0.5)\n  x = table[v = ids]\n" +
                       body.text() + "  sum[m]((" + result + ") * table)\n}\n";
    return text + "entry logits(ids: v[b, s]) -> [b, s, v] = net: Net(ids)\n"
                  "entry more = decode[s](logits, start = 0, max = 4)\n";
  }

  /// One entry with all statements in it, and several results in orders of their own.
  std::string direct(unsigned statements) {
    Body body(whole, 0, false);
    draw(body);
    size_t first = body.all().size();
    body.grow(statements);
    std::vector<Value> made(body.all().begin() + first, body.all().end());
    std::string results = "total: float", tail;
    unsigned count = std::min<size_t>(made.size(), 1 + numbers.below(3));
    for (unsigned i = 0; i < count; ++i) {
      size_t at = made.size() - 1 - (i == 0 ? 0 : numbers.below(made.size()));
      results += fmt::format(", out{}: {}", i, typeText(made[at].element, shuffled(made[at].dims)));
      tail += fmt::format("  out{} = {}\n", i, made[at].name);
      if (i == 0 && numbers.chance(0.7))
        for (Value &value : body.all())
          value.used |= value.name == made[at].name && numbers.chance(0.5);
    }
    if (numbers.chance(0.15) && !made.empty()) // one result, in an order of its own
      return fmt::format("entry run({}) -> {} {{\n{}  {}\n}}\n", arguments,
                         typeText(made.back().element, shuffled(made.back().dims)), body.text(),
                         made.back().name);
    return fmt::format("entry run({}) -> ({}) {{\n{}{}  total = {}\n}}\n", arguments, results,
                       body.text(), tail, body.closing());
  }

  /// A block with parameters, and entries that share it; perhaps what trains it.
  std::string throughBlock(unsigned statements) {
    Body body(whole, 0, true);
    draw(body);
    size_t first = body.all().size();
    if (distant && numbers.chance(0.7))
      body.readEarlier();
    body.grow(statements);
    if (body.all().size() == first)
      return direct(statements);
    Value &last = body.all().back();
    std::string result = last.name, type = typeText("", last.dims);
    Names dims = shuffled(last.dims);
    bool isFloat = last.isFloat();
    if (isFloat) {
      last.used = true;
      type = typeText("", dims);
      result = fmt::format("{} + 0.1 * ({})", result, body.closing());
    } else {
      dims.clear();
      type = "float";
      result = body.closing();
    }
    std::string text =
        fmt::format("block Net({}) -> {} {{\n{}  {}\n}}\n", arguments, type, body.text(), result);
    text += run(body, dims);
    // What is not bent needs nothing of the forward pass for its gradient.
    std::string net = numbers.chance(0.3) ? "net" : "tame(net)";
    std::string inside = dims.empty() ? net : fmt::format("mean[({})]({})", list(dims), net);
    text += fmt::format("entry loss({}) -> float {{\n  net = net: Net({})\n  {}\n}}\n", arguments,
                        given, inside);
    bool trains = body.text().find("param ") != std::string::npos ||
                  body.text().find("Linear[") != std::string::npos;
    if (trains && numbers.chance(0.4))
      text += fmt::format("entry train = minimize(loss, {}{}{})\n",
                          oneOf(numbers, {"adamw(rate = 0.001)", "sgd(rate = 0.1, momentum = 0.9)",
                                          "adam(rate = 0.01)", "lion(rate = 0.001)",
                                          "rmsprop(rate = 0.01)", "adagrad(rate = 0.1)",
                                          "adamw(rate = warmup_cosine(peak = 0.01, warmup = 2))"}),
                          frozen(body.text()),
                          oneOf(numbers, {"", ", clip = 1", ", clip_value = 0.1", ", clip = 1"}));
    return text;
  }

  /// The entry that runs the block: its result, and now and then what it has inside.
  std::string run(const Body &body, const Names &dims) {
    std::vector<Value> inside;
    for (const Value &value : body.left())
      if (numbers.chance(0.5))
        inside.push_back(value);
    if (inside.empty() && !numbers.chance(0.2))
      return fmt::format("entry run({}) -> {} = net: Net({})\n", arguments,
                         typeText("", shuffled(dims)), given);
    for (const Value &value : body.all())
      if (value.name.starts_with("x") && numbers.chance(0.3))
        inside.push_back(value);
    std::string results = "result: " + typeText("", shuffled(dims)), text;
    for (size_t i = 0; i < std::min<size_t>(inside.size(), 4); ++i) {
      results +=
          fmt::format(", in{}: {}", i, typeText(inside[i].element, shuffled(inside[i].dims)));
      text += fmt::format("  in{} = net.{}\n", i, inside[i].name);
    }
    return fmt::format("entry run({}) -> ({}) {{\n  result = net: Net({})\n{}}}\n", arguments,
                       results, given, text);
  }

  /// Some of the body's own parameters, left as they are.
  std::string frozen(const std::string &body) {
    static const std::regex declared("\\n  param (w[0-9]+)");
    std::string names;
    std::sregex_iterator at(body.begin(), body.end(), declared), end;
    for (at = at == end ? end : ++at; at != end; ++at) // one at least is trained
      if (numbers.chance(0.7))
        names += (names.empty() ? "" : ", ") + (*at)[1].str();
    return names.empty() ? "" : ", freeze(" + names + ")";
  }

  uint64_t seed;
  Numbers numbers;
  Whole whole;
  std::string arguments, given;
  bool distant = false; ///< more positions than one block of keys
};

} // namespace

void Written::tryPairs() {
  if (!setOfPairs.empty() && precision == "bf16" && target == reduce::Subject().target)
    isas = {setOfPairs};
}

Written generate(uint64_t seed) {
  return Program(seed).make();
}

std::string codeOf(const reduce::Verdict &verdict) {
  bool refused = verdict.kind == reduce::Kind::invalid || verdict.kind == reduce::Kind::refused;
  return refused && verdict.what.starts_with("E0") ? verdict.what.substr(0, 5) : "";
}

bool isWronglyRefused(const Written &program, const reduce::Verdict &verdict) {
  std::string code = codeOf(verdict);
  return (verdict.kind == reduce::Kind::invalid || !code.empty()) && !program.risks.count(code);
}

} // namespace weft::hunter
