// Any bytes as the `config.json` of a checkpoint: refused by name, or compared with what a clause
// says, and each field is fine, wrong or unknown.
#include "tests/fuzz/Require.h"
#include "tests/unit/runtime/TemporaryFolder.h"
#include "tools/weft/foreign/CompareConfig.h"
#include "tools/weft/foreign/TensorFiles.h"

#include <cstring>
#include <fstream>

using namespace weft;

static void writeTensors(const std::string &path) {
  std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  uint64_t length = header.size();
  char bytes[8];
  std::memcpy(bytes, &length, sizeof bytes);
  std::ofstream(path, std::ios::binary) << std::string(bytes, 8) << header << std::string(4, '\0');
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const TemporaryFolder folder;
  static const bool written = (writeTensors(folder / "model.safetensors"), true);
  require(written);
  static const std::vector<ForeignOption> options = {
      {"rms_norm_eps", 1e-5, "1e-05", "eps"},
      {"hidden_act", ForeignOption::Function{"silu"}, "silu", ""},
      {"tie_word_embeddings", true, "true", "tied"},
      {"rope_theta", 500000.0, "500000", "base"},
      {"rope_scaling.factor", 8.0, "8", "stretch"},
      {"rope_scaling.rope_type", std::string("llama3"), "\"llama3\"", ""},
      {"sliding_window", ForeignOption::Anything(), "", ""}};
  static const std::vector<ForeignSize> sizes = {{"num_attention_heads", "head = 4", 4}};
  std::string path = folder / "config.json";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
  auto files = TensorFiles::open({folder.path()});
  if (!files) {
    require(files.error().message.starts_with(path));
    return 0;
  }
  require(files->config().is_object() && files->find("a"));
  ConfigFindings findings = compareConfig(files->config(), options, sizes, false);
  ConfigFindings strict = compareConfig(files->config(), options, sizes, true);
  require(strict.unknown.empty() && strict.wrong.size() >= findings.wrong.size());
  for (const auto *list : {&findings.wrong, &findings.unknown})
    for (const std::string &each : *list)
      require(list == &findings.unknown || !each.empty());
  require(findings.unknown.size() <= files->config().size());
  return 0;
}
