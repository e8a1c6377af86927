// Derived entries: `minimize` and `decode` against the entries that they name.
#include "frontend/Minimize.h"
#include "frontend/Quote.h"
#include "frontend/check/Body.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

bool isOptimizer(const FunctionInfo &fn) {
  const std::vector<ArgInfo> &args = fn.signature.args;
  auto isTensor = [](const Type &type) {
    return type.element.isReal() && !type.dims.empty() &&
           std::all_of(type.dims.begin(), type.dims.end(), [](auto *dim) { return dim->isRest(); });
  };
  return fn.isBlock() && fn.signature.dims.empty() && args.size() >= 2 && args[0].name == "value" &&
         args[1].name == "gradient" && isTensor(args[0].type) && isTensor(args[1].type) &&
         isTensor(fn.signature.result);
}

namespace {

class DerivedEntry {
public:
  DerivedEntry(Module &module, const ast::DerivedEntry &syntax) : module(module), syntax(syntax) {}

  void run() {
    const ast::Expr &expr = *syntax.expr;
    auto *call = expr.as<ast::Call>();
    if (!call || (call->callee.text != "minimize" && call->callee.text != "decode")) {
      auto &problem =
          error(Code::E0501, call ? call->callee.span : expr.span,
                "an entry is derived by `minimize` or `decode`")
              .suggest(fmt::format("an entry of its own has a result: `entry {}() -> float = ...`",
                                   syntax.name.text));
      if (call)
        module.suggest(problem, call->callee, {"minimize", "decode"});
      return;
    }
    const FunctionInfo *entry = target(*call);
    call->callee.text == "minimize" ? minimize(*call, entry) : decode(*call, entry);
  }

private:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  /// The entry that the first argument names; null after an error.
  const FunctionInfo *target(const ast::Call &call) {
    auto *variable = call.args.empty() ? nullptr : call.args[0]->as<ast::Variable>();
    if (!variable) {
      error(Code::E0501, call.args.empty() ? call.callee.span : call.args[0]->span,
            fmt::format("`{}` takes the name of an entry first", call.callee.text))
          .suggest(call.callee.text == "minimize" ? "`minimize(loss, adamw(rate = 0.001))`"
                                                  : "`decode[seq](logits, start = 0, max = 8)`");
      return nullptr;
    }
    const std::string &name = variable->name.text;
    if (auto it = module.entries.find(name); it != module.entries.end())
      return it->second;
    std::vector<std::string> known;
    for (const auto &[other, entry] : module.entries)
      known.push_back(other);
    module.suggest(error(Code::E0204, variable->name.span,
                         module.derived.count(name) ? fmt::format("`{}` is itself derived", name)
                                                    : fmt::format("unknown entry `{}`", name))
                       .suggest("name an entry that has a body: `entry loss(...) -> float = ...`"),
                   variable->name, known);
    return nullptr;
  }

  /// Reports arguments that are not in `known`.
  void onlyNamed(const ast::Call &call, const std::vector<std::string> &known) {
    for (const ast::NamedArg &arg : call.named)
      if (std::find(known.begin(), known.end(), arg.name.text) == known.end()) {
        auto &problem =
            error(Code::E0308, arg.name.span,
                  fmt::format("`{}` has no argument `{}`", call.callee.text, arg.name.text))
                .suggest(fmt::format("it takes `{}` by name", fmt::join(known, "` and `")));
        module.suggest(problem, arg.name, known);
      }
  }

  static const ast::Expr *named(const ast::Call &call, std::string_view name) {
    for (const ast::NamedArg &arg : call.named)
      if (arg.name.text == name)
        return arg.value.get();
    return nullptr;
  }

  void minimize(const ast::Call &call, const FunctionInfo *loss) {
    onlyNamed(call, {"clip", "data"});
    if (!call.dims.empty())
      error(Code::E0307, call.dims[0].span, "`minimize` takes no dimensions")
          .suggest("`minimize(loss, adamw(rate = 0.001))`");
    if (loss && loss->signature.known && !isNumber(*loss))
      error(Code::E0502, call.args[0]->span,
            fmt::format("`minimize` needs a number, `{}` gives something else", loss->name))
          .label(loss->syntax->resultSpan, "declared here")
          .suggest(loss->signature.result.dims.empty()
                       ? "the entry must be `-> float`"
                       : fmt::format("let it be `-> float`: `mean[{}](...)`",
                                     quoteGroup(loss->signature.result.dims)));
    optimizer(call);
    if (const ast::Expr *clip = named(call, "clip"))
      positive(*clip, "clip");
    if (const ast::Expr *data = named(call, "data"))
      checkData(*data, loss);
  }

