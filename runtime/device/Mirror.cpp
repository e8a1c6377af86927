// Which of two memories is newer.
#include "runtime/device/Mirror.h"

#include <cstring>

using namespace weft::runtime;

Result<Mirror> Mirror::create(MemorySource source, int64_t bytes, const std::string &purpose,
                              const char *advice, bool staged) {
  Mirror mirror;
  Device *device = source.device;
  if (device && staged && bytes > 0)
    mirror.staging = static_cast<char *>(device->allocateStaging(bytes));
  mirror.device = device;
  mirror.host = mirror.staging;
  if (mirror.staging) {
    memset(mirror.staging, 0, static_cast<size_t>(bytes));
  } else {
    Result<Block> block = Block::create(bytes, purpose, advice, source.nodes);
    if (!block)
      return block.error();
    mirror.block = std::move(*block);
    mirror.host = mirror.block.data();
  }
  mirror.bytes = bytes;
  mirror.zeros = true;
  mirror.purpose = purpose;
  return mirror;
}

Mirror Mirror::over(Device *device, void *memory, int64_t bytes, const std::string &purpose) {
  Mirror mirror;
  mirror.device = device;
  mirror.host = static_cast<char *>(memory);
  mirror.bytes = bytes;
  mirror.purpose = purpose;
  return mirror;
}

Mirror::~Mirror() {
  if (staging)
    device->releaseStaging(staging);
}

Mirror &Mirror::operator=(Mirror &&other) noexcept {
  std::swap(device, other.device);
  std::swap(block, other.block);
  std::swap(copy, other.copy);
  std::swap(host, other.host);
  std::swap(staging, other.staging);
  std::swap(bytes, other.bytes);
  std::swap(newer, other.newer);
  std::swap(zeros, other.zeros);
  std::swap(followed, other.followed);
  std::swap(exposed, other.exposed);
  std::swap(purpose, other.purpose);
  return *this;
}

char *Mirror::read() {
  if (device && newer == Newer::There) {
    fetch();
    (void)device->wait();
  }
  return host;
}

char *Mirror::write() {
  char *memory = read();
  newer = Newer::Here;
  zeros = false;
  return memory;
}

char *Mirror::follow() {
  followed = true;
  return read();
}

char *Mirror::expose() {
  exposed = true;
  zeros = false;
  return follow();
}

void Mirror::poison() {
  if (!device) {
    block.poison();
    return;
  }
  if (copy.size() > 0)
    copy.poison();
  newer = Newer::There;
}

Status Mirror::place(const char *advice) {
  if (!device || copy.size() >= bytes)
    return success();
  Result<CodeMemory> memory = CodeMemory::create(device, bytes, purpose, advice);
  if (!memory)
    return memory.error();
  copy = std::move(*memory);
  return success();
}

void *Mirror::forCode() {
  if (!device)
    return host;
  if (newer == Newer::Here && zeros)
    device->fill(copy.data(), 0, bytes);
  else if (newer == Newer::Here || (exposed && newer == Newer::Neither))
    device->copyIn(copy.data(), host, bytes);
  if (newer == Newer::Here)
    newer = Newer::Neither;
  return copy.data();
}

void *Mirror::forResult() {
  newer = device ? Newer::There : Newer::Here;
  return device ? copy.data() : host;
}

void Mirror::written() {
  if (device)
    newer = Newer::There;
}

void Mirror::fetch() {
  if (!device || newer != Newer::There || !device->failure())
    return;
  device->copyOut(host, copy.data(), bytes);
  newer = Newer::Neither;
}

void Mirror::publish() {
  if (followed)
    fetch();
}

Status Mirror::keep(CodeMemory &room) {
  if (room.size() < bytes) {
    // on this machine it is copied by one thread, beside which it may lie
    Result<CodeMemory> memory = CodeMemory::create(device, bytes, "a copy of " + purpose);
    if (!memory)
      return memory.error();
    room = std::move(*memory);
  }
  const void *values = forCode();
  if (device)
    device->copyWithin(room.data(), values, bytes);
  else
    memcpy(room.data(), values, static_cast<size_t>(bytes));
  return success();
}

void Mirror::restore(const CodeMemory &room) {
  void *values = forResult();
  if (device)
    device->copyWithin(values, room.data(), bytes);
  else
    memcpy(values, room.data(), static_cast<size_t>(bytes));
}
