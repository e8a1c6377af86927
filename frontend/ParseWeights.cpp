// `weights`: how a foreign file names and lays out parameters.
#include "frontend/Grammar.h"

using namespace weft;
using namespace weft::ast;

/// "weights" NAME "{" { rule } "}": rules end with their line or a comma.
std::optional<Weights> Grammar::weights() {
  Form form(*this,
            "`weights name { \"theirs\" = ours, Linear.weight: [out, in], ignore \"other\" }`");
  advance();
  std::optional<Name> clause = name("a name");
  if (!clause)
    return std::nullopt;
  Weights weights{std::move(*clause), {}};
  skipNewlines();
  Span brace = current().span;
  if (!expect(TokenKind::leftBrace, "`{`"))
    return std::nullopt;
  skipNewlines();
  while (!at(TokenKind::rightBrace)) {
    if (atEnd() || atDeclaration()) {
      unclosed(brace);
      return weights;
    }
    uint32_t start = index;
    std::optional<WeightRule> rule = weightRule();
    bool separated = rule && (take(TokenKind::comma) || endOfStatement(start));
    if (rule)
      weights.rules.push_back(std::move(*rule));
    if (!separated)
      recoverInBody(start);
    skipNewlines();
  }
  advance();
  return weights;
}

/// STRING "=" path | path ":" "[" group {"," group} "]" | "ignore" STRING
std::optional<WeightRule> Grammar::weightRule() {
  auto foreign = [&] {
    std::string_view text = current().text;
    text.remove_prefix(1);
    if (text.ends_with('"'))
      text.remove_suffix(1);
    return std::string(text);
  };
  if (at(TokenKind::string)) {
    RenameRule rule{foreign(), current().span, {}};
    advance();
    if (!expect(TokenKind::assign, "`=` and our name for it"))
      return std::nullopt;
    std::optional<Path> ours = path("our name for it");
    if (!ours)
      return std::nullopt;
    rule.path = std::move(*ours);
    return rule;
  }
  if (atWord("ignore") && following().is(TokenKind::string)) {
    advance();
    IgnoreRule rule{foreign(), current().span};
    advance();
    return rule;
  }
  LayoutRule rule;
  std::optional<Path> ours = path("`\"foreign name\" = path`, `path: [dims]` or `ignore \"name\"`");
  if (!ours || !expect(TokenKind::colon, "`:` and the order of the dimensions"))
    return std::nullopt;
  rule.path = std::move(*ours);
  if (!open(TokenKind::leftSquare)) {
    expected("`[`");
    return std::nullopt;
  }
  bool read = list(TokenKind::rightSquare, [&] {
    std::optional<Group> dims = group();
    if (dims)
      rule.layout.push_back(std::move(*dims));
    return dims.has_value();
  });
  if (!read)
    return std::nullopt;
  return rule;
}

std::optional<Path> Grammar::path(std::string_view what) {
  Path path;
  Span start = current().span;
  do {
    std::optional<Name> next = name(path.names.empty() ? what : "a name after `.`");
    if (!next)
      return std::nullopt;
    path.names.push_back(std::move(*next));
  } while (take(TokenKind::dot));
  path.span = since(start);
  return path;
}