  static bool isNumber(const FunctionInfo &entry) {
    const Type &result = entry.signature.result;
    return entry.syntax->result && result.element.isReal() && result.dims.empty();
  }

  void optimizer(const ast::Call &call) {
    auto *rule = call.args.size() == 2 ? call.args[1]->as<ast::Call>() : nullptr;
    const FunctionInfo *found = rule ? module.function(rule->callee.text, false) : nullptr;
    if (rule && (!found || isOptimizer(*found) || !found->signature.known))
      return checkOptimizer(module, *call.args[1]);
    Span place =
        call.args.size() > 1 ? call.args[call.args.size() > 2 ? 2 : 1]->span : call.callee.span;
    auto &problem = error(Code::E0503, place,
                          rule ? fmt::format("`{}` is not an optimizer", rule->callee.text)
                               : "`minimize` takes an entry and an optimizer");
    auto *bare = call.args.size() == 2 ? call.args[1]->as<ast::Variable>() : nullptr;
    const FunctionInfo *named = bare ? module.function(bare->name.text, false) : nullptr;
    std::string better =
        named && isOptimizer(*named) ? bare->name.text + "()" : "adamw(rate = 0.001)";
    problem.suggest(fmt::format("`minimize({}, {})`",
                                call.args.empty() ? "loss" : quote(*call.args[0]), better));
    if (call.args.size() == 2)
      problem.replace(call.args[1]->span, better);
  }

  /// A number above 0, if it is written out.
  void positive(const ast::Expr &expr, std::string_view name) {
    Static value = evaluate(module, expr, {});
    auto *number = expr.as<ast::Number>();
    auto *unary = expr.as<ast::Unary>();
    if (value.kind == Static::Kind::unknown)
      return;
    if (value.kind != Static::Kind::number || (number && number->value <= 0) || unary)
      error(Code::E0506, expr.span, fmt::format("`{}` is a number above 0", name))
          .suggest(fmt::format("`{} = 1`", name))
          .replace(expr.span, "1");
  }

  void checkData(const ast::Expr &expr, const FunctionInfo *loss) {
    auto *data = expr.as<ast::Call>();
    const DataKind *kind = data ? findDataKind(data->callee.text) : nullptr;
    if (!kind) {
      error(Code::E0504, data ? data->callee.span : expr.span,
            "data comes from `text`, `pairs`, `images` or `tensors`")
          .suggest("`data = text(tokens, next)`: the source, and the arguments of the loss");
      return;
    }
    if (!loss)
      return;
    std::map<std::string_view, const ArgInfo *> filled;
    size_t before = module.diagnostics.errorCount();
    for (size_t i = 0; i < data->args.size(); ++i) {
      const ArgInfo *arg = dataArgument(*data->args[i], *loss);
      if (!kind->roles.empty() && i >= kind->roles.size())
        error(Code::E0504, data->args[i]->span,
              fmt::format("`{}` gives {} tensors", kind->name, kind->roles.size()))
            .suggest(form(*kind));
      else if (!kind->roles.empty())
        filled[kind->roles[i]] = arg;
    }
    for (const ast::NamedArg &arg : data->named) {
      const ArgInfo *found = dataArgument(*arg.value, *loss);
      bool isRole = kind->roles.empty() || std::find(kind->roles.begin(), kind->roles.end(),
                                                     arg.name.text) != kind->roles.end();
      if (!isRole)
        error(Code::E0504, arg.name.span,
              fmt::format("`{}` gives no `{}`", kind->name, arg.name.text))
            .suggest(form(*kind));
      else
        filled[arg.name.text] = found;
    }
    if (kind->name == "text" && module.diagnostics.errorCount() == before)
      checkText(*data, filled);
  }

