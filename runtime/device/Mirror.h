// A tensor's memory on this machine and, where a device computes, on the device: each is brought up
// to date when somebody reads it and the other one is newer.
#ifndef WEFT_RUNTIME_DEVICE_MIRROR_H
#define WEFT_RUNTIME_DEVICE_MIRROR_H

#include "runtime/device/CodeMemory.h"

namespace weft::runtime {

/// Without a device there is one memory, and nothing is ever copied. Copies that a device fails to
/// make are its failure (Device::failure()), at which whoever goes on has to look.
class Mirror {
public:
  Mirror() = default;
  /// Zeros. `staged`: on this machine it lies where copies to the device are fast, and go on while
  /// it computes. A device must outlive it.
  static Result<Mirror> create(MemorySource source, int64_t bytes, const std::string &purpose,
                               const char *advice = smallerBatch, bool staged = false);
  /// Over memory of others, which holds the values.
  static Mirror over(Device *device, void *memory, int64_t bytes, const std::string &purpose);
  ~Mirror();
  Mirror(Mirror &&other) noexcept { *this = std::move(other); }
  Mirror &operator=(Mirror &&other) noexcept;

  int64_t size() const { return bytes; }

  // On this machine.

  /// To read. Waits if the device has newer values.
  char *read();
  /// To write some of it, or all; what the device has is old then.
  char *write();
  /// To read at any time, as long as nothing runs: publish() keeps it up to date from now on.
  char *follow();
  /// To read and write at any time, as long as nothing runs: forCode() takes its values, too.
  char *expose();
  /// Nothing that it held is wanted any more.
  void poison();

  // Where code runs.

  /// Takes memory there, if that is elsewhere and has not been done.
  Status place(const char *advice = smallerBatch);
  /// To read, up to date. It has been placed.
  void *forCode();
  /// To write all of it.
  void *forResult();
  /// It was written there, or will be by what has been launched.
  void written();
  /// Asks for a copy of what code wrote, if it is not here: there after Device::wait().
  void fetch();
  /// fetch(), where that was asked for.
  void publish();
  bool isFollowed() const { return followed; }
  /// A copy of the values in `room`, which gets as large, and back.
  Status keep(CodeMemory &room);
  void restore(const CodeMemory &room);

private:
  enum class Newer { Neither, Here, There };
  Device *device = nullptr;
  Block block;
  CodeMemory copy;
  char *host = nullptr, *staging = nullptr;
  int64_t bytes = 0;
  Newer newer = Newer::Here;
  bool zeros = false, followed = false, exposed = false;
  std::string purpose;
};

} // namespace weft::runtime
#endif
