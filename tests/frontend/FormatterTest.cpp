// The formatter: what it changes, what it keeps, and that the example programs are as it writes
// them.
#include "frontend/format/Formatter.h"
#include "Parsed.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using weft::test::Parsed;

namespace {

/// `text` formatted; checks that this changes neither the meaning nor, a second time, the text.
std::string formatted(const std::string &text) {
  Parsed before(text);
  EXPECT_EQ(before.errors(), "") << text;
  std::optional<std::string> once = weft::format(before.sources, 0, before.diagnostics);
  if (!once)
    return "not formatted";
  Parsed after(*once);
  EXPECT_EQ(after.errors(), "");
  EXPECT_EQ(after.dump(), before.dump());
  EXPECT_EQ(weft::format(after.sources, 0, after.diagnostics), once);
  return *once;
}

TEST(Format, SpacesAndIndentation) {
  EXPECT_EQ(formatted("\n\nfn f [ d ]( x :[ ..,d ? ],eps=1e-5)->vocab [..]{\n"
                      "      dim half=2 ,rest = d/half\n"
                      " repeat [ layer ]{x=-x^2 - ( - y)}\n"
                      "if not training{\nx\n\n\n}\n\n\n\nelse{  y [ d=0 ,e as(f ,g)]  }\n"
                      "   lab :f [ a,( b,c ) ] ( x , mask=1<=2 )\n}"),
            "fn f[d](x: [.., d?], eps = 1e-5) -> vocab[..] {\n"
            "  dim half = 2, rest = d / half\n"
            "  repeat[layer] { x = -x ^ 2 - (-y) }\n"
            "  if not training {\n"
            "    x\n"
            "  } else { y[d = 0, e as (f, g)] }\n"
            "  lab: f[a, (b, c)](x, mask = 1 <= 2)\n"
            "}\n");
}

TEST(Format, AnnotationsStandOnTheirLineOrAboveIt) {
  EXPECT_EQ(
      formatted("@ require( attention ,softmax )\n@forbid(normalize)   fn f ( x:[..] ) -> [..]{\n"
                " @forbid(softmax)y=x\n   longer=y\n"
                "      @require( attention )\n@require(normalize)\n  z=x\n"
                "repeat[layer]{@forbid(logsumexp) z=z+1}\n"
                "  # why\n @forbid(attention)\n z*y\n}"),
      "@require(attention, softmax)\n"
      "@forbid(normalize) fn f(x: [..]) -> [..] {\n"
      "  @forbid(softmax) y = x\n"
      "  longer = y\n"
      "  @require(attention)\n"
      "  @require(normalize)\n"
      "  z = x\n"
      "  repeat[layer] { @forbid(logsumexp) z = z + 1 }\n"
      "  # why\n"
      "  @forbid(attention)\n"
      "  z * y\n"
      "}\n");
}

TEST(Format, AlignsNeighboursOfOneKind) {
  EXPECT_EQ(formatted("block B() -> float {\n"
                      "  param weight:[in,out]=1\n"
                      "  param b:[out]=0\n"
                      "  state mean: [d] = 0\n"
                      "  top = 1\n"
                      "  e = 2\n"
                      "\n"
                      "  normalised = 3\n"
                      "  s = 4\n"
                      "}\n"
                      "entry train = f()\n"
                      "entry generate = g()\n"
                      "config tiny with a = 1\n"
                      "config small = tiny with b = 1\n"),
            "block B() -> float {\n"
            "  param weight: [in, out] = 1\n"
            "  param b:      [out]     = 0\n"
            "  state mean: [d] = 0\n"
            "  top = 1\n"
            "  e   = 2\n"
            "\n"
            "  normalised = 3\n"
            "  s = 4\n"
            "}\n"
            "entry train    = f()\n"
            "entry generate = g()\n"
            "config tiny         with a = 1\n"
            "config small = tiny with b = 1\n");
}

TEST(Format, KeepsCommentsAndSingleEmptyLines) {
  EXPECT_EQ(formatted("# top\n\n\n# second\n"
                      "dim a # one\n"
                      "dim bcd     # two\n"
                      "fn f(x: [a], # first\n"
                      "  # own line\n"
                      "  y: [a]) -> [a] { # body\n"
                      "\n"
                      "  # inside\n"
                      "  x\n"
                      "  # at the end\n"
                      "\n"
                      "}\n"
                      "\n"
                      "# last"),
            "# top\n\n# second\n"
            "dim a         # one\n"
            "dim bcd       # two\n"
            "fn f(x: [a],  # first\n"
            "     # own line\n"
            "     y: [a]) -> [a] {  # body\n"
            "  # inside\n"
            "  x\n"
            "  # at the end\n"
            "}\n"
            "\n"
            "# last\n");
}

TEST(Format, KeepsTheAuthorsLineBreaks) {
  EXPECT_EQ(formatted("fn f(x: [a],\n  y: [a])\n-> [a] =\n x +\n y\n"
                      "fn g(\nx: [a]\n) -> [a] = f(\nx\n, x\n)\n"),
            "fn f(x: [a],\n"
            "     y: [a])\n"
            "    -> [a] =\n"
            "  x +\n"
            "    y\n"
            "fn g(\n"
            "  x: [a]\n"
            ") -> [a] = f(\n"
            "  x, x\n"
            ")\n");
}

TEST(Format, BreaksLongLinesWhereTheyAreLoosest) {
  std::string x30(30, 'x'), y40(40, 'y'), z50(50, 'z');
  EXPECT_EQ(
      formatted("fn f(a: [" + x30 + "], b: [" + y40 + "]) -> [" + x30 + ", " + y40 + "] = a\n"),
      "fn f(a: [" + x30 + "], b: [" + y40 + "])\n    -> [" + x30 + ", " + y40 + "] =\n  a\n");
  EXPECT_EQ(formatted("fn f() -> float { x = g(" + x30 + " + " + y40 + ", " + z50 + ") }\n"),
            "fn f() -> float {\n"
            "  x = g(" +
                x30 + " + " + y40 +
                ",\n"
                "        " +
                z50 + ")\n}\n");
  EXPECT_EQ(
      formatted("fn f() -> float {\n" + x30 + " * " + y40 + " + " + x30 + " * " + y40 + "\n}\n"),
      "fn f() -> float {\n"
      "  " +
          x30 + " * " + y40 +
          " +\n"
          "      " +
          x30 + " * " + y40 + "\n}\n");
  EXPECT_EQ(
      formatted("weights w { \"" + x30 + "\" = a, \"" + y40 + "\" = b, \"" + z50 + "\" = c }\n"),
      "weights w {\n"
      "  \"" +
          x30 + "\" = a, \"" + y40 +
          "\" = b,\n"
          "  \"" +
          z50 + "\" = c\n}\n");
  EXPECT_EQ(formatted("weights w { size \"" + z50 + "\" = (a,b), ignore \"" + z50 + ".*\", \"" +
                      z50 + "\" = c( ), copy \"" + z50 + "\"=d }\n"),
            "weights w {\n"
            "  size \"" +
                z50 + "\" = (a, b),\n  ignore \"" + z50 + ".*\",\n  \"" + z50 +
                "\" = c(),\n  copy \"" + z50 + "\" = d\n}\n");
}

TEST(Format, BreaksBetweenRulesOfOptions) {
  std::string z50(50, 'z');
  EXPECT_EQ(formatted("weights w { option \"" + z50 + "\"=2*a, ignore  option \"" + z50 +
                      "\", option \"" + z50 + "\" = \"text\" }\n"),
            "weights w {\n"
            "  option \"" +
                z50 + "\" = 2 * a,\n  ignore option \"" + z50 + "\",\n  option \"" + z50 +
                "\" = \"text\"\n}\n");
}

TEST(Format, LeavesFilesWithErrorsAlone) {
  Parsed parsed("dim a =\n");
  size_t errors = parsed.diagnostics.errorCount();
  EXPECT_EQ(weft::format(parsed.sources, 0, parsed.diagnostics), std::nullopt);
  EXPECT_EQ(parsed.diagnostics.errorCount(), 2 * errors);
}

TEST(Format, AnEmptyFileStaysEmpty) {
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("\n\n"), "");
  EXPECT_EQ(formatted("# only"), "# only\n");
}

class Written : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Written, AsTheFormatterWritesIt) {
  std::ifstream stream(GetParam());
  std::stringstream text;
  text << stream.rdbuf();
  EXPECT_EQ(formatted(text.str()), text.str());
}

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> paths;
  std::filesystem::path source = WEFT_SOURCE;
  for (std::filesystem::path folder : {"tests/frontend/systems", "frontend/library", "examples"})
    if (std::filesystem::exists(source / folder))
      for (const auto &entry : std::filesystem::recursive_directory_iterator(source / folder))
        if (entry.path().extension() == ".weft")
          paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string testName(const testing::TestParamInfo<std::filesystem::path> &info) {
  std::string name = info.param.parent_path().filename().string() + info.param.stem().string();
  std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
  return name + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(Programs, Written, testing::ValuesIn(programs()), testName);

} // namespace
