// Which instruction set a program runs by, and what is said where it runs by none.
#include "runtime/machine/Isa.h"

#include <gtest/gtest.h>

using namespace weft::runtime;

namespace {

const WeftEntryCode code[1] = {};

WeftProgram programOf(std::initializer_list<int> sets) {
  WeftProgram program{};
  for (int isa : sets)
    program.code[isa] = code;
  return program;
}

std::string said(const WeftProgram &program, const char *wanted) {
  Result<int> chosen = chooseIsa(program, wanted);
  return chosen ? isaName(*chosen) : chosen.error().message;
}

bool holds(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Isa, IsRunWhereNothingIsLacking) {
  for (int isa = 0; isa < WEFT_ISA_COUNT; ++isa)
    EXPECT_EQ(machineRuns(isa), whyNot(isa).empty()) << isaName(isa);
  EXPECT_TRUE(machineRuns(WEFT_ISA_PORTABLE));
  // Each needs what those before it need.
  if (!machineRuns(WEFT_ISA_X86_64_V3))
    EXPECT_FALSE(machineRuns(WEFT_ISA_AVX512));
  if (!machineRuns(WEFT_ISA_AVX512)) {
    EXPECT_FALSE(machineRuns(WEFT_ISA_AVX512_BF16));
    EXPECT_FALSE(machineRuns(WEFT_ISA_AMX));
  }
}

TEST(Isa, OfAmxSaysWhatIsMissing) {
  std::string why = whyNot(WEFT_ISA_AMX);
  if (why.empty())
    GTEST_SKIP() << "this machine has AMX";
  EXPECT_TRUE(holds(why, "AMX") || holds(why, "AVX-512") || holds(why, "AVX2")) << why;
  std::string refused = said(programOf({WEFT_ISA_AVX512, WEFT_ISA_AMX}), "amx");
  EXPECT_TRUE(holds(refused, "does not run amx kernels: " + why)) << refused;
  std::string none = said(programOf({WEFT_ISA_AMX}), nullptr);
  EXPECT_TRUE(holds(none, "none of the program's kernels: amx (" + why + ")")) << none;
}

TEST(Isa, OfAmxIsChosenWhereItRuns) {
  if (!machineRuns(WEFT_ISA_AMX))
    GTEST_SKIP() << whyNot(WEFT_ISA_AMX);
  WeftProgram both = programOf({WEFT_ISA_AVX512, WEFT_ISA_AMX});
  EXPECT_EQ(said(both, nullptr), "amx");
  EXPECT_EQ(said(both, "avx512"), "avx512");
  EXPECT_EQ(said(programOf({WEFT_ISA_AMX}), ""), "amx"); // there is no other one
}

// Machines that are made up: what is run by is said for each.
TEST(Isa, IsTheLastThatAMachineGainsBy) {
  using Sets = std::initializer_list<int>;
  constexpr int v3 = WEFT_ISA_X86_64_V3, v4 = WEFT_ISA_AVX512, dots = WEFT_ISA_AVX512_BF16,
                tiles = WEFT_ISA_AMX;
  auto upToDots = [](int isa) { return isa <= WEFT_ISA_AVX512_BF16; };
  auto upToV4 = [](int isa) { return isa <= WEFT_ISA_AVX512; };
  auto butDots = [](int isa) { return isa != WEFT_ISA_AVX512_BF16; };
  auto onlyV3 = [](int isa) { return isa == WEFT_ISA_X86_64_V3; };
  auto all = [](int isa) { return isa <= WEFT_ISA_AMX; };
  struct {
    Sets holds;
    AboutIsa gains, runs;
    std::optional<int> best;
  } const cases[] = {
      {{v3, v4, dots}, upToDots, upToDots, dots}, // Zen 5
      {{v3, v4, dots}, upToDots, upToV4, v4},     // the same, and somebody hides BF16
      {{v3, v4, dots}, butDots, all, v4},         // Sapphire Rapids
      {{v3, v4, dots, tiles}, butDots, all, tiles},
      {{v3, v4, dots, tiles}, butDots, upToDots, v4}, // its system saves no tiles
      {{dots}, butDots, all, dots},                   // it gains nothing
      {{tiles}, upToV4, all, tiles},                  // there is no other one
      {{v4, dots, tiles}, upToV4, onlyV3, std::nullopt},
      {{}, upToV4, all, std::nullopt},
  };
  for (const auto &each : cases)
    EXPECT_EQ(bestIsa(programOf(each.holds), each.gains, each.runs), each.best)
        << "case " << &each - cases;
}

// A system is asked for tiles where the program holds products by them, and not before.
TEST(Isa, OfAmxIsAskedForWhereItIsHeld) {
  static int asked;
  asked = 0;
  auto gains = [](int isa) { return isa != WEFT_ISA_AVX512_BF16; };
  auto runs = [](int isa) {
    asked += isa == WEFT_ISA_AMX;
    return true;
  };
  EXPECT_EQ(bestIsa(programOf({WEFT_ISA_AVX512, WEFT_ISA_AVX512_BF16}), gains, runs),
            WEFT_ISA_AVX512);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(bestIsa(programOf({WEFT_ISA_AVX512, WEFT_ISA_AMX}), gains, runs), WEFT_ISA_AMX);
  EXPECT_EQ(asked, 1);
}

TEST(Isa, IsTheBestThatRuns) {
  std::string best = machineRuns(WEFT_ISA_AVX512) ? "avx512" : "x86-64-v3";
  if (!machineRuns(WEFT_ISA_X86_64_V3))
    GTEST_SKIP() << whyNot(WEFT_ISA_X86_64_V3);
  EXPECT_EQ(said(programOf({WEFT_ISA_X86_64_V3, WEFT_ISA_AVX512}), nullptr), best);
  EXPECT_EQ(said(programOf({WEFT_ISA_X86_64_V3}), nullptr), "x86-64-v3");
  // One that gains nothing runs where there is no other.
  if (machineRuns(WEFT_ISA_AVX512_BF16))
    EXPECT_EQ(said(programOf({WEFT_ISA_AVX512_BF16}), nullptr), "avx512-bf16");
}

TEST(Isa, IsKnownByName) {
  WeftProgram program = programOf({WEFT_ISA_X86_64_V3, WEFT_ISA_CUDA});
  EXPECT_EQ(said(program, "portable"),
            "this program holds no portable kernels, only: cuda, x86-64-v3");
  // What is missing here is not looked at: of AMX that would be to ask for it.
  EXPECT_EQ(said(program, "amx"), "this program holds no amx kernels, only: cuda, x86-64-v3");
  EXPECT_TRUE(holds(said(program, "avx"), "unknown instruction set `avx`; known are"));
  EXPECT_TRUE(holds(said(program, "cuda"), "unknown instruction set `cuda`"));
}

} // namespace
