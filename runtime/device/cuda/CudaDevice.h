// A CUDA device through its driver.
#ifndef WEFT_RUNTIME_DEVICE_CUDA_CUDADEVICE_H
#define WEFT_RUNTIME_DEVICE_CUDA_CUDADEVICE_H

#include "runtime/device/cuda/Devices.h"

#include <map>
#include <sys/types.h>

namespace weft::runtime {

/// In a forked child the driver of the parent is of no use: there nothing is given back.
class CudaDevice : public Device {
public:
  static Result<std::unique_ptr<Device>> open(const WeftProgram &program, int number);
  ~CudaDevice() override;

  const DeviceFacts &facts() const override { return about; }
  int64_t freeMemory() override;
  const WeftEntryCode *code() const override { return image.code; }
  void release(void *memory) override;
  void *allocateStaging(int64_t bytes) override;
  void releaseStaging(void *memory) override;

protected:
  Result<void *> take(int64_t bytes) override;
  Status doCopyIn(void *to, const void *from, int64_t bytes) override;
  Status doCopyOut(void *to, const void *from, int64_t bytes) override;
  Status doCopyRows(void *to, const void *from, const Pitch &pitch) override;
  Status doFill(void *memory, unsigned char value, int64_t bytes) override;
  Status doLaunch(const WeftDeviceKernel &kernel, const Parameters &parameters,
                  int64_t blocks) override;
  Result<double> doTimedLaunch(const WeftDeviceKernel &kernel, const Parameters &parameters,
                               int64_t blocks) override;
  bool doBeginGraph() override;
  bool mayKeep(const WeftDeviceKernel &kernel) override;
  void doKeep() override;
  std::unique_ptr<DeviceGraph> doEndGraph() override;
  bool doChange(DeviceGraph &graph, size_t step, const WeftDeviceKernel &kernel,
                const Parameters &parameters, int64_t blocks) override;
  bool doChange(DeviceGraph &graph, size_t step, void *to, const void *from,
                int64_t bytes) override;
  Status doPlay(DeviceGraph &graph) override;
  Status doWaitForCopies() override;
  Status doWait() override;

private:
  CudaDevice(const cuda::Driver &driver, DeviceFacts facts, const WeftImage &image);
  Status start(int number);
  /// Makes this thread one that may ask the device; false in a forked child.
  bool enter();
  Status lost(const char *what, cuda::Code code) const;
  /// Compiles the program's code, the first time.
  Status load();
  Result<cuda::Function> functionOf(const WeftDeviceKernel &kernel);
  Result<std::vector<cuda::TensorMap>> mapsOf(const WeftDeviceKernel &kernel,
                                              const Parameters &given) const;
  /// What the driver is told of a launch; good while what it was made from is.
  struct Launch {
    cuda::Function function = nullptr;
    std::vector<cuda::TensorMap> maps;
    std::unique_ptr<const void *> scratch;
    std::vector<void *> parameters;
  };
  Result<Launch> launchOf(const WeftDeviceKernel &kernel, const Parameters &given);
  const cuda::Driver &driver;
  DeviceFacts about;
  const WeftImage &image;
  pid_t process;
  cuda::Number device = 0;
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr;
  cuda::Event copied = nullptr;                 // the last copy in
  cuda::Event begun = nullptr, ended = nullptr; // of a kernel that is timed
  bool hasCopies = false;
  cuda::Module module = nullptr;
  std::map<const WeftDeviceKernel *, cuda::Function> functions;
  std::vector<cuda::Node> nodes; // of the graph that is made
};

} // namespace weft::runtime
#endif