  /// `text(tokens, next)`
  static std::string form(const DataKind &kind) {
    return fmt::format("it gives `{}({})`: name the argument of the loss for each", kind.name,
                       fmt::join(kind.roles, ", "));
  }

  const ArgInfo *dataArgument(const ast::Expr &expr, const FunctionInfo &loss) {
    auto *variable = expr.as<ast::Variable>();
    std::vector<std::string> known;
    for (const ArgInfo &arg : loss.signature.args) {
      known.push_back(arg.name);
      if (variable && arg.name == variable->name.text)
        return &arg;
    }
    auto &problem =
        error(Code::E0504, expr.span, fmt::format("this is not an argument of `{}`", loss.name))
            .label(loss.syntax->name.span, fmt::format("takes {}", fmt::join(known, ", ")))
            .suggest("name one of its arguments");
    if (variable)
      module.suggest(problem, variable->name, known);
    return nullptr;
  }

  /// Each token of a text, and the one that follows it.
  void checkText(const ast::Call &data, std::map<std::string_view, const ArgInfo *> &filled) {
    if (!filled.count("tokens") || !filled.count("next")) {
      error(Code::E0504, data.callee.span, "`text` gives tokens and the next of each")
          .suggest("name both arguments: `text(tokens, next)`");
      return;
    }
    const ArgInfo *tokens = filled["tokens"], *next = filled["next"];
    if (!tokens || !next || !tokens->type.known || !next->type.known)
      return;
    bool sameType = tokens->type.element == next->type.element &&
                    beyond(tokens->type.dims, next->type.dims).empty() &&
                    beyond(next->type.dims, tokens->type.dims).empty();
    if (tokens != next && sameType && tokens->type.element.isIndex())
      return;
    error(Code::E0504, data.callee.span, "`text` fills two arguments of one type that hold indices")
        .label(tokens->syntax->type->span, show(tokens->type))
        .label(next->syntax->type->span, show(next->type))
        .suggest("`tokens: vocab[batch, seq], next: vocab[batch, seq]`");
  }

  void decode(const ast::Call &call, const FunctionInfo *entry) {
    onlyNamed(call, {"start", "max"});
    if (call.args.size() > 1)
      error(Code::E0308, call.args[1]->span, "`decode` takes one entry", "unexpected")
          .suggest("the others have names: `start = 0, max = 8`");
    const Dim *along = decodeDim(call);
    const Dim *vocabulary = nullptr;
    if (along && entry && entry->signature.known)
      vocabulary = decoded(call, *along, *entry);
    bool start = named(call, "start"), max = named(call, "max");
    if (!start || !max)
      error(Code::E0308, call.callee.span,
            fmt::format("missing argument{} of `decode`", start ? " `max`"
                                                          : max ? " `start`"
                                                                : "s `start` and `max`"))
          .suggest(fmt::format("`start` is the first token, `max` the most to append: `{}{}{}`",
                               start ? "" : "start = 0", start || max ? "" : ", ",
                               max ? "" : "max = 8"));
    count(call, "start", 0, vocabulary);
    count(call, "max", 1, nullptr);
  }

  const Dim *decodeDim(const ast::Call &call) {
    if (call.dims.size() != 1 || call.dims[0].dims.size() != 1) {
      error(Code::E0307, call.callee.span, "`decode` grows along one dimension")
          .suggest("`decode[seq](logits, start = 0, max = 8)`");
      return nullptr;
    }
    const ast::Name &name = call.dims[0].dims[0];
    const Dim *dim = findDim(module, name, module.dims);
    if (!dim || !dim->defined || dim->broken)
      return dim;
    error(Code::E0505, name.span, fmt::format("`{}` has a fixed size and cannot grow", name.text))
        .label(dim->place, "size " + show(dim->size))
        .suggest(fmt::format("leave it undefined: `dim {}`", name.text));
    return nullptr;
  }

