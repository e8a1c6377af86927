// Work is put into a list, and done in order when somebody waits.
#include "runtime/device/emulated/EmulatedDevice.h"

#include "runtime/Archives.h"
#include "runtime/emulator/Launch.h"
#include "runtime/emulator/numbers/TensorMap.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace weft::runtime;

Result<EmulatedSettings> EmulatedSettings::read() {
  EmulatedSettings settings;
  std::optional<Error> problem;
  auto number = [&](const char *name, uint64_t otherwise) -> uint64_t {
    const char *value = getenv(name);
    if (!value || !*value)
      return otherwise;
    char *end = nullptr;
    errno = 0;
    uint64_t read = strtoull(value, &end, 10);
    if (*end || errno || *value == '-')
      problem = Error{Code::Usage, text("%s=%s: expected a whole number", name, value)};
    return read;
  };
  settings.seed = number("WEFT_EMULATED_SEED", 0);
  settings.races = number("WEFT_EMULATED_RACES", 0) != 0;
  settings.memory = static_cast<int64_t>(
      number("WEFT_EMULATED_MEMORY", static_cast<uint64_t>(settings.memory)) & INT64_MAX);
  if (problem)
    return *problem;
  return settings;
}

EmulatedDevice::EmulatedDevice(EmulatedSettings settings, std::unique_ptr<EmulatedMemory> memory)
    : settings(settings), about{"cuda-emulated", "", 9, 0, settings.memory},
      memory(std::move(memory)) {}

Result<std::unique_ptr<Device>> EmulatedDevice::open() {
  Result<EmulatedSettings> settings = EmulatedSettings::read();
  if (!settings)
    return settings.error();
  Result<std::unique_ptr<EmulatedMemory>> memory = EmulatedMemory::reserve(settings->memory);
  if (!memory)
    return memory.error();
  return std::unique_ptr<Device>(new EmulatedDevice(*settings, std::move(*memory)));
}

int64_t EmulatedDevice::freeMemory() {
  collect();
  return memory->free();
}

Result<void *> EmulatedDevice::take(int64_t bytes) {
  collect();
  if (void *piece = memory->take(bytes))
    return piece;
  return Error{Code::Memory, ""};
}

void EmulatedDevice::release(void *piece) {
  std::lock_guard lock(mutex);
  released.push_back(piece);
}

void EmulatedDevice::collect() {
  if (!asked.empty())
    return;
  std::lock_guard lock(mutex);
  for (void *piece : released)
    memory->giveBack(piece);
  released.clear();
}

Status EmulatedDevice::checkPiece(const char *what, const void *start, int64_t bytes) {
  collect();
  auto address = reinterpret_cast<uintptr_t>(start);
  if (memory->holds(address, static_cast<size_t>(bytes)))
    return success();
  return Error{Code::Internal,
               text("%s: no memory of the emulated device holds %lld bytes there: %s", what,
                    wide(bytes), memory->describe(address).c_str())};
}

Status EmulatedDevice::checkHere(const char *what, const void *start) const {
  if (!memory->hasAddress(reinterpret_cast<uintptr_t>(start)))
    return success();
  return Error{Code::Internal,
               text("%s: the address of this machine is one of the emulated device", what)};
}

Status EmulatedDevice::doCopyIn(void *to, const void *from, int64_t bytes) {
  for (Status status : {checkPiece("a copy in", to, bytes), checkHere("a copy in", from)})
    if (!status)
      return status;
  asked.push_back([=] {
    memcpy(to, from, static_cast<size_t>(bytes));
    return success();
  });
  copiesEnd = asked.size();
  return success();
}

Status EmulatedDevice::doCopyOut(void *to, const void *from, int64_t bytes) {
  for (Status status : {checkPiece("a copy out", from, bytes), checkHere("a copy out", to)})
    if (!status)
      return status;
  asked.push_back([=] {
    memcpy(to, from, static_cast<size_t>(bytes));
    return success();
  });
  return success();
}

Status EmulatedDevice::ask(Result<Work> work) {
  if (!work)
    return work.error();
  asked.push_back(std::move(*work));
  return success();
}

Result<EmulatedDevice::Work> EmulatedDevice::copyOf(void *to, const void *from,
                                                    const Pitch &pitch) {
  int64_t last = pitch.rows - 1;
  for (Status status : {checkPiece("a copy within", to, last * pitch.to + pitch.bytes),
                        checkPiece("a copy within", from, last * pitch.from + pitch.bytes)})
    if (!status)
      return status.error();
  return Work([=] {
    for (int64_t row = 0; row < pitch.rows; ++row)
      memcpy(static_cast<char *>(to) + row * pitch.to,
             static_cast<const char *>(from) + row * pitch.from, static_cast<size_t>(pitch.bytes));
    return success();
  });
}

