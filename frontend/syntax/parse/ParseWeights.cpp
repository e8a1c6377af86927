// `weights`: how a foreign file names and lays out parameters.
#include "frontend/syntax/parse/Grammar.h"

using namespace weft;
using namespace weft::ast;

/// What stands between the quotes.
static std::string quoted(const Token &token) {
  std::string_view text = token.text;
  text.remove_prefix(1);
  if (text.ends_with('"'))
    text.remove_suffix(1);
  return std::string(text);
}

/// "weights" NAME "{" { rule } "}": rules end with their line or a comma.
std::optional<Weights> Grammar::weights() {
  Form form(
      *this,
      "`weights name { \"name.in.file\" = own.path, Linear.weight: [out, in], ignore \"other\" }`");
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

/// STRING "=" ( NAME "(" ")" | rename ) | "copy" STRING "=" rename | ownPart ":" layout
/// | ignored | sized | optioned
std::optional<WeightRule> Grammar::weightRule() {
  bool isCopy = atWord("copy") && following().is(TokenKind::string);
  if (isCopy)
    advance();
  if (at(TokenKind::string)) {
    std::string foreign = quoted(current());
    Span span = current().span;
    advance();
    if (!expect(TokenKind::assign, "`=` and our name for it"))
      return std::nullopt;
    if (!isCopy && at(TokenKind::name) && following().is(TokenKind::leftParen))
      return computed({std::move(foreign), span, {}});
    return rename({std::move(foreign), span, isCopy, Together::one, std::nullopt, {}, {}});
  }
  if (atWord("ignore") && (following().is(TokenKind::string) ||
                           (following().is(TokenKind::name) && following().text == "option")))
    return ignored();
  if (atWord("size") && following().is(TokenKind::string))
    return sized();
  if (atWord("option") && following().is(TokenKind::string))
    return optioned();
  LayoutRule rule;
  std::optional<OwnPart> own =
      ownPart("`\"foreign name\" = path`, `path: [dims]`, `copy \"name\" = path`, `ignore "
              "\"name\"`, `size \"name\" = dim` or `option \"name\" = value`");
  if (!own || !expect(TokenKind::colon, "`:` and the order of the dimensions"))
    return std::nullopt;
  rule.part = std::move(*own);
  std::optional<std::vector<Group>> order = layout();
  if (!order)
    return std::nullopt;
  rule.layout = std::move(*order);
  return rule;
}

/// "ignore" [ "option" ] STRING
std::optional<WeightRule> Grammar::ignored() {
  advance();
  IgnoreRule rule;
  rule.isOption = atWord("option");
  if (rule.isOption)
    advance();
  if (!at(TokenKind::string)) {
    expected("the name of what is ignored, in quotes");
    return std::nullopt;
  }
  rule.foreign = quoted(current());
  rule.foreignSpan = current().span;
  advance();
  return rule;
}

/// "size" STRING "=" group
std::optional<WeightRule> Grammar::sized() {
  advance();
  SizeRule rule{quoted(current()), current().span, {}};
  advance();
  if (!expect(TokenKind::assign, "`=` and our dimension for it"))
    return std::nullopt;
  std::optional<Group> dims = group();
  if (!dims)
    return std::nullopt;
  rule.dims = std::move(*dims);
  return rule;
}

/// "option" STRING "=" ( STRING | expression )
std::optional<WeightRule> Grammar::optioned() {
  advance();
  OptionRule rule{quoted(current()), current().span, std::nullopt, nullptr};
  advance();
  if (!expect(TokenKind::assign, "`=` and what it is here"))
    return std::nullopt;
  if (at(TokenKind::string)) {
    rule.text = quoted(current());
    advance();
    return rule;
  }
  rule.value = expression();
  if (!rule.value)
    return std::nullopt;
  return rule;
}

/// NAME "(" ")"
std::optional<WeightRule> Grammar::computed(ComputedRule rule) {
  std::optional<Name> entry = name("an entry");
  if (!entry)
    return std::nullopt;
  rule.entry = std::move(*entry);
  open(TokenKind::leftParen);
  if (!close(TokenKind::rightParen))
    return std::nullopt;
  return rule;
}

/// ( ownPart | ("stack" | "concat") "[" NAME "]" "(" ownPart {"," ownPart} ")" ) [ ":" layout ]
std::optional<WeightRule> Grammar::rename(RenameRule rule) {
  auto part = [&] {
    std::optional<OwnPart> one = ownPart("our name for it");
    if (one)
      rule.parts.push_back(std::move(*one));
    return one.has_value();
  };
  if (putsTogether()) {
    rule.together = atWord("stack") ? Together::stack : Together::concat;
    advance();
    open(TokenKind::leftSquare);
    rule.along = name("a dimension");
    if (!close(TokenKind::rightSquare) || !open(TokenKind::leftParen))
      return std::nullopt;
    if (at(TokenKind::rightParen)) {
      expected("our names for it");
      return std::nullopt;
    }
    if (!list(TokenKind::rightParen, part))
      return std::nullopt;
  } else if (!part()) {
    return std::nullopt;
  }
  if (take(TokenKind::colon)) {
    rule.layout = layout();
    if (!rule.layout)
      return std::nullopt;
  }
  return rule;
}

/// Whether `stack[d](` or `concat[d](` is next; both words may also be names of the program.
bool Grammar::putsTogether() const {
  return (atWord("stack") || atWord("concat")) && index + 4 < tokens.size() &&
         tokens[index + 1].is(TokenKind::leftSquare) && tokens[index + 2].is(TokenKind::name) &&
         tokens[index + 3].is(TokenKind::rightSquare) && tokens[index + 4].is(TokenKind::leftParen);
}

/// path [ "[" pick {"," pick} "]" ]
std::optional<OwnPart> Grammar::ownPart(std::string_view what) {
  std::optional<Path> own = path(what);
  if (!own)
    return std::nullopt;
  OwnPart part{std::move(*own), {}};
  if (!open(TokenKind::leftSquare))
    return part;
  if (at(TokenKind::rightSquare)) {
    expected("a dimension");
    return std::nullopt;
  }
  bool read = list(TokenKind::rightSquare, [&] {
    std::optional<Pick> one = pick();
    if (one)
      part.picks.push_back(std::move(*one));
    return one.has_value();
  });
  if (!read)
    return std::nullopt;
  return part;
}

/// "[" [ group {"," group} ] "]"
std::optional<std::vector<Group>> Grammar::layout() {
  if (!open(TokenKind::leftSquare)) {
    expected("`[`");
    return std::nullopt;
  }
  std::vector<Group> axes;
  bool read = list(TokenKind::rightSquare, [&] {
    std::optional<Group> dims = group();
    if (dims)
      axes.push_back(std::move(*dims));
    return dims.has_value();
  });
  if (!read)
    return std::nullopt;
  return axes;
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
