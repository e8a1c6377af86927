// Every example, compiled and interpreted: results within 1e-5, gradients within 1e-4 of the
// largest of their tensor.
#include "Sample.h"
#include "runtime/machine/Isa.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace weft;
using namespace weft::test;
namespace fs = std::filesystem;

namespace {

/// An example at static sizes, and the sizes that come with the data: 1, around the tiles of
/// kernels (4 to 8 rows, 16 to 48 columns, 32 keys), odd.
struct Program {
  std::string name, file, settings;
  std::vector<std::string> entries;
  std::vector<SizesByName> sizes;
  /// With kernels of every instruction set that the machine runs, else of the widest alone: most of
  /// the time is the compilation.
  bool everyIsa = false;
};

void PrintTo(const Program &program, std::ostream *out) {
  *out << program.name;
}

const std::vector<SizesByName> &tokens() {
  static const std::vector<SizesByName> sizes = {{{"batch", 1}, {"seq", 1}},
                                                 {{"batch", 2}, {"seq", 7}},
                                                 {{"batch", 3}, {"seq", 17}},
                                                 {{"batch", 1}, {"seq", 33}}};
  return sizes;
}

std::vector<Program> programs() {
  auto attention = [](int64_t batch, int64_t head, int64_t query, int64_t key, int64_t d,
                      int64_t width) {
    return SizesByName{{"batch", batch}, {"head", head}, {"query", query},
                       {"key", key},     {"d", d},       {"width", width}};
  };
  return {
      {"gpt",
       "gpt/gpt.weft",
       "vocab=33,position=40,model=24,head=3,layer=2",
       {"logits", "loss"},
       tokens(),
       true},
      {"gpt_odd",
       "gpt/gpt.weft",
       "vocab=17,position=33,model=15,head=1,layer=1",
       {"logits", "loss"},
       tokens()},
      {"gpt_one", "gpt/gpt.weft", "vocab=1,position=33,model=1,head=1,layer=1", {"loss"}, tokens()},
      {"llama",
       "gpt/llama.weft",
       "vocab=31,position=40,model=18,group=2,rep=2,dh=6,ff=47,layer=2",
       {"logits", "loss"},
       tokens()},
      {"attention",
       "attention/attention.weft",
       "",
       {"plain", "causal", "heads", "inspected", "product"},
       {attention(1, 1, 1, 1, 1, 1), attention(2, 3, 5, 7, 9, 15), attention(1, 2, 17, 33, 16, 17),
        attention(2, 1, 33, 31, 7, 8)},
       true},
      {"masks",
       "attention/masks.weft",
       "",
       {"mask2d", "mask3d", "mask4d", "padding", "zero"},
       {attention(2, 3, 5, 7, 9, 15), attention(2, 1, 33, 31, 7, 8)}},
  };
}

void compare(const fs::path &compiled, const fs::path &interpreted, double bound,
             const std::string &where) {
  Tensors found = readTensors(compiled), expected = readTensors(interpreted);
  EXPECT_EQ(found.size(), expected.size()) << where;
  // What vanishes in exact numbers (the gradient of a key's bias) is noise of what does not.
  double largest = 0;
  for (auto &[name, tensor] : expected) {
    const reference::Array floats = asFloats(tensor);
    for (double value : floats.floats())
      largest = std::max(largest, std::abs(value));
  }
  for (auto &[name, tensor] : expected) {
    ASSERT_TRUE(found.contains(name)) << where << ": " << name;
    EXPECT_EQ(found[name].shape, tensor.shape) << where << ": " << name;
    EXPECT_LE(difference(found[name], tensor, 1e-3 * largest), bound) << where << ": " << name;
  }
}

/// Instruction sets as --isa takes them, the widest first.
std::vector<std::string> isasOf(const Program &program) {
  std::vector<std::string> found;
  for (int isa : {WEFT_ISA_AVX512, WEFT_ISA_X86_64_V3})
    if (runtime::machineRuns(isa) && (program.everyIsa || found.empty()))
      found.push_back(runtime::isaName(isa));
  return found;
}

class Programs : public testing::TestWithParam<Program> {
protected:
  void SetUp() override {
    folder =
        fs::temp_directory_path() / fmt::format("weft-programs-{}-{}", GetParam().name, getpid());
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }
  std::string at(const std::string &name) const { return (folder / name).string(); }
  fs::path folder;
};

TEST_P(Programs, AgreeWithTheInterpreter) {
  const Program &program = GetParam();
  std::string source = WEFT_SOURCE "/examples/" + program.file;
  std::string sizes = program.settings.empty() ? "" : " --set " + program.settings;
  BuildOptions options = optionsFrom(sizes);
  options.entries = program.entries;
  Built built(Built::File{source}, options);
  ASSERT_EQ(built.errors(), "");
  bool hasParameters = !built.module->getOps<model::ParameterOp>().empty();
  std::string weights;
  if (hasParameters) {
    weights = at("weights.safetensors");
    ASSERT_TRUE(does(fmt::format("{} init {}{} --seed 1 -o {}", WEFT_TOOL, source, sizes, weights),
                     folder));
    randomize(weights, 1);
    weights = " --weights " + weights;
  }
  std::vector<std::string> isas = isasOf(program);
  ASSERT_TRUE(does(fmt::format("{} build {}{} --isa {} -o {}", WEFT_TOOL, source, sizes,
                               fmt::join(isas, ","), at("program")),
                   folder));
  for (const std::string &entry : program.entries)
    for (size_t i = 0; i < program.sizes.size(); ++i) {
      std::string where = fmt::format("{} at sizes {}", entry, i);
      writeInputs(*built.module, entry, program.sizes[i], i, at("inputs"));
      auto isNumber = [&](mlir::Type type) {
        return llvm::cast<model::NamedTensorType>(type).getDims().empty();
      };
      bool isLoss = false;
      for (auto function : built.module->getOps<mlir::func::FuncOp>())
        if (function.getSymName() == entry)
          isLoss = llvm::any_of(function.getResultTypes(), isNumber);
      auto run = [&](const std::string &command, const std::string &tag) {
        std::string line = fmt::format("{} --entry {}{} --inputs {} --outputs {}", command, entry,
                                       weights, at("inputs"), at("outputs." + tag));
        if (isLoss)
          line += " --gradients " + at("gradients." + tag);
        return does(line, folder);
      };
      ASSERT_TRUE(
          run(fmt::format("{} run {}{} --interpret", WEFT_TOOL, source, sizes), "interpreted"))
          << where;
      for (const std::string &isa : isas) {
        std::string here = where + ", " + isa;
        ASSERT_TRUE(run(at("program") + " run --isa " + isa, isa)) << here;
        compare(at("outputs." + isa), at("outputs.interpreted"), 1e-5, here);
        if (isLoss)
          compare(at("gradients." + isa), at("gradients.interpreted"), 1e-4, here);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Examples, Programs, testing::ValuesIn(programs()),
                         [](const auto &info) { return info.param.name; });

} // namespace
