// Devices, capabilities and images.
#include "runtime/device/cuda/Devices.h"

#include <cstdio>
#include <cstring>

using namespace weft::runtime;
using namespace weft::runtime::cuda;

Result<std::vector<DeviceFacts>> weft::runtime::cuda::listDevices(const Driver &driver) {
  int count = 0;
  std::vector<DeviceFacts> devices;
  cuda::Code code = driver.cuDeviceGetCount(&count);
  for (int i = 0; i < count && code == 0; ++i) {
    Number device = 0;
    char name[256] = "";
    size_t bytes = 0;
    DeviceFacts facts;
    if ((code = driver.cuDeviceGet(&device, i)) ||
        (code = driver.cuDeviceGetName(name, sizeof name, device)) ||
        (code = driver.cuDeviceGetAttribute(&facts.major, attributeMajor, device)) ||
        (code = driver.cuDeviceGetAttribute(&facts.minor, attributeMinor, device)) ||
        (code = driver.cuDeviceTotalMem(&bytes, device)))
      break;
    name[sizeof name - 1] = 0;
    facts.name = text("cuda:%d", i);
    facts.model = printable(name);
    facts.memory = static_cast<int64_t>(bytes);
    devices.push_back(std::move(facts));
  }
  if (code)
    return Error{weft::runtime::Code::Device,
                 "the CUDA driver does not list its devices: " + driver.say(code)};
  return devices;
}

std::string weft::runtime::cuda::capabilityText(const WeftImage &image) {
  std::string number = text("%u.%u", image.capability / 10, image.capability % 10);
  return image.exact ? number + "a" : number + " and later";
}

int weft::runtime::cuda::versionFor(const WeftImage &image) {
  // code is text, and says its version in the first line that is no comment
  const char *found = strstr(image.text, ".version ");
  int major = 0, minor = 0;
  if (!found || sscanf(found, ".version %d.%d", &major, &minor) != 2)
    return 0;
  // the language's 8.0 came with CUDA 12.0, and so on; it had no version for CUDA 12.6
  constexpr int behind = 4, skippedMajor = 8, skippedFrom = 6;
  minor += major == skippedMajor && minor >= skippedFrom;
  return (major + behind) * 1000 + minor * 10;
}

Result<const WeftImage *> weft::runtime::cuda::imageFor(const WeftProgram &program,
                                                        const DeviceFacts &device,
                                                        int driverVersion) {
  auto capability = static_cast<uint32_t>(device.major * 10 + device.minor);
  std::string has;
  int needed = 0;
  for (uint64_t i = 0; i < program.image_count; ++i) {
    const WeftImage &image = program.images[i];
    has += (has.empty() ? "" : ", and for ") + capabilityText(image);
    if (image.exact ? image.capability != capability : image.capability > capability)
      continue;
    int version = versionFor(image);
    if (version <= driverVersion)
      return &image;
    needed = needed == 0 || version < needed ? version : needed;
  }
  if (needed > 0)
    return Error{
        weft::runtime::Code::Device,
        text("the CUDA driver of this machine is for CUDA %s, and the program's code needs "
             "%s or later: install a newer driver",
             versionText(driverVersion).c_str(), versionText(needed).c_str())};
  return Error{weft::runtime::Code::Device,
               text("%s (%s) has compute capability %d.%d, and the program has code for %s",
                    device.name.c_str(), device.model.c_str(), device.major, device.minor,
                    has.empty() ? "none" : has.c_str())};
}
