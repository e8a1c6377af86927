// `minimize(loss, adamw(…), clip = 1, data = text(tokens, next))` against the entry that it makes
// small.
#include "frontend/builtin/Minimize.h"
#include "frontend/check/body/Body.h"
#include "frontend/check/clauses/Derived.h"
#include "frontend/syntax/Quote.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// An optimizer's call, with what `minimize` fills in: its body is that of no function.
void checkOptimizer(Module &module, const ast::Expr &call) {
  FunctionInfo caller;
  caller.name = "minimize";
  caller.kind = ast::FnKind::block;
  caller.dims = DimScope(&module.tree.dims);
  BodyChecker(module, caller).runOptimizer(call);
}

namespace {

class MinimizeChecker : ClauseChecker {
public:
  using ClauseChecker::ClauseChecker;

  void run(const FunctionInfo *loss) {
    onlyNamed({"clip", "clip_value", "data"});
    if (!call.dims.empty())
      error(Code::E0307, call.dims[0].span, "`minimize` takes no dimensions")
          .suggest("`minimize(loss, adamw(rate = 0.001))`");
    if (loss && loss->signature.known)
      loss->syntax->result ? oneResult(*loss) : severalResults(*loss);
    optimizer();
    for (std::string_view clip : {"clip", "clip_value"})
      if (const ast::Expr *limit = named(clip))
        numbers.check(*limit, clip);
    if (const ast::Expr *data = named("data"))
      checkData(*data, loss);
  }

private:
  static bool isNumber(const Type &type) { return type.element.isReal() && type.dims.empty(); }

  void oneResult(const FunctionInfo &loss) {
    const Type &result = loss.signature.result;
    if (isNumber(result))
      return;
    error(Code::E0502, call.args[0]->span,
          fmt::format("`minimize` needs a number, `{}` gives something else", loss.name))
        .label(loss.syntax->resultSpan, "declared here")
        .suggest(result.dims.empty() ? "the entry must be `-> float`"
                                     : fmt::format("let it be `-> float`: `mean[{}](...)`",
                                                   quoteGroup(result.dims)));
  }

  /// The first is minimized, the others are measured beside it and stand in the log by their names.
  void severalResults(const FunctionInfo &loss) {
    const auto &results = loss.signature.results;
    const std::string &minimized = results.front().first->name.text;
    const Type &first = results.front().second;
    if (first.known && !isNumber(first))
      return noNumber(loss, *results.front().first, true);
    if (minimized == countResult)
      error(Code::E0507, results.front().first->name.span,
            fmt::format("`{}` says how many values the means are over", minimized))
          .label(call.args[0]->span, "minimized here")
          .suggest("put what is minimized first");
    for (const auto &[result, type] : results) {
      if (type.known && !isNumber(type))
        noNumber(loss, *result, false);
      else if (result->name.text != minimized)
        metric(*result, minimized);
    }
  }

  void noNumber(const FunctionInfo &loss, const ast::Result &result, bool isMinimized) {
    const std::string &name = result.name.text;
    auto &problem = error(
        Code::E0502, call.args[0]->span,
        isMinimized
            ? fmt::format("`minimize` needs a number first, `{}` gives something else", loss.name)
            : fmt::format("what is measured beside a loss is a number, `{}` is something else",
                          name));
    problem.label(result.type.span, "declared here");
    problem.suggest(isMinimized
                        ? "the first result is minimized: `-> (loss: float, ...)`"
                        : fmt::format("let it be `{}: float`, or give it in another entry", name));
  }

  void metric(const ast::Result &result, const std::string &minimized) {
    const std::string &name = result.name.text;
    if (name == "loss")
      error(Code::E0507, result.name.span,
            fmt::format("`{}` comes first and is minimized, not `loss`", minimized))
          .label(call.args[0]->span, "minimized here")
          .suggest("put `loss` first: the others are measured beside it");
    else if (isLogged(name))
      error(Code::E0507, result.name.span,
            fmt::format("a training's log calls something of its own `{}`", name))
          .label(call.args[0]->span, "this measures it")
          .suggest("name it otherwise");
  }

  void optimizer() {
    const ast::Expr *given = call.args.size() > 1 ? call.args[1].get() : nullptr;
    if (!given) {
      error(Code::E0503, call.callee.span, "`minimize` takes an entry and an optimizer")
          .suggest(fmt::format("`minimize({}, adamw(rate = 0.001))`",
                               call.args.empty() ? "loss" : quote(*call.args[0])));
      return;
    }
    rule(*given, "minimize");
    for (size_t i = 2; i < call.args.size(); ++i)
      group(*call.args[i]);
  }

  /// An optimizer's call, in `minimize` or `group`.
  void rule(const ast::Expr &given, std::string_view taker) {
    auto *rule = given.as<ast::Call>();
    const FunctionInfo *found = rule ? module.tree.function(rule->callee.text, false) : nullptr;
    if (rule && (!found || isOptimizer(*found) || !found->signature.known)) {
      if (found)
        oneRate(*found, *rule);
      return checkOptimizer(module, given);
    }
    auto *bare = given.as<ast::Variable>();
    const FunctionInfo *named = bare ? module.tree.function(bare->name.text, false) : nullptr;
    std::string better =
        named && isOptimizer(*named) ? bare->name.text + "()" : "adamw(rate = 0.001)";
    error(Code::E0503, given.span,
          rule               ? fmt::format("`{}` is not an optimizer", rule->callee.text)
          : taker == "group" ? "`group` takes an optimizer and then paths"
                             : "`minimize` takes an entry and an optimizer")
        .suggest(taker == "group" ? fmt::format("`group({}, ...)`", better)
                                  : fmt::format("`minimize({}, {})`", quote(*call.args[0]), better))
        .replace(given.span, better);
  }

  /// The rate of a step is logged.
  void oneRate(const FunctionInfo &optimizer, const ast::Call &call) {
    for (const ArgInfo &arg : optimizer.signature.args)
      if (arg.name == "rate" && !arg.isStatic && arg.type.known && !isNumber(arg.type))
        error(Code::E0503, call.callee.span,
              fmt::format("the `rate` of an optimizer is one number"))
            .label(arg.syntax->type->span, "declared " + show(arg.type))
            .suggest("`rate: float`; what differs by position has another name");
  }

  /// `freeze(encoder)`, `group(adamw(rate = 0.0001), encoder)`.
  void group(const ast::Expr &given) {
    if (std::optional<ParameterGroup> read = readGroup(given)) {
      if (read->optimizer)
        rule(*read->optimizer, "group");
      return;
    }
    error(Code::E0508, given.span,
          "after the optimizer stand parameters that are treated otherwise")
        .suggest("`freeze(encoder, table)` leaves them as they are, `group(adamw(rate = 0.0001), "
                 "encoder)` has an optimizer of its own");
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
      if (variable && arg.name == variable->name.text) {
        module.mean(variable->name, arg.variable);
        return &arg;
      }
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
};

} // namespace

void checkMinimize(Module &module, ClauseNumbers &numbers, const ast::Call &call,
                   const FunctionInfo *loss) {
  MinimizeChecker(module, numbers, call).run(loss);
}

} // namespace weft::sema
