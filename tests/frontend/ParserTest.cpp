// The grammar: what is accepted, as which tree, and what is refused, where.
#include "Parsed.h"

#include <gtest/gtest.h>

using weft::test::Parsed;

namespace {

/// The tree of `text` as the body of a function.
std::string tree(const std::string &text) {
  Parsed parsed("fn f() -> float {\n" + text + "\n}\n");
  EXPECT_EQ(parsed.errors(), "");
  std::string dump = parsed.dump();
  std::string head = "fn f() -> float[]\n  ";
  EXPECT_TRUE(dump.starts_with(head)) << dump;
  return dump.substr(head.size(), dump.size() - head.size() - 1);
}

TEST(Expression, OperatorsBindAsTheGrammarSays) {
  EXPECT_EQ(tree("a or b and not c < d + e * -f ^ g"),
            "(a or (b and (not (c < (d + (e * (- (f ^ g))))))))");
  EXPECT_EQ(tree("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(tree("a / b % c"), "((a / b) % c)");
  EXPECT_EQ(tree("a ^ b ^ c"), "(a ^ (b ^ c))");
  EXPECT_EQ(tree("a ^ -b * c"), "((a ^ (- b)) * c)");
  EXPECT_EQ(tree("(a < b) == (c >= d)"), "((a < b) == (c >= d))");
  EXPECT_EQ(tree("not a and b"), "((not a) and b)");
}

TEST(Expression, BracketsAfterANameAreDimensionsOnlyBeforeAParenthesis) {
  EXPECT_EQ(tree("softmax[key](x)"), "softmax[key](x)");
  EXPECT_EQ(tree("x[seq as key]"), "x[seq as key]");
  EXPECT_EQ(tree("Linear[model, (head, dh)](x)[seq as key]"),
            "Linear[model, (head, dh)](x)[seq as key]");
  EXPECT_EQ(tree("x[(row, col) as patch, d = top[k, d](x)]"),
            "x[(row, col) as patch, d = top[k, d](x)]");
  EXPECT_EQ(tree("(x)[d = 0][e = 1]"), "x[d = 0][e = 1]");
}

TEST(Expression, CallsHaveLabelsAndNamedArguments) {
  EXPECT_EQ(tree("out: f(a, mask = index(key) <= index(seq))"),
            "out: f(a, mask = (index(key) <= index(seq)))");
  EXPECT_EQ(tree("decoder.above.attn.weights"), "decoder.above.attn.weights");
}

TEST(Expression, NumbersKeepTheirText) {
  Parsed parsed("option a = 1e-5, b = 0.50, c = 9223372036854775807\n");
  ASSERT_EQ(parsed.errors(), "");
  const auto &settings = parsed.file.declarations[0].as<weft::ast::OptionDecl>()->settings;
  auto *number = settings[0].value->as<weft::ast::Number>();
  EXPECT_FALSE(number->isInteger);
  EXPECT_EQ(number->value, 1e-5);
  EXPECT_EQ(settings[1].value->as<weft::ast::Number>()->text, "0.50");
  EXPECT_TRUE(settings[2].value->as<weft::ast::Number>()->isInteger);
  EXPECT_EQ(settings[2].value->as<weft::ast::Number>()->integer, INT64_MAX);
}

TEST(Newline, EndsAStatementOnlyWhereItCould) {
  EXPECT_EQ(tree("x =\n  a +\n  b"), "x = (a + b)");
  EXPECT_EQ(tree("f(a,\n  b\n  , c\n)"), "f(a, b, c)");
  EXPECT_EQ(tree("x[seq\nas\nkey]"), "x[seq as key]");
  EXPECT_EQ(tree("a\n-b"), "a\n  (- b)");
  EXPECT_EQ(tree("x = not\n a"), "x = (not a)");
}

TEST(Statement, EveryKind) {
  EXPECT_EQ(tree("dim half = 2, freq = d / half\n"
                 "param w: [in, out] = uniform(1)\n"
                 "state mean: [d]\n"
                 "state = 3\n"
                 "repeat[layer] { x = f(x) }\n"
                 "if training {\n x\n}\nelse {\n y\n}"),
            "dim half = 2, freq = (d / half)\n"
            "  param w: float[in, out] = uniform(1)\n"
            "  state mean: float[d]\n"
            "  state = 3\n"
            "  repeat[layer]\n    x = f(x)\n"
            "  if training\n    x\n  else\n    y");
}

TEST(Statement, HasAnnotations) {
  EXPECT_EQ(tree("@require(attention,\n softmax) @forbid(normalize)\ny = x\n"
                 "repeat[layer] { @forbid(softmax) x = f(x) }\n@require(softmax)\nx"),
            "@require(attention, softmax)\n"
            "  @forbid(normalize)\n"
            "  y = x\n"
            "  repeat[layer]\n    @forbid(softmax)\n    x = f(x)\n"
            "  @require(softmax)\n"
            "  x");
  Parsed declared("@require(softmax)\nentry f(x: [d]) -> [d] = softmax[d](x)\n");
  EXPECT_EQ(declared.errors(), "");
  EXPECT_EQ(declared.dump(),
            "@require(softmax)\nentry f(x: float[d]) -> float[d]\n  softmax[d](x)\n");
}

TEST(Declaration, EveryKind) {
  Parsed parsed(
      "use other\n"
      "dim seq <= position, token = class | seq, oh = (height - kh) / stride + 1\n"
      "option act = relu, rate = 0.1\n"
      "block B[d](x: [.., d?], keep: bool[..] = true, eps = 1e-5)\n    -> vocab[.., d] = x\n"
      "entry two(x: [d]) -> (a: [d], b: int) {\n  a = x\n  b = 1\n}\n"
      "entry train = minimize(loss, adam(rate = 0.1), clip = 1, data = text(tokens, next))\n"
      "entry gen = decode[seq](logits, start = 0, max = 8)\n"
      "config big = base with layer = 2,\n  head = 4\n"
      "weights w { \"a.{layer}\" = b.c, ignore \"x\"\n  q.weight: [(role, head), d], ignore: [d]\n"
      "  \"p\" = stack[role](a, b.c[r = 0]): [d, (role, r)], \"s\" = stack[r = 1]\n"
      "  k[d as (i, j)]: [j, i], \"t\" = concat[rows](\n    a,\n    b)\n"
      "  size \"n\" = (a, b), size \"m\" = c, size: [d], ignore \"x.*\", \"u\" = tables(\n  )\n"
      "  copy \"v\" = q, copy \"y\" = stack[r](\n    a, b): [d, r], copy: [d], copy[r = 1]: [d] "
      ", option \"o.p\" = 2 * a, option \"q\" = \"text\"\n  ignore option \"r\", option: [d]"
      "}\n");
  EXPECT_EQ(parsed.errors(), "");
  EXPECT_EQ(parsed.dump(),
            "use other\n"
            "dim seq <= position, token = class | seq, oh = (((height - kh) / stride) + 1)\n"
            "option act = relu, rate = 0.1\n"
            "block B[d](x: float[.., d?], keep: bool[..] = true, eps = 1e-5) -> vocab[.., d]\n  x\n"
            "entry two(x: float[d]) -> (a: float[d], b: int[])\n  a = x\n  b = 1\n"
            "entry train = minimize(loss, adam(rate = 0.1), clip = 1, data = text(tokens, next))\n"
            "entry gen = decode[seq](logits, start = 0, max = 8)\n"
            "config big = base with layer = 2, head = 4\n"
            "weights w\n  \"a.{layer}\" = b.c\n  ignore \"x\"\n  q.weight: [(role, head), d]\n"
            "  ignore: [d]\n"
            "  \"p\" = stack[role](a, b.c[r = 0]): [d, (role, r)]\n  \"s\" = stack[r = 1]\n"
            "  k[d as (i, j)]: [j, i]\n  \"t\" = concat[rows](a, b)\n"
            "  size \"n\" = (a, b)\n  size \"m\" = c\n  size: [d]\n  ignore \"x.*\"\n  \"u\" = "
            "tables()\n"
            "  copy \"v\" = q\n  copy \"y\" = stack[r](a, b): [d, r]\n  copy: [d]\n"
            "  copy[r = 1]: [d]\n  option \"o.p\" = (2 * a)\n  option \"q\" = \"text\"\n"
            "  ignore option \"r\"\n  option: [d]\n");
}

TEST(Spans, CoverWhatWasWritten) {
  Parsed parsed("fn f(x: [a, b]) -> [a] = (x + 1)[a as b]\n");
  ASSERT_EQ(parsed.errors(), "");
  auto *function = parsed.file.declarations[0].as<weft::ast::Function>();
  auto text = [&](weft::Span span) { return parsed.sources.text(span); };
  EXPECT_EQ(text(function->args[0].type->span), "[a, b]");
  EXPECT_EQ(text(function->resultSpan), "[a]");
  EXPECT_EQ(text(function->body.span), "(x + 1)[a as b]");
  auto *value = function->body.stmts[0].as<weft::ast::Value>();
  EXPECT_EQ(text(value->expr->as<weft::ast::Index>()->base->span), "(x + 1)");
}

TEST(Recovery, SeveralErrorsInOneRun) {
  Parsed parsed("dim a, b\n"
                "fn f(x: [a]) -> [a] {\n"
                "  y = x +* 2\n"
                "  z = f(x y)\n"
                "  x[0]\n"
                "}\n"
                "fn g(x: [a] -> [a] = x\n"
                "config c with a 3\n"
                "fn h(x: [a]) -> [a] = x ^\n");
  EXPECT_EQ(parsed.places(),
            "E0100 3:10\nE0100 4:11\nE0100 5:5\nE0101 7:5\nE0100 8:17\nE0100 9:26\n")
      << parsed.errors();
}

TEST(Recovery, AnOpenBracketDoesNotSwallowTheRest) {
  Parsed parsed("fn f(x: [a]) -> [a] {\n"
                "  y = exp(x - max[d](x)\n"
                "  y / sum[d](y)\n"
                "}\n"
                "fn g(x: [a]) -> [a] {\n"
                "  repeat[layer] {\n"
                "    x = f(x)\n"
                "  x\n"
                "}\n"
                "fn h(x: [a]) -> [a] = x +\n");
  EXPECT_EQ(parsed.places(), "E0101 2:10\nE0101 5:21\nE0100 10:26\n") << parsed.errors();
  EXPECT_EQ(parsed.file.declarations.size(), 2u);
}

TEST(Recovery, ABrokenHeadOfABlockHidesItsBody) {
  Parsed parsed("fn f(x: [a]) {\n  y = \n  z = )\n}\ndim d\nentry e(x: [d]) -> [d] = x\n");
  EXPECT_EQ(parsed.places(), "E0100 1:14\n") << parsed.errors();
  EXPECT_EQ(parsed.file.declarations.size(), 2u);
}

TEST(Refused, WithTheRightCode) {
  auto code = [](const std::string &text) { return Parsed(text).places(); };
  EXPECT_EQ(code("dim d = 99999999999999999999\n"), "E0004 1:9\n");
  EXPECT_EQ(code("option a = 1e999\n"), "E0004 1:12\n");
  EXPECT_EQ(code("dim d = a ^ 2\n"), "E0104 1:9\n");
  EXPECT_EQ(code("dim d = a + 1 | b\n"), "E0104 1:9\n");
  EXPECT_EQ(code("fn f(a: [..], a: [..]) -> [..] = a\n"), "E0106 1:15\n");
  EXPECT_EQ(code("fn f(a: [.., ..]) -> [..] = a\n"), "E0106 1:14\n");
  EXPECT_EQ(code("fn f(a: [..]) -> [..] = g(k = 1, a)\n"), "E0105 1:34\n");
  EXPECT_EQ(code("fn f(a: [..]) -> [..] = 1 < a < 2\n"), "E0107 1:31\n");
  EXPECT_EQ(code("fn as(a: [..]) -> [..] = a\n"), "E0103 1:4\n");
  EXPECT_EQ(code("dim a dim b\n"), "E0100 1:7\n");
  EXPECT_EQ(code("fn f(a: [..]) -> [..] { label: a }\n"), "E0100 1:34\n");
  EXPECT_EQ(code("}\ndim a\n"), "E0100 1:1\n");
  EXPECT_EQ(code("dim a }\ndim b\n"), "E0100 1:7\n");
}

TEST(Refused, HostileTextQuickly) {
  auto one = [](std::string text) {
    Parsed parsed(std::move(text));
    EXPECT_EQ(parsed.diagnostics.errorCount(), 1u);
    return parsed.diagnostics.all().empty()
               ? ""
               : std::string(info(parsed.diagnostics.all()[0].code).name);
  };
  const size_t many = 3 << 20;
  std::string head = "fn f() -> float = ";
  EXPECT_EQ(one(head + std::string(many, '(')), "E0102");
  EXPECT_EQ(one(std::string(10 << 20, '[')), "E0003");
  EXPECT_EQ(one(head + std::string(many, '-') + "x\n"), "E0102");
  EXPECT_EQ(one(std::string("dim a\0b", 7)), "E0002");
  EXPECT_EQ(one("dim a # \xC3("), "E0002");
  std::string sum = head + "x", calls = head, picks = head + "x", bodies = "fn f() -> float {";
  for (int i = 0; i < 100000; ++i) {
    sum += "+x";
    calls += "f(a[d = ";
    picks += "[d=0]";
    bodies += "repeat[d]{";
  }
  EXPECT_EQ(one(sum), "E0102");
  EXPECT_EQ(one(calls), "E0102");
  EXPECT_EQ(one(picks), "E0102");
  EXPECT_EQ(one(bodies), "E0102");
  std::string powers = head + "x";
  for (int i = 0; i < 100000; ++i)
    powers += "^x";
  EXPECT_EQ(one(powers), "E0102");
}

TEST(Refused, NoMoreErrorsThanAnyoneReads) {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "$ dim\n";
  Parsed parsed(std::move(text));
  EXPECT_EQ(parsed.diagnostics.all().size(), weft::Diagnostics::limit);
}

TEST(Accepted, NestingBelowTheLimit) {
  std::string text = "fn f() -> float = " + std::string(150, '(') + "x" + std::string(150, ')');
  EXPECT_EQ(Parsed(text).errors(), "");
}

TEST(Accepted, EmptyAndOddlyEndedFiles) {
  EXPECT_EQ(Parsed("").errors(), "");
  EXPECT_EQ(Parsed("\xEF\xBB\xBF# comment").errors(), "");
  EXPECT_EQ(Parsed("dim a\r\n\r\ndim b\r\n").dump(), "dim a\ndim b\n");
}

} // namespace
