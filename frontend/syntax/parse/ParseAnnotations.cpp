// Annotations: what is demanded of the code behind them.
#include "frontend/source/Spelling.h"
#include "frontend/syntax/parse/Grammar.h"

using namespace weft;
using namespace weft::ast;

/// { annotation }, each perhaps on a line of its own
std::optional<std::vector<Annotation>> Grammar::annotations() {
  std::vector<Annotation> all;
  while (at(TokenKind::at)) {
    std::optional<Annotation> one = annotation();
    if (!one)
      return std::nullopt;
    all.push_back(std::move(*one));
    skipNewlines();
  }
  return all;
}

/// "@" ( "require" | "forbid" ) "(" NAME {"," NAME} ")"
std::optional<Annotation> Grammar::annotation() {
  Form form(*this, "`@require(attention)` or `@forbid(attention)`, before what computes it");
  Span start = current().span;
  advance();
  Span place = current().span;
  std::optional<Name> word = name("`require` or `forbid`");
  if (!word)
    return std::nullopt;
  Annotation annotation{word->text == "require", {}, start};
  if (!annotation.required && word->text != "forbid") {
    auto near = nearest(word->text, {"require", "forbid"});
    Diagnostic &error = diagnostics.error(Code::E0108, join(start, place),
                                          fmt::format("there is no `@{}`", word->text));
    if (near)
      error.suggest(fmt::format("did you mean `@{}`?", *near)).replace(place, *near);
    else
      error.suggest("annotations are `@require(…)` and `@forbid(…)`");
    if (!at(TokenKind::leftParen))
      return annotation;
  }
  if (!open(TokenKind::leftParen)) {
    expected("`(` and the name of a fusion");
    return std::nullopt;
  }
  bool read = list(TokenKind::rightParen, [&] {
    std::optional<Name> fusion = name("the name of a fusion");
    if (fusion)
      annotation.fusions.push_back(std::move(*fusion));
    return fusion.has_value();
  });
  if (!read)
    return std::nullopt;
  annotation.span = since(start);
  if (annotation.fusions.empty())
    diagnostics.error(Code::E0108, annotation.span, "this demands nothing")
        .suggest("name a fusion: `@require(attention)`");
  return annotation;
}

/// What declares something computes nothing.
void Grammar::misplaced(const std::vector<Annotation> &annotations) {
  for (const Annotation &each : annotations)
    diagnostics.error(Code::E0108, each.span, "nothing is computed by what stands behind this")
        .suggest("put it before a statement that computes, or before a `fn`, a `block` or an "
                 "`entry` with a body");
}
