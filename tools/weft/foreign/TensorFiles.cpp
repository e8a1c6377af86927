// Opens the files of a checkpoint by what they are.
#include "tools/weft/foreign/TensorFiles.h"

#include "runtime/base/files/Folder.h"
#include "runtime/base/files/NewFile.h"
#include "runtime/tensors/safetensors/Reader.h"
#include "tools/weft/foreign/gguf/Reader.h"
#include "tools/weft/foreign/llama2c/Reader.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <set>

namespace weft {

using runtime::Error;
using runtime::Result;
using runtime::Status;

static const char indexName[] = "model.safetensors.index.json", configName[] = "config.json";

bool FoundTensor::isFloat() const {
  return blocks || runtime::converts(stored.type, runtime::Element::Float);
}

Status FoundTensor::read(std::span<float> into) const {
  auto count = static_cast<int64_t>(into.size());
  if (!blocks) {
    auto read =
        runtime::readElements(*data, stored, 0, count, runtime::Element::Float, into.data());
    return read ? Status() : read.error();
  }
  constexpr int64_t most = 4096; // blocks at a time
  std::vector<std::byte> piece;
  for (int64_t done = 0, all = count / blocks->elements; done < all; done += most) {
    int64_t now = std::min(most, all - done);
    piece.resize(static_cast<uint64_t>(now) * blocks->bytes);
    if (Status status =
            data->read(stored.begin + static_cast<uint64_t>(done) * blocks->bytes, piece);
        !status)
      return status;
    auto *from = reinterpret_cast<const uint8_t *>(piece.data());
    for (int64_t i = 0; i < now; ++i)
      blocks->decode(from + static_cast<uint64_t>(i) * blocks->bytes,
                     into.data() + (done + i) * blocks->elements);
  }
  return {};
}

Result<TensorFiles> TensorFiles::open(const std::vector<std::string> &paths) {
  TensorFiles opened;
  for (const std::string &path : paths) {
    Status status = runtime::isFolder(path)   ? opened.addFolder(path)
                    : path.ends_with(".json") ? opened.addIndex(path)
                                              : opened.add(path);
    if (!status)
      return status.error();
  }
  // What stretches positions is a tensor in GGUF files, so that none says that nothing does.
  constexpr char stretches[] = "rope_freqs";
  if (opened.everyCounts && opened.find(std::string(stretches) + ".weight"))
    opened.configuration[stretches] = true;
  return opened;
}

const FoundTensor *TensorFiles::find(const std::string &name) const {
  auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

Status TensorFiles::add(const std::string &path) {
  Result<runtime::InputFile> file = runtime::InputFile::open(path);
  if (!file)
    return file.error();
  std::byte magic[4] = {};
  if (file->size() >= sizeof magic)
    if (Status status = file->read(0, magic); !status)
      return status;
  if (isGguf(magic))
    return addGguf(path, std::move(*file));
  if (path.ends_with(".bin"))
    return addLlama2c(path, std::move(*file));
  auto header = runtime::readHeaderOf(*file);
  if (!header)
    return header.error();
  return addTensors(path, std::move(*file), header->tensors);
}

Status TensorFiles::addLlama2c(const std::string &path, runtime::InputFile file) {
  std::vector<std::byte> start(std::min<uint64_t>(file.size(), sizeof(Llama2cHeader)));
  if (Status status = file.read(0, start); !status)
    return status;
  auto read = readLlama2c(start, file.size());
  if (!read)
    return Error{runtime::Code::File, path + ": " + read.error().message};
  for (const Llama2cField &field : llama2cFields)
    said[field.name] = {std::abs(int64_t(read->header.*field.value)), path, true, ""};
  return addTensors(path, std::move(file), read->tensors, false);
}

/// A header says nowhere how long it is: most of it is the vocabulary.
Status TensorFiles::addGguf(const std::string &path, runtime::InputFile file) {
  constexpr uint64_t first = 1 << 20, most = 1 << 28;
  for (uint64_t bytes = first;; bytes *= 4) {
    std::vector<std::byte> start(std::min(file.size(), bytes));
    if (Status status = file.read(0, start); !status)
      return status;
    Result<GgufFile> read = readGguf(start, file.size());
    bool isPart = !read && read.error().code == runtime::Code::Size && bytes < file.size();
    if (isPart && bytes < most)
      continue;
    if (!read)
      return Error{runtime::Code::File,
                   path + ": " +
                       (isPart ? "its header is longer than 256 MiB" : read.error().message)};
    auto data = std::make_shared<const runtime::InputFile>(std::move(file));
    for (GgufTensor &tensor : read->tensors)
      if (Status status = addTensor({std::move(tensor.stored), data, path, tensor.blocks}); !status)
        return status;
    return read->config.is_object() ? addConfiguration(path, std::move(read->config), true)
                                    : Status();
  }
}

Status TensorFiles::addTensors(const std::string &path, runtime::InputFile file,
                               const std::vector<runtime::StoredTensor> &tensors,
                               bool haveOwnShapes) {
  auto data = std::make_shared<const runtime::InputFile>(std::move(file));
  for (const runtime::StoredTensor &tensor : tensors)
    if (Status status = addTensor({tensor, data, path, nullptr, haveOwnShapes}); !status)
      return status;
  return {};
}

Status TensorFiles::addTensor(FoundTensor found) {
  std::string name = found.stored.name, path = found.file;
  auto [other, isNew] = all.try_emplace(name, std::move(found));
  if (isNew)
    return {};
  std::string shown = runtime::printable(name);
  return Error{runtime::Code::Value,
               path == other->second.file
                   ? fmt::format("{}: has `{}` twice", path, shown)
                   : fmt::format("{}: has `{}`, and so has {}", path, shown, other->second.file)};
}

/// What a file holds; `what` is what it should be.
static Result<runtime::Json> readJson(const std::string &path, const char *what) {
  Result<runtime::WholeFile> file = runtime::WholeFile::read(path);
  if (!file)
    return file.error();
  Result<runtime::Json> json = runtime::readJson(file->view());
  if (!json)
    return Error{runtime::Code::File, fmt::format("{}: {}: {}", path, what, json.error().message)};
  return json;
}

/// `{"num_attention_heads": 12, …}`
Status TensorFiles::addSizes(const std::string &path) {
  Result<runtime::Json> config = readJson(path, "is not the JSON of a configuration");
  if (!config)
    return config.error();
  if (!config->is_object())
    return Error{runtime::Code::File, path + ": is not the JSON of a configuration"};
  return addConfiguration(path, std::move(*config), false);
}

Status TensorFiles::addConfiguration(const std::string &path, runtime::Json config,
                                     bool everyFieldCounts) {
  for (const auto &[name, value] : config.items()) {
    bool isSize = value.is_number_unsigned() &&
                  value.get<uint64_t>() <= uint64_t(std::numeric_limits<int64_t>::max());
    said[name] = {isSize ? value.get<int64_t>() : 0, path, false,
                  isSize ? "" : runtime::jsonText(value)};
  }
  // Where nothing is said of heads of keys, there are as many as of queries.
  if (auto heads = said.find("num_attention_heads"); everyFieldCounts && heads != said.end())
    said.try_emplace("num_key_value_heads", heads->second);
  everyCounts |= everyFieldCounts;
  configurationPath = path;
  if (configuration.is_null()) {
    configuration = std::move(config);
    return {};
  }
  for (const auto &[name, value] : config.items())
    if (auto [known, isNew] = configuration.emplace(name, value); !isNew && *known != value)
      return Error{runtime::Code::Value,
                   fmt::format("{}: `{}` is {}, and {} in another file: which one counts?", path,
                               name, runtime::jsonText(value), runtime::jsonText(*known))};
  return {};
}

/// `{"weight_map": {"name": "model-00001-of-00002.safetensors", …}}`
Status TensorFiles::addIndex(const std::string &path) {
  Result<runtime::Json> index = readJson(path, "is no index of safetensors files");
  if (!index)
    return index.error();
  runtime::Json map =
      index->is_object() ? index->value("weight_map", runtime::Json()) : runtime::Json();
  if (!map.is_object() || map.empty())
    return Error{runtime::Code::File,
                 path + ": is no index of safetensors files: it has no `weight_map`"};
  std::set<std::string> shards;
  for (const auto &[name, shard] : map.items()) {
    if (!shard.is_string() || shard.get<std::string>().find('/') != std::string::npos)
      return Error{runtime::Code::File,
                   fmt::format("{}: `{}` is in no file of this folder", path, name)};
    shards.insert(runtime::folderOf(path) + "/" + shard.get<std::string>());
  }
  for (const std::string &shard : shards)
    if (Status status = add(shard); !status)
      return status;
  for (const auto &[name, shard] : map.items())
    if (!find(name))
      return Error{runtime::Code::File, fmt::format("{}: says that {} has `{}`, which it has not",
                                                    path, shard.get<std::string>(), name)};
  return {};
}

Status TensorFiles::addFolder(const std::string &path) {
  std::error_code none; // a link that leads nowhere is there: opening it says so
  std::string config = path + "/" + configName;
  if (std::filesystem::exists(std::filesystem::symlink_status(config, none)))
    if (Status status = addSizes(config); !status)
      return status;
  if (std::string index = path + "/" + indexName; runtime::fileExists(index))
    return addIndex(index);
  if (std::string file = path + "/model.safetensors"; runtime::fileExists(file))
    return add(file);
  return Error{
      runtime::Code::Name,
      fmt::format("{}: has neither {} nor model.safetensors; name the files", path, indexName)};
}

} // namespace weft
