// A device that runs kernels: its memory, and one stream of work in the order in which it is asked
// for.
#ifndef WEFT_RUNTIME_DEVICE_DEVICE_H
#define WEFT_RUNTIME_DEVICE_DEVICE_H

#include "runtime/Abi.h"
#include "runtime/base/Error.h"
#include "runtime/device/Graph.h"

#include <functional>
#include <memory>

namespace weft::runtime {

/// What a device is and how much memory it has, in bytes; `free` is what can still be had.
struct DeviceFacts {
  std::string name; // "cuda:0"
  std::string model;
  int major = 0, minor = 0; // compute capability
  int64_t memory = 0;
};

class DeviceKeys;
class KernelTimes;

} // namespace weft::runtime

/// The work is done in order, and later: whoever needs what it made waits. What went wrong while it
/// was asked for or done is kept, as the first failure; from then on nothing is done.
struct WeftDevice {
public:
  using Error = weft::runtime::Error;
  template <class T> using Result = weft::runtime::Result<T>;
  using Status = weft::runtime::Status;

  virtual ~WeftDevice() = default;
  WeftDevice(const WeftDevice &) = delete;

  /// "cuda:0 (NVIDIA H100 80GB HBM3)"
  std::string title() const;
  virtual const weft::runtime::DeviceFacts &facts() const = 0;
  virtual int64_t freeMemory() = 0;
  /// The entries of the program whose kernels it runs, where that depends on the device.
  virtual const WeftEntryCode *code() const { return nullptr; }

  /// Memory of the device, at a multiple of 256; what it holds is not said. `purpose` and `advice`
  /// are for the error, which says what is needed and what there is.
  Result<void *> allocate(int64_t bytes, const std::string &purpose, const char *advice);
  /// Of any thread, also while another one asks for work: what is closed waits for nobody.
  virtual void release(void *memory) = 0;
  /// Memory of this machine from which copies go fast, and while it computes; nullptr where there
  /// is none.
  virtual void *allocateStaging(int64_t bytes) = 0;
  virtual void releaseStaging(void *memory) = 0;

  /// What `from` holds may change once waitForCopies() has returned.
  void copyIn(void *to, const void *from, int64_t bytes);
  /// `to` is filled once wait() has returned.
  void copyOut(void *to, const void *from, int64_t bytes);
  void copyWithin(void *to, const void *from, int64_t bytes);
  /// `rows` pieces of `bytes` that lie so far apart.
  struct Pitch {
    int64_t to, from, bytes, rows;
  };
  void copyRows(void *to, const void *from, const Pitch &pitch);
  /// Every byte becomes `value`.
  void fill(void *memory, unsigned char value, int64_t bytes);
  void launch(const WeftDeviceKernel &kernel, const int64_t *sizes, void *const *buffers,
              const void *scratch, int64_t blocks);

  /// Copies in are read.
  Status waitForCopies();
  /// All is done. The error: the first failure.
  Status wait();
  const Status &failure() const { return failed; }
  /// Nothing is done any more, unless something went wrong before.
  void fail(Error error) { note(std::move(error)); }

  /// Between the two nothing is done, and what is asked for becomes the graph. false or nullptr
  /// where the driver does not want to, or where it was more than launches and copies within the
  /// device: no failure, and nothing was done.
  bool beginGraph();
  std::unique_ptr<weft::runtime::DeviceGraph> endGraph();
  /// Between the two nothing is done, and what is asked for is held against the graph: where it has
  /// other values, the graph gets them. false: these are other launches, or the driver does not
  /// want to; the graph is of no use any more, for some of it may have been changed.
  void beginUpdate(weft::runtime::DeviceGraph &graph);
  bool endUpdate();
  void play(weft::runtime::DeviceGraph &graph);

  /// While it is there, kernels run one by one, each is waited for, and what it took is added.
  weft::runtime::KernelTimes *times = nullptr;
  /// Of the run that goes on; see DeviceKeys.
  weft::runtime::DeviceKeys *keys = nullptr;

protected:
  WeftDevice() = default;
  virtual Result<void *> take(int64_t bytes) = 0;
  virtual Status doCopyIn(void *to, const void *from, int64_t bytes) = 0;
  virtual Status doCopyOut(void *to, const void *from, int64_t bytes) = 0;
  virtual Status doCopyRows(void *to, const void *from, const Pitch &pitch) = 0;
  virtual Status doFill(void *memory, unsigned char value, int64_t bytes) = 0;
  /// What a kernel takes, good for the call only.
  struct Parameters {
    const int64_t *sizes;
    void *const *buffers;
    const void *scratch;
  };
  /// The tensors of which a launch copies tiles. Errors (Size): one has more elements along a
  /// dimension than kernels count.
  static Result<std::vector<WeftTensorMap>> describe(const WeftDeviceKernel &kernel,
                                                     const Parameters &parameters);
  virtual Status doLaunch(const WeftDeviceKernel &kernel, const Parameters &parameters,
                          int64_t blocks) = 0;
  /// Waits for it too, and gives the seconds that it took: by the device's clock, where it has one.
  virtual Result<double> doTimedLaunch(const WeftDeviceKernel &kernel, const Parameters &parameters,
                                       int64_t blocks);
  virtual bool doBeginGraph() { return false; }
  /// Before each launch that is to be kept: whether it can be; and behind each launch or copy.
  virtual bool mayKeep(const WeftDeviceKernel &) { return true; }
  virtual void doKeep() {}
  virtual std::unique_ptr<weft::runtime::DeviceGraph> doEndGraph() { return nullptr; }
  /// A step of the graph gets other values; false where the driver does not want to.
  virtual bool doChange(weft::runtime::DeviceGraph &graph, size_t step,
                        const WeftDeviceKernel &kernel, const Parameters &parameters,
                        int64_t blocks) = 0;
  virtual bool doChange(weft::runtime::DeviceGraph &graph, size_t step, void *to, const void *from,
                        int64_t bytes) = 0;
  virtual Status doPlay(weft::runtime::DeviceGraph &) { return Status(); }
  virtual Status doWaitForCopies() = 0;
  virtual Status doWait() = 0;
  /// Keeps the first failure.
  void note(Status status);

private:
  /// Errors: as describe().
  static Result<weft::runtime::StepValues> valuesOf(const WeftDeviceKernel &kernel,
                                                    const Parameters &parameters, int64_t blocks);
  /// Where a graph is made or updated: whether all was said with that.
  bool isStep(weft::runtime::StepValues values, const std::function<bool()> &change);
  /// What is asked for is no step of a graph: whether that ends one, and is left out.
  bool isNoStep();
  Status failed;
  std::vector<weft::runtime::StepValues> kept; // of the graph that is made
  bool isKeeping = false, isWhole = true;
  weft::runtime::DeviceGraph *updated = nullptr;
  size_t reached = 0; // of its steps
};

namespace weft::runtime {
using Device = ::WeftDevice;
} // namespace weft::runtime
#endif
