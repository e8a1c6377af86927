// Keys one by one in the first run, and all at once later.
#include "runtime/device/DeviceKeys.h"

using namespace weft::runtime;

static constexpr int64_t bytesOfKey = 24;

Status DeviceKeys::begin(Device &device, uint64_t seed_, uint64_t step_) {
  seed = seed_;
  step = step_;
  next = 0;
  single.clear();
  all.clear();
  if (!known || firsts.empty())
    return success();
  auto bytes = static_cast<int64_t>(firsts.size()) * bytesOfKey;
  if (table.size() < bytes) {
    Result<CodeMemory> memory = CodeMemory::create(&device, bytes, "the keys of random numbers");
    if (!memory)
      return memory.error();
    table = std::move(*memory);
  }
  for (uint64_t first : firsts)
    all.push_back({seed, step, first});
  device.copyIn(table.data(), all.data(), bytes);
  return success();
}

void DeviceKeys::write(Device &device, void *key, uint64_t first) {
  size_t number = next++;
  if (known && number < firsts.size() && firsts[number] == first)
    return device.copyWithin(key, table.data() + static_cast<int64_t>(number) * bytesOfKey,
                             bytesOfKey);
  if (!known)
    firsts.push_back(first);
  single.push_back({seed, step, first});
  device.copyIn(key, single.back().data(), bytesOfKey);
}

void DeviceKeys::end() {
  known = true;
}

bool DeviceKeys::forget() {
  bool any = !firsts.empty();
  known = false;
  firsts.clear();
  return any;
}
