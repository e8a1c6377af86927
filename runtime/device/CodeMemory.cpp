// Taking and giving back memory where code runs.
#include "runtime/device/CodeMemory.h"

using namespace weft::runtime;

Result<CodeMemory> CodeMemory::create(MemorySource source, int64_t bytes,
                                      const std::string &purpose, const char *advice) {
  CodeMemory created;
  if (bytes == 0)
    return created;
  if (source.device) {
    Result<void *> memory = source.device->allocate(bytes, purpose, advice);
    if (!memory)
      return memory.error();
    created.device = source.device;
    created.start = static_cast<char *>(*memory);
  } else {
    Result<Block> block = Block::create(bytes, purpose, advice, source.nodes);
    if (!block)
      return block.error();
    created.block = std::move(*block);
    created.start = created.block.data();
  }
  created.bytes = bytes;
  return created;
}

CodeMemory::~CodeMemory() {
  if (device)
    device->release(start);
}

CodeMemory &CodeMemory::operator=(CodeMemory &&other) noexcept {
  std::swap(device, other.device);
  std::swap(block, other.block);
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  return *this;
}

void CodeMemory::poison() {
  if (device)
    device->fill(start, 0xff, bytes);
  else
    block.poison();
}
