// A CUDA device that this machine stands in for, as hostile as one may be: nothing is done before
// somebody waits for it.
#ifndef WEFT_RUNTIME_DEVICE_EMULATED_EMULATEDDEVICE_H
#define WEFT_RUNTIME_DEVICE_EMULATED_EMULATEDDEVICE_H

#include "runtime/device/Device.h"
#include "runtime/device/emulated/EmulatedMemory.h"

#include <functional>
#include <mutex>

namespace weft::runtime {

/// What is said from outside: WEFT_EMULATED_SEED, of the order of blocks, warps and lanes;
/// WEFT_EMULATED_RACES=1; WEFT_EMULATED_MEMORY, bytes.
struct EmulatedSettings {
  uint64_t seed = 0;
  bool races = false;
  int64_t memory = int64_t(64) << 30;
  static Result<EmulatedSettings> read();
};

class EmulatedDevice : public Device {
public:
  static Result<std::unique_ptr<Device>> open();

  const DeviceFacts &facts() const override { return about; }
  int64_t freeMemory() override;
  void release(void *piece) override;
  void *allocateStaging(int64_t) override { return nullptr; }
  void releaseStaging(void *) override {}

protected:
  Result<void *> take(int64_t bytes) override;
  Status doCopyIn(void *to, const void *from, int64_t bytes) override;
  Status doCopyOut(void *to, const void *from, int64_t bytes) override;
  Status doCopyRows(void *to, const void *from, const Pitch &pitch) override;
  Status doFill(void *piece, unsigned char value, int64_t bytes) override;
  Status doLaunch(const WeftDeviceKernel &kernel, const Parameters &parameters,
                  int64_t blocks) override;
  Status doWaitForCopies() override;
  Status doWait() override;
  bool doBeginGraph() override;
  std::unique_ptr<DeviceGraph> doEndGraph() override;
  bool doChange(DeviceGraph &graph, size_t step, const WeftDeviceKernel &kernel,
                const Parameters &parameters, int64_t blocks) override;
  bool doChange(DeviceGraph &graph, size_t step, void *to, const void *from,
                int64_t bytes) override;
  Status doPlay(DeviceGraph &graph) override;

private:
  using Work = std::function<Status()>;
  struct EmulatedGraph;
  EmulatedDevice(EmulatedSettings settings, std::unique_ptr<EmulatedMemory> memory);
  Result<Work> copyOf(void *to, const void *from, const Pitch &pitch);
  Result<Work> launchOf(const WeftDeviceKernel &kernel, const Parameters &given, int64_t blocks);
  /// Puts work into the list.
  Status ask(Result<Work> work);
  /// Error: not all of these bytes are of the device.
  Status checkPiece(const char *what, const void *start, int64_t bytes);
  Status checkHere(const char *what, const void *start) const;
  /// Does the first `count` of what was asked for.
  Status work(size_t count);
  /// Gives back what was released, once nothing is asked for that may be about it.
  void collect();
  EmulatedSettings settings;
  DeviceFacts about;
  std::unique_ptr<EmulatedMemory> memory;
  std::vector<Work> asked;
  std::mutex mutex; // of `released`
  std::vector<void *> released;
  size_t copiesEnd = 0;  // behind the last copy in
  size_t graphBegin = 0; // what is asked for from there on becomes a graph
};

} // namespace weft::runtime
#endif
