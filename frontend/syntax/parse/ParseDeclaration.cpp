// Declarations: what stands at the top of a file.
#include "frontend/syntax/parse/Grammar.h"
#include "frontend/syntax/parse/Habits.h"

using namespace weft;
using namespace weft::ast;

List<Declaration> Grammar::parseFile() {
  List<Declaration> declarations;
  skipNewlines();
  while (!atEnd() && !stopped) {
    uint32_t startIndex = index;
    std::optional<std::vector<Annotation>> asked = annotations();
    Span start = current().span;
    std::optional<Declaration::Node> node = asked ? declaration() : std::nullopt;
    if (node) {
      if (auto *function = std::get_if<Function>(&*node))
        function->annotations = std::move(*asked);
      else
        misplaced(*asked);
      declarations.push_back({since(start), std::move(*node)});
    }
    // Braces left open have been reported; the next declaration is here.
    bool ended = node && (atDeclaration() || endOfStatement(startIndex));
    if (!ended)
      recoverInFile(startIndex);
    skipNewlines();
    if (diagnostics.full())
      stop();
  }
  return declarations;
}

std::optional<Declaration::Node> Grammar::declaration() {
  switch (current().kind) {
  case TokenKind::kwDim:
    return dims();
  case TokenKind::kwFn:
  case TokenKind::kwBlock: {
    FnKind kind = at(TokenKind::kwFn) ? FnKind::fn : FnKind::block;
    Form form(*this, kind == FnKind::fn
                         ? "`fn name[d](x: [.., d]) -> [..] = expression`"
                         : "`block Name[in, out](x: [.., in]) -> [.., out] { ... }`");
    advance();
    std::optional<Name> declared = name("a name");
    if (!declared)
      return std::nullopt;
    return function(kind, std::move(*declared));
  }
  default:
    break;
  }
  if (atWord("entry"))
    return entry();
  if (atWord("config"))
    return config();
  if (atWord("weights"))
    return weights();
  if (atWord("option")) {
    Form form(*this, "`option rate = 0.1, act = relu`");
    advance();
    std::optional<List<Setting>> list = settings("a name");
    if (!list)
      return std::nullopt;
    return OptionDecl{std::move(*list)};
  }
  if (atWord("use")) {
    Form form(*this, "`use layers` reads `layers.weft` beside this file");
    advance();
    std::optional<Name> used = name("the name of a file, without `.weft`");
    if (!used)
      return std::nullopt;
    return Use{std::move(*used)};
  }
  std::string_view help = helpForWord(current().text);
  Diagnostic &error = expected("a declaration");
  if (!help.empty())
    error.suggest(std::string(help));
  else if (at(TokenKind::rightBrace))
    error.suggest("this `}` closes nothing: remove it");
  else if (at(TokenKind::name) && following().is(TokenKind::assign))
    error.suggest(fmt::format("`option {} = ...` sets a value for the whole file",
                              current().text.substr(0, 40)));
  else
    error.suggest("a declaration starts with `dim`, `option`, `fn`, `block`, `entry`, `config`, "
                  "`weights` or `use`");
  return std::nullopt;
}

/// "entry" NAME ( "=" expr | … )
std::optional<Declaration::Node> Grammar::entry() {
  Form form(*this, "`entry name(x: [batch, d]) -> [batch, d] = expression`");
  advance();
  std::optional<Name> declared = name("a name");
  if (!declared)
    return std::nullopt;
  if (!take(TokenKind::assign))
    return function(FnKind::entry, std::move(*declared));
  skipNewlines();
  ExprPtr expr = expression();
  if (!expr)
    return std::nullopt;
  return DerivedEntry{std::move(*declared), std::move(expr)};
}

/// [ "[" dims "]" ] "(" args ")" "->" type ( "=" expr | body ), after the name
std::optional<Function> Grammar::function(FnKind kind, Name declared) {
  Function result{kind, std::move(declared), {}, {}, {}, {}, {}, {}};
  if (kind != FnKind::entry && open(TokenKind::leftSquare)) {
    std::optional<std::vector<Name>> dims = dimNames();
    if (!dims)
      return std::nullopt;
    result.dims = std::move(*dims);
  }
  if (!open(TokenKind::leftParen)) {
    expected(kind == FnKind::entry ? "`(` or `=`" : "`[` or `(`");
    return std::nullopt;
  }
  bool read = list(TokenKind::rightParen, [&] {
    std::optional<Arg> one = arg();
    if (one)
      result.args.push_back(std::move(*one));
    return one.has_value();
  });
  if (!read)
    return std::nullopt;
  std::vector<const Name *> names;
  for (const Arg &arg : result.args)
    names.push_back(&arg.name);
  requireDistinct(names, "argument");
  if (!results(result))
    return std::nullopt;
  std::optional<Body> body = functionBody();
  if (!body)
    return std::nullopt;
  result.body = std::move(*body);
  return result;
}

