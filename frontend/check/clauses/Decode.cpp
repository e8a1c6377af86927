// `decode[seq](logits, start = 0, max = 8)` against the entry that it continues.
#include "frontend/check/body/Body.h"
#include "frontend/check/clauses/Derived.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {
namespace {

class DecodeChecker : ClauseChecker {
public:
  using ClauseChecker::ClauseChecker;

  void run(const FunctionInfo *entry) {
    onlyNamed({"start", "max"});
    if (call.args.size() > 1)
      error(Code::E0308, call.args[1]->span, "`decode` takes one entry", "unexpected")
          .suggest("the others have names: `start = 0, max = 8`");
    const Dim *along = decodeDim();
    const Dim *vocabulary = nullptr;
    if (along && entry && entry->signature.known)
      vocabulary = decoded(*along, *entry);
    bool start = named("start"), max = named("max");
    if (!start || !max)
      error(Code::E0308, call.callee.span,
            fmt::format("missing argument{} of `decode`", start ? " `max`"
                                                          : max ? " `start`"
                                                                : "s `start` and `max`"))
          .suggest(fmt::format("`start` is the first token, `max` the most to append: `{}{}{}`",
                               start ? "" : "start = 0", start || max ? "" : ", ",
                               max ? "" : "max = 8"));
    if (const ast::Expr *first = named("start"))
      numbers.check(*first, "start", vocabulary);
    if (const ast::Expr *most = named("max"))
      numbers.check(*most, "max");
  }

private:
  const Dim *decodeDim() {
    if (call.dims.size() != 1 || call.dims[0].dims.size() != 1) {
      error(Code::E0307, call.callee.span, "`decode` grows along one dimension")
          .suggest("`decode[seq](logits, start = 0, max = 8)`");
      return nullptr;
    }
    const ast::Name &name = call.dims[0].dims[0];
    const Dim *dim = findDim(module, name, module.tree.dims);
    if (!dim || !dim->defined || dim->broken)
      return dim;
    error(Code::E0505, name.span, fmt::format("`{}` has a fixed size and cannot grow", name.text))
        .label(dim->place, "size " + show(dim->size))
        .suggest(fmt::format("leave it undefined: `dim {}`", name.text));
    return nullptr;
  }

  /// Checks what goes round: the tokens that grow, and the scores of the next; gives the dimension
  /// that both count in.
  const Dim *decoded(const Dim &along, const FunctionInfo &entry) {
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
};

} // namespace

void checkDecode(Module &module, ClauseNumbers &numbers, const ast::Call &call,
                 const FunctionInfo *entry) {
  DecodeChecker(module, numbers, call).run(entry);
}

} // namespace weft::sema
