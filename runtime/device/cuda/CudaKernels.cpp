// Kernels of a CUDA device: the driver compiles a program's code when the first one is launched.
#include "runtime/device/cuda/CudaDevice.h"

#include <cstring>

using namespace weft::runtime;

/// The first lines of what the driver says to code that it does not take.
static std::string firstLines(std::string log) {
  constexpr size_t most = 400;
  log.resize(std::min(strlen(log.c_str()), most));
  while (!log.empty() && log.back() == '\n')
    log.pop_back();
  return log.empty() ? log : ":\n" + log;
}

Status CudaDevice::load() {
  if (module)
    return success();
  std::string log(4096, '\0');
  int options[] = {cuda::optionLog, cuda::optionLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  cuda::Code code = driver.cuModuleLoadDataEx(&module, image.text, 2, options, values);
  if (code == 0)
    return success();
  module = nullptr;
  if (code == cuda::outOfMemory)
    return Error{Code::Memory,
                 text("%s has no memory left for the program's code", title().c_str())};
  bool isCode =
      code == cuda::noBinary || code == cuda::invalidCode || code == cuda::unsupportedVersion;
  if (!isCode)
    return lost("loading the program's code", code);
  return Error{code == cuda::invalidCode ? Code::Internal : Code::Device,
               text("the CUDA driver (for CUDA %s) does not take the program's code for %s: %s%s",
                    cuda::versionText(driver.version).c_str(), cuda::capabilityText(image).c_str(),
                    driver.say(code).c_str(), firstLines(std::move(log)).c_str())};
}

Result<cuda::Function> CudaDevice::functionOf(const WeftDeviceKernel &kernel) {
  if (auto found = functions.find(&kernel); found != functions.end())
    return found->second;
  if (Status status = load(); !status)
    return status.error();
  cuda::Function function = nullptr;
  if (cuda::Code code = driver.cuModuleGetFunction(&function, module, kernel.name))
    return Error{Code::Internal,
                 text("the program's code for %s has no kernel %s: %s",
                      cuda::capabilityText(image).c_str(), kernel.name, driver.say(code).c_str())};
  constexpr uint32_t withoutAsking = 48 << 10;
  if (kernel.shared_bytes > withoutAsking)
    if (cuda::Code code = driver.cuFuncSetAttribute(function, cuda::attributeDynamicShared,
                                                    static_cast<int>(kernel.shared_bytes)))
      return Error{Code::Device,
                   text("%s gives a block of kernel %s no %u bytes of shared memory: %s",
                        title().c_str(), kernel.name, kernel.shared_bytes,
                        driver.say(code).c_str())};
  functions[&kernel] = function;
  return function;
}

Result<std::vector<cuda::TensorMap>> CudaDevice::mapsOf(const WeftDeviceKernel &kernel,
                                                        const Parameters &given) const {
  std::vector<cuda::TensorMap> maps;
  if (kernel.maps == 0)
    return maps;
  if (!driver.cuTensorMapEncodeTiled)
    return Error{Code::Device, text("kernel %s copies tiles of tensors, which the CUDA driver (for "
                                    "CUDA %s) cannot describe: install one for CUDA 12.0 or later",
                                    kernel.name, cuda::versionText(driver.version).c_str())};
  Result<std::vector<WeftTensorMap>> tensors = describe(kernel, given);
  if (!tensors)
    return tensors.error();
  maps.resize(tensors->size());
  for (size_t i = 0; i < tensors->size(); ++i) {
    const WeftTensorMap &each = (*tensors)[i];
    constexpr uint32_t steps[] = {1, 1, 1, 1, 1};
    int kind = each.element_bytes == 2 ? cuda::kindBfloat16 : cuda::kindFloat32;
    int swizzle = 0; // CU_TENSOR_MAP_SWIZZLE_NONE, 32B, 64B, 128B
    for (uint32_t bytes = each.swizzle; bytes >= 32; bytes /= 2)
      ++swizzle;
    if (cuda::Code code = driver.cuTensorMapEncodeTiled(
            &maps[i], kind, each.rank, const_cast<void *>(each.base), each.sizes, each.strides,
            each.box, steps, 0, swizzle, cuda::promoteTo128Bytes, 0))
      return Error{Code::Internal, text("kernel %s: tensor %zu is none that %s takes: %s",
                                        kernel.name, i, title().c_str(), driver.say(code).c_str())};
  }
  return maps;
}

Result<CudaDevice::Launch> CudaDevice::launchOf(const WeftDeviceKernel &kernel,
                                                const Parameters &given) {
  enter();
  Launch launch;
  Result<std::vector<cuda::TensorMap>> maps = mapsOf(kernel, given);
  if (!maps)
    return maps.error();
  launch.maps = std::move(*maps);
  launch.scratch = std::make_unique<const void *>(given.scratch);
  launch.parameters = {const_cast<int64_t *>(given.sizes), const_cast<void **>(given.buffers),
                       launch.scratch.get()};
  for (cuda::TensorMap &map : launch.maps)
    launch.parameters.push_back(&map);
  Result<cuda::Function> function = functionOf(kernel);
  if (!function)
    return function.error();
  launch.function = *function;
  return launch;
}

Status CudaDevice::doLaunch(const WeftDeviceKernel &kernel, const Parameters &given,
                            int64_t blocks) {
  Result<Launch> launch = launchOf(kernel, given);
  if (!launch)
    return launch.error();
  cuda::Code code =
      driver.cuLaunchKernel(launch->function, static_cast<unsigned>(blocks), 1, 1, kernel.threads,
                            1, 1, kernel.shared_bytes, stream, launch->parameters.data(), nullptr);
  return code ? lost(text("kernel %s", kernel.name).c_str(), code) : success();
}

Result<double> CudaDevice::doTimedLaunch(const WeftDeviceKernel &kernel, const Parameters &given,
                                         int64_t blocks) {
  enter();
  // Its code is there before the clock runs.
  if (Result<cuda::Function> function = functionOf(kernel); !function)
    return function.error();
  cuda::Code code = begun ? 0 : driver.cuEventCreate(&begun, cuda::withTiming);
  if (code == 0 && !ended)
    code = driver.cuEventCreate(&ended, cuda::withTiming);
  if (code == 0)
    code = driver.cuEventRecord(begun, stream);
  if (code)
    return lost("timing", code).error();
  if (Status status = doLaunch(kernel, given, blocks); !status)
    return status.error();
  float milliseconds = 0;
  code = driver.cuEventRecord(ended, stream);
  if (code == 0)
    code = driver.cuEventSynchronize(ended);
  if (code == 0)
    code = driver.cuEventElapsedTime(&milliseconds, begun, ended);
  if (code)
    return lost(text("kernel %s", kernel.name).c_str(), code).error();
  return 1e-3 * static_cast<double>(milliseconds);
}