/// NAME ":" type [ "=" expr ] | NAME "=" expr
std::optional<Arg> Grammar::arg() {
  Form form(*this, "data is `x: [..]`, what is fixed at build time `rate = 0.1`");
  std::optional<Name> declared = name("an argument");
  if (!declared)
    return std::nullopt;
  Arg arg{std::move(*declared), std::nullopt, nullptr};
  if (take(TokenKind::colon)) {
    arg.type = type();
    if (!arg.type)
      return std::nullopt;
    if (!take(TokenKind::assign))
      return arg;
  } else if (!expect(TokenKind::assign, "`:` and a type, or `=` and a value")) {
    return std::nullopt;
  }
  arg.value = expression();
  if (!arg.value)
    return std::nullopt;
  return arg;
}

/// "->" ( type | "(" NAME ":" type {"," …} ")" )
bool Grammar::results(Function &function) {
  uint32_t before = index;
  skipNewlines();
  if (!at(TokenKind::arrow)) {
    index = before;
    expected("`->` and the type of the result");
    return false;
  }
  advance();
  skipNewlines();
  Span start = current().span;
  if (function.kind != FnKind::entry || !at(TokenKind::leftParen)) {
    function.result = type();
    function.resultSpan = since(start);
    return function.result.has_value();
  }
  open(TokenKind::leftParen);
  if (at(TokenKind::rightParen)) {
    expected("a result");
    return false;
  }
  bool read = list(TokenKind::rightParen, [&] {
    std::optional<Name> result = name("a result");
    if (!result || !expect(TokenKind::colon, "`:` and a type"))
      return false;
    std::optional<Type> resultType = type();
    if (resultType)
      function.results.push_back({std::move(*result), std::move(*resultType)});
    return resultType.has_value();
  });
  std::vector<const Name *> names;
  for (const Result &result : function.results)
    names.push_back(&result.name);
  requireDistinct(names, "result");
  function.resultSpan = since(start);
  return read;
}

/// "=" expr | body
std::optional<Body> Grammar::functionBody() {
  if (!take(TokenKind::assign)) {
    uint32_t before = index;
    skipNewlines();
    if (at(TokenKind::leftBrace))
      return body();
    index = before;
    expected("`=` or `{`");
    return std::nullopt;
  }
  skipNewlines();
  ExprPtr value = expression();
  if (!value)
    return std::nullopt;
  Body body;
  body.span = value->span;
  body.isExpression = true;
  body.stmts.push_back({value->span, Value{std::move(value)}});
  return body;
}

/// NAME "=" expr { "," NAME "=" expr }
std::optional<List<Setting>> Grammar::settings(std::string_view what) {
  List<Setting> settings;
  bool read = sequence([&] {
    std::optional<Name> set = name(what);
    if (!set || !expect(TokenKind::assign, "`=`"))
      return false;
    skipNewlines();
    ExprPtr value = expression();
    if (!value)
      return false;
    settings.push_back({std::move(*set), std::move(value)});
    return true;
  });
  if (!read)
    return std::nullopt;
  std::vector<const Name *> names;
  for (const Setting &setting : settings)
    names.push_back(&setting.name);
  requireDistinct(names, "setting");
  return settings;
}

/// "config" NAME [ "=" NAME ] "with" settings
std::optional<Config> Grammar::config() {
  Form form(*this, "`config small with model = 64, layer = 2`");
  advance();
  std::optional<Name> declared = name("a name");
  if (!declared)
    return std::nullopt;
  Config config{std::move(*declared), std::nullopt, {}};
  if (take(TokenKind::assign)) {
    config.base = name("the name of a config");
    if (!config.base)
      return std::nullopt;
  }
  if (!atWord("with")) {
    expected(config.base ? "`with`" : "`=` or `with`");
    return std::nullopt;
  }
  advance();
  std::optional<List<Setting>> list = settings("a dimension or an option");
  if (!list)
    return std::nullopt;
  config.settings = std::move(*list);
  return config;
}