  /// Checks what goes round: the tokens that grow, and the scores of the next; gives the dimension
  /// that both count in.
  const Dim *decoded(const ast::Call &call, const Dim &along, const FunctionInfo &entry) {
    std::string atom = along.size.str();
    std::vector<const ArgInfo *> growing;
    for (const ArgInfo &arg : entry.signature.args)
      for (const Dim *dim : arg.type.dims) {
        std::vector<std::string> atoms = dim->size.dims();
        if (std::find(atoms.begin(), atoms.end(), atom) == atoms.end())
          continue;
        growing.push_back(&arg);
        break;
      }
    Span place = call.dims[0].span;
    if (growing.empty()) {
      auto &problem = error(Code::E0505, place,
                            fmt::format("no argument of `{}` has `{}`", entry.name, along.name))
                          .label(entry.syntax->name.span, "declared here");
      for (const ArgInfo &arg : entry.signature.args)
        if (arg.type.element.isIndex() && !arg.type.dims.empty())
          problem
              .suggest(fmt::format("`{}` grows along `{}`", arg.name, arg.type.dims.back()->name))
              .replace(place, arg.type.dims.back()->name);
      return nullptr;
    }
    if (growing.size() > 1) {
      error(Code::E0505, place,
            fmt::format("more than one argument of `{}` grows with `{}`", entry.name, along.name))
          .label(growing[0]->syntax->name.span, show(growing[0]->type))
          .label(growing[1]->syntax->name.span, show(growing[1]->type))
          .suggest("compute the others in the entry");
      return nullptr;
    }
    const ArgInfo &tokens = *growing.front();
    if (!tokens.type.element.isIndex() || !contains(tokens.type.dims, &along)) {
      error(Code::E0505, place,
            fmt::format("`{}` has nothing that could be appended to", entry.name))
          .label(tokens.syntax->type->span, "holds " + show(tokens.type))
          .suggest(
              fmt::format("it must hold indices: `{}: vocab[batch, {}]`", tokens.name, along.name));
      return nullptr;
    }
    const Dim *vocabulary = tokens.type.element.dim;
    const Type &scores =
        entry.syntax->result ? entry.signature.result : entry.signature.results.front().second;
    if (scores.element.isReal() && contains(scores.dims, &along) && !scores.dims.empty() &&
        scores.dims.back() == vocabulary)
      return vocabulary;
    error(Code::E0505, call.args[0]->span,
          fmt::format("`{}` does not score the next `{}`", entry.name, vocabulary->name))
        .label(entry.syntax->resultSpan, "gives " + show(scores))
        .suggest(fmt::format("its result must be `[..., {}, {}]`, a number for each", along.name,
                             vocabulary->name));
    return nullptr;
  }

  /// A whole number from `least`; below the size of `below`, if that is known.
  void count(const ast::Call &call, std::string_view name, int64_t least, const Dim *below) {
    const ast::Expr *expr = named(call, name);
    if (!expr)
      return;
    Static value = evaluate(module, *expr, {});
    if (value.kind == Static::Kind::unknown)
      return;
    auto *number = expr->as<ast::Number>();
    bool isOption = expr->is<ast::Variable>() && value.kind == Static::Kind::number;
    if (!isOption && (!number || !number->isInteger || number->integer < least)) {
      error(Code::E0506, expr->span, fmt::format("`{}` is a whole number from {}", name, least))
          .suggest(fmt::format("`{} = {}`", name, least))
          .replace(expr->span, std::to_string(least));
      return;
    }
    std::optional<int64_t> size = below ? below->size.constant() : std::nullopt;
    if (number && size && number->integer >= *size)
      error(Code::E0506, expr->span,
            fmt::format("`{}` has no position {}", below->name, number->integer))
          .label(below->place, fmt::format("positions 0 to {}", *size - 1))
          .suggest(fmt::format("`{} = 0`", name))
          .replace(expr->span, "0");
  }

  Module &module;
  const ast::DerivedEntry &syntax;
};

} // namespace

void checkDerived(Module &module) {
  for (const auto &[name, derived] : module.derived)
    DerivedEntry(module, *derived).run();
}

/// An optimizer's call, with what `minimize` fills in: its body is that of no function.
void checkOptimizer(Module &module, const ast::Expr &call) {
  FunctionInfo caller;
  caller.name = "minimize";
  caller.kind = ast::FnKind::block;
  caller.dims = DimScope(&module.dims);
  BodyChecker(module, caller).runOptimizer(call);
}

} // namespace weft::sema
