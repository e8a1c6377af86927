// Asking another library by its table of functions.
#include "runtime/generation/Draft.h"

#include "runtime/generation/Generator.h"
#include "runtime/weft.h"

#include <algorithm>
#include <dlfcn.h>
#include <utility>

using namespace weft::runtime;

Error DraftLibrary::failed(const char *what) const {
  return {Code::Value, text("--draft %s: %s", path.c_str(), what)};
}

Status DraftLibrary::load() {
  // dlopen() looks for a name without a folder elsewhere.
  std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return failed(text("cannot be opened: %s", dlerror()).c_str());
  auto table = reinterpret_cast<decltype(&weft_api)>(dlsym(handle, "weft_api"));
  if (table)
    api = table();
  if (!api || api->size < offsetof(WeftApi, sample) + sizeof api->sample)
    return failed("is no library of a model; `weft build --shared --weights W -o DRAFT.so` makes "
                  "one, without --symbol-prefix");
  return success();
}

Status DraftLibrary::openModel(int threads) {
  WeftOptions options{};
  options.size = sizeof options;
  options.threads = threads;
  options.pin = 1;
  model = api->open(&options);
  return model ? success() : failed(api->error());
}

Status DraftLibrary::check(int64_t vocabulary) {
  Result<Facts> facts = readFacts(api->facts(model));
  if (!facts)
    return failed(facts.error().message.c_str());
  if (!facts->carried)
    return failed("carries no weights: build it with --weights");
  Result<const Decoding *> decoding = findDecoding(*facts, nullptr);
  if (!decoding)
    return failed(decoding.error().message.c_str());
  std::optional<ContextLimit> limit = contextLimit(*facts, **decoding);
  positions = limit ? limit->positions : INT32_MAX;
  WeftGenerator *tried = api->generator_open(model, nullptr, std::min<int64_t>(positions, 2));
  if (!tried)
    return failed(api->error());
  std::string problem;
  const int32_t ids[] = {0, 0};
  if (int64_t own = api->generator_vocabulary(tried); own != vocabulary)
    problem = text("has %lld ids, and this model has %lld: only of the same vocabulary it can say "
                   "what follows",
                   wide(own), wide(vocabulary));
  else if (!api->advance(tried, ids, std::min<int64_t>(positions, 2)) ||
           api->generator_rewind(tried, 1) != WEFT_OK)
    problem = api->error();
  api->generator_close(tried);
  return problem.empty() ? success() : failed(problem.c_str());
}

Result<std::shared_ptr<const DraftLibrary>> DraftLibrary::open(const std::string &path, int threads,
                                                               int64_t vocabulary) {
  std::shared_ptr<DraftLibrary> library(new DraftLibrary(path));
  if (Status status = library->load(); !status)
    return status.error();
  if (Status status = library->openModel(threads); !status)
    return status.error();
  if (Status status = library->check(vocabulary); !status)
    return status.error();
  return std::shared_ptr<const DraftLibrary>(std::move(library));
}

DraftLibrary::~DraftLibrary() {
  if (model)
    api->close(model);
  if (handle)
    dlclose(handle);
}

Draft::~Draft() {
  if (generator)
    library->api->generator_close(generator);
}

Draft::Draft(Draft &&other) noexcept
    : library(std::move(other.library)), generator(std::exchange(other.generator, nullptr)),
      capacity(other.capacity), known(std::move(other.known)) {}

Status Draft::reserve(int64_t wanted) {
  if (generator)
    library->api->generator_close(generator);
  known.clear();
  capacity = std::min(library->positions, wanted);
  generator = library->api->generator_open(library->model, nullptr, capacity);
  return generator ? success() : library->failed(library->api->error());
}

Result<std::vector<int32_t>> Draft::propose(std::span<const int32_t> text, size_t most) {
  const WeftApi &api = *library->api;
  int64_t length = std::ssize(text), room = library->positions - length + 1;
  auto count = std::min<int64_t>(static_cast<int64_t>(most), room); // the last is not taken in
  std::vector<int32_t> proposed;
  if (count <= 0)
    return proposed;
  if (!generator || capacity < std::min(library->positions, length + count))
    if (Status status = reserve(2 * (length + count)); !status)
      return status.error();
  // It goes on from where it agrees with the text, and takes in one id at least.
  auto agreed = std::mismatch(known.begin(), known.end(), text.begin(), text.end() - 1).first;
  known.erase(agreed, known.end());
  if (api.generator_rewind(generator, std::ssize(known)) != WEFT_OK)
    return library->failed(api.error());
  std::vector<int32_t> fresh(text.begin() + std::ssize(known), text.end());
  for (;;) {
    const float *logits = api.advance(generator, fresh.data(), std::ssize(fresh));
    known.insert(known.end(), fresh.begin(), fresh.end());
    int32_t next = logits ? api.sample(logits, api.generator_vocabulary(generator), nullptr,
                                       api.generator_known(generator))
                          : -1;
    if (next < 0)
      return library->failed(api.error());
    proposed.push_back(next);
    if (std::ssize(proposed) == count)
      return proposed;
    fresh.assign(1, next);
  }
}
