// Memory, copies and waiting. What the driver refuses is the end of the device: after most errors
// its context is of no use.
#include "runtime/device/cuda/CudaDevice.h"

#include <unistd.h>

using namespace weft::runtime;

static cuda::Address addressOf(const void *memory) {
  return reinterpret_cast<uintptr_t>(memory);
}

CudaDevice::CudaDevice(const cuda::Driver &driver, DeviceFacts facts, const WeftImage &image)
    : driver(driver), about(std::move(facts)), image(image), process(getpid()) {}

Result<std::unique_ptr<Device>> CudaDevice::open(const WeftProgram &program, int number) {
  Result<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.error();
  Result<std::vector<DeviceFacts>> devices = cuda::listDevices(**driver);
  if (!devices)
    return devices.error();
  auto count = static_cast<int>(devices->size());
  if (count == 0)
    return Error{Code::Device, "the CUDA driver finds no device on this machine"};
  if (number >= count)
    return Error{Code::Device,
                 text("there is no cuda:%d: this machine has %s", number,
                      count == 1
                          ? "one CUDA device, cuda:0"
                          : text("%d CUDA devices, cuda:0 to cuda:%d", count, count - 1).c_str())};
  const DeviceFacts &facts = (*devices)[static_cast<size_t>(number)];
  Result<const WeftImage *> image = cuda::imageFor(program, facts, (*driver)->version);
  if (!image)
    return image.error();
  std::unique_ptr<CudaDevice> opened(new CudaDevice(**driver, facts, **image));
  if (Status status = opened->start(number); !status)
    return status.error();
  return std::unique_ptr<Device>(std::move(opened));
}

Status CudaDevice::start(int number) {
  cuda::Code code = driver.cuDeviceGet(&device, number);
  if (code == 0)
    code = driver.cuDevicePrimaryCtxRetain(&context, device);
  if (code == 0)
    code = driver.cuCtxSetCurrent(context);
  if (code == 0)
    code = driver.cuStreamCreate(&stream, cuda::nonBlocking);
  if (code == 0)
    code = driver.cuEventCreate(&copied, cuda::noTiming);
  if (code == cuda::outOfMemory)
    return Error{Code::Memory, text("%s has no memory left to begin with: other programs have it",
                                    title().c_str())};
  if (code)
    return Error{Code::Device,
                 text("%s does not start: %s", title().c_str(), driver.say(code).c_str())};
  return success();
}

CudaDevice::~CudaDevice() {
  if (!context || !enter())
    return;
  if (module)
    driver.cuModuleUnload(module);
  for (cuda::Event event : {copied, begun, ended})
    if (event)
      driver.cuEventDestroy(event);
  if (stream)
    driver.cuStreamDestroy(stream);
  driver.cuCtxSetCurrent(nullptr);
  driver.cuDevicePrimaryCtxRelease(device);
}

bool CudaDevice::enter() {
  return process == getpid() && driver.cuCtxSetCurrent(context) == 0;
}

Status CudaDevice::lost(const char *what, cuda::Code code) const {
  return Error{Code::Device,
               text("%s was lost in %s: %s", title().c_str(), what, driver.say(code).c_str())};
}

int64_t CudaDevice::freeMemory() {
  size_t free = 0, total = 0;
  return enter() && driver.cuMemGetInfo(&free, &total) == 0 ? static_cast<int64_t>(free) : 0;
}

Result<void *> CudaDevice::take(int64_t bytes) {
  cuda::Address address = 0;
  enter();
  cuda::Code code = driver.cuMemAlloc(&address, static_cast<size_t>(bytes));
  if (code == cuda::outOfMemory)
    return Error{Code::Memory, ""};
  if (code)
    return lost("taking memory", code).error();
  return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
}

void CudaDevice::release(void *memory) {
  if (enter())
    driver.cuMemFree(addressOf(memory));
}

void *CudaDevice::allocateStaging(int64_t bytes) {
  void *memory = nullptr;
  return enter() && driver.cuMemHostAlloc(&memory, static_cast<size_t>(bytes), 0) == 0 ? memory
                                                                                       : nullptr;
}

void CudaDevice::releaseStaging(void *memory) {
  if (enter())
    driver.cuMemFreeHost(memory);
}

Status CudaDevice::doCopyIn(void *to, const void *from, int64_t bytes) {
  enter();
  cuda::Code code =
      driver.cuMemcpyHtoDAsync(addressOf(to), from, static_cast<size_t>(bytes), stream);
  if (code == 0)
    code = driver.cuEventRecord(copied, stream);
  hasCopies = true;
  return code ? lost("a copy to it", code) : success();
}

Status CudaDevice::doCopyOut(void *to, const void *from, int64_t bytes) {
  enter();
  cuda::Code code =
      driver.cuMemcpyDtoHAsync(to, addressOf(from), static_cast<size_t>(bytes), stream);
  return code ? lost("a copy from it", code) : success();
}

Status CudaDevice::doCopyRows(void *to, const void *from, const Pitch &pitch) {
  enter();
  auto bytes = static_cast<size_t>(pitch.bytes);
  constexpr int64_t mostPitch = INT32_MAX;
  cuda::Code code = 0;
  if (pitch.rows > 1 && pitch.to <= mostPitch && pitch.from <= mostPitch) {
    cuda::Copy2D copy;
    copy.from.device = addressOf(from);
    copy.from.pitch = static_cast<size_t>(pitch.from);
    copy.to.device = addressOf(to);
    copy.to.pitch = static_cast<size_t>(pitch.to);
    copy.width = bytes;
    copy.height = static_cast<size_t>(pitch.rows);
    code = driver.cuMemcpy2DAsync(&copy, stream);
    return code ? lost("a copy within it", code) : success();
  }
  for (int64_t row = 0; row < pitch.rows && code == 0; ++row)
    code = driver.cuMemcpyDtoDAsync(addressOf(static_cast<char *>(to) + row * pitch.to),
                                    addressOf(static_cast<const char *>(from) + row * pitch.from),
                                    bytes, stream);
  return code ? lost("a copy within it", code) : success();
}

Status CudaDevice::doFill(void *memory, unsigned char value, int64_t bytes) {
  enter();
  cuda::Code code =
      driver.cuMemsetD8Async(addressOf(memory), value, static_cast<size_t>(bytes), stream);
  return code ? lost("clearing memory", code) : success();
}

Status CudaDevice::doWaitForCopies() {
  enter();
  cuda::Code code = hasCopies ? driver.cuEventSynchronize(copied) : 0;
  hasCopies = false;
  return code ? lost("what it computes", code) : success();
}

Status CudaDevice::doWait() {
  enter();
  cuda::Code code = driver.cuStreamSynchronize(stream);
  hasCopies = false;
  return code ? lost("what it computes", code) : success();
}
