// What programs with code for CUDA devices link, as the runtime sees it.
#include "runtime/Archives.h"
#include "runtime/device/cuda/CudaDevice.h"

using namespace weft::runtime;

static Result<std::string> describe() {
  Result<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.error();
  return "CUDA " + cuda::versionText((*driver)->version);
}

static Result<std::vector<DeviceFacts>> list() {
  Result<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.error();
  return cuda::listDevices(**driver);
}

static Result<std::string> fits(const WeftProgram &program, const DeviceFacts &device) {
  Result<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.error();
  Result<const WeftImage *> image = cuda::imageFor(program, device, (*driver)->version);
  if (!image)
    return image.error();
  return text("code for %s", cuda::capabilityText(**image).c_str());
}

const DeviceArchive weft::runtime::weft_cuda = {CudaDevice::open, describe, list, fits};
