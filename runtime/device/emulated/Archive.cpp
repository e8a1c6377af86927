// What programs with code for the emulated device link, as the runtime sees it.
#include "runtime/Archives.h"
#include "runtime/device/emulated/EmulatedDevice.h"

using namespace weft::runtime;

static Result<std::unique_ptr<Device>> open(const WeftProgram &, int) {
  return EmulatedDevice::open();
}

static Result<std::string> describe() {
  return std::string("this machine");
}

static Result<std::vector<DeviceFacts>> list() {
  Result<EmulatedSettings> settings = EmulatedSettings::read();
  if (!settings)
    return settings.error();
  return std::vector<DeviceFacts>{{"cuda-emulated", "", 9, 0, settings->memory}};
}

static Result<std::string> fits(const WeftProgram &, const DeviceFacts &) {
  return std::string("code that this machine stands in for a device with");
}

const DeviceArchive weft::runtime::weft_emulator = {open, describe, list, fits};
