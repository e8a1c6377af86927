// The tensors of a checkpoint of another project, which may be several files.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_TENSORFILES_H
#define WEFT_TOOLS_WEFT_FOREIGN_TENSORFILES_H

#include "runtime/base/Json.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/tensors/safetensors/Header.h"
#include "tools/weft/foreign/gguf/Blocks.h"

#include <map>
#include <string>
#include <vector>

namespace weft {

/// A tensor, what its bytes are read from, and the file it is in.
struct FoundTensor {
  runtime::StoredTensor stored;
  std::shared_ptr<const runtime::InputFile> data;
  std::string file;
  const BlockFormat *blocks = nullptr; ///< of its bytes; else they are elements of its type
  bool hasOwnShape = true; ///< else its format has numbers in a row, and the reader gave it one

  /// Whether it holds floats, or what stands for them.
  bool isFloat() const;
  /// All of them. Errors begin with the file's name.
  runtime::Status read(std::span<float> into) const;
};

/// A number that a file says of the model, and the file. A header has nothing else, so all of it
/// counts; a configuration also says much that is no size.
struct FoundSize {
  int64_t value;
  std::string file;
  bool isHeader;
  std::string unusable; ///< what stands there, if it is no size
};

/// Files that are open as long as it lives.
class TensorFiles {
public:
  /// Safetensors files, their index (`model.safetensors.index.json`), a folder that holds one of
  /// both and perhaps a `config.json`, GGUF files, or a llama2.c v0 file (`.bin`). Errors name the
  /// file.
  static runtime::Result<TensorFiles> open(const std::vector<std::string> &paths);

  /// By name.
  const std::map<std::string, FoundTensor> &tensors() const { return all; }
  const FoundTensor *find(const std::string &name) const;
  /// The whole numbers of a llama2.c header, of `config.json` or of what a GGUF file says in its
  /// words, by name, and what else stands there; empty where there is none of them.
  const std::map<std::string, FoundSize> &sizes() const { return said; }

  /// All that `config.json` or a GGUF file says, and where it is; null where there is none.
  const runtime::Json &config() const { return configuration; }
  const std::string &configPath() const { return configurationPath; }
  /// Whether each field of it may change results: all of a GGUF file's, but for those that are
  /// known not to. Else what nobody knows is most likely no matter.
  bool everyFieldCounts() const { return everyCounts; }

private:
  runtime::Status add(const std::string &path);
  runtime::Status addLlama2c(const std::string &path, runtime::InputFile file);
  runtime::Status addGguf(const std::string &path, runtime::InputFile file);
  runtime::Status addTensors(const std::string &path, runtime::InputFile file,
                             const std::vector<runtime::StoredTensor> &tensors,
                             bool haveOwnShapes = true);
  runtime::Status addTensor(FoundTensor found);
  runtime::Status addConfiguration(const std::string &path, runtime::Json config,
                                   bool everyFieldCounts);
  runtime::Status addSizes(const std::string &path);
  runtime::Status addIndex(const std::string &path);
  runtime::Status addFolder(const std::string &path);

  std::map<std::string, FoundTensor> all;
  std::map<std::string, FoundSize> said;
  runtime::Json configuration;
  std::string configurationPath;
  bool everyCounts = false;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_TENSORFILES_H