Status EmulatedDevice::doCopyRows(void *to, const void *from, const Pitch &pitch) {
  return ask(copyOf(to, from, pitch));
}

Status EmulatedDevice::doFill(void *piece, unsigned char value, int64_t bytes) {
  if (Status status = checkPiece("a fill", piece, bytes); !status)
    return status;
  asked.push_back([=] {
    memset(piece, value, static_cast<size_t>(bytes));
    return success();
  });
  return success();
}

/// As the kernel is given them: a size that it says not to read is none that it could go by.
static std::vector<int64_t> sizesOf(const WeftDeviceKernel &kernel, const int64_t *given) {
  if (!kernel.reads)
    return {given, given + kernel.sizes};
  constexpr int64_t none = INT64_MIN / 7;
  std::vector<int64_t> sizes(kernel.sizes, none);
  for (uint32_t i = 0; i < kernel.read; ++i)
    sizes[kernel.reads[i]] = given[kernel.reads[i]];
  return sizes;
}

Result<EmulatedDevice::Work> EmulatedDevice::launchOf(const WeftDeviceKernel &kernel,
                                                      const Parameters &given, int64_t blocks) {
  if (!kernel.emulated)
    return Error{Code::Internal,
                 text("kernel %s has no code for the emulated device", kernel.name)};
  std::vector<int64_t> sizes = sizesOf(kernel, given.sizes);
  std::vector<void *> buffers(given.buffers, given.buffers + kernel.buffers);
  for (uint32_t i = 0; i < kernel.buffers; ++i)
    if (Status status =
            checkPiece(text("buffer %u of kernel %s", i, kernel.name).c_str(), buffers[i], 0);
        !status)
      return status.error();
  Result<std::vector<WeftTensorMap>> tensors = describe(kernel, given);
  if (!tensors)
    return tensors.error();
  std::vector<emulator::TensorMap> maps;
  for (const WeftTensorMap &tensor : *tensors)
    if (std::string problem = emulator::encode(maps.emplace_back(), tensor); !problem.empty())
      return Error{Code::Internal, text("kernel %s: tensor %zu: %s", kernel.name, maps.size() - 1,
                                        problem.c_str())};
  return Work(
      [this, &kernel, sizes, buffers, maps, scratch = given.scratch, blocks]() mutable -> Status {
        std::vector<void *> addresses = {sizes.data(), buffers.data(), &scratch};
        for (emulator::TensorMap &map : maps)
          addresses.push_back(&map);
        emulator::Grid grid;
        grid.blocks[0] = static_cast<unsigned>(blocks);
        grid.threads = kernel.threads;
        grid.cluster = std::max(kernel.cluster, 1u);
        if (kernel.shared_bytes > 0) // and nothing that the kernel declares
          grid.shared = kernel.shared_bytes;
        emulator::Mode mode;
        mode.seed = settings.seed;
        mode.races = settings.races;
        mode.memory = memory.get();
        emulator::Counts counts;
        if (auto problem = emulator::launch(kernel.emulated, addresses.data(), grid, mode, counts))
          return Error{Code::Internal, text("kernel %s: %s", kernel.name, problem->c_str())};
        return success();
      });
}

Status EmulatedDevice::doLaunch(const WeftDeviceKernel &kernel, const Parameters &given,
                                int64_t blocks) {
  return ask(launchOf(kernel, given, blocks));
}

Status EmulatedDevice::work(size_t count) {
  Status status;
  memory->open();
  try {
    for (size_t i = 0; i < count && status; ++i)
      status = asked[i]();
  } catch (const std::bad_alloc &) { // of what emulates: some of the work is done, some is not
    status = Error{Code::Memory, "out of memory"};
  }
  memory->close();
  asked.erase(asked.begin(), asked.begin() + static_cast<int64_t>(count));
  copiesEnd -= std::min(copiesEnd, count);
  if (!status) // nothing will ask again
    asked.clear();
  return status;
}

Status EmulatedDevice::doWaitForCopies() {
  return copiesEnd > 0 ? work(copiesEnd) : success();
}

Status EmulatedDevice::doWait() {
  return asked.empty() ? success() : work(asked.size());
}
