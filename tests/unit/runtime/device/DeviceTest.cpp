// Devices by themselves: memory, copies, keys of random numbers, and what the emulated one finds.
#include "runtime/Archives.h"
#include "runtime/device/DeviceKeys.h"
#include "runtime/device/Mirror.h"
#include "runtime/device/Replay.h"
#include "runtime/emulator/numbers/TensorMap.h"
#include "tests/unit/runtime/device/Devices.h"

#include <gtest/gtest.h>
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

#include <cstring>

using namespace weft::runtime;

namespace {
class DeviceTest : public OnDevices {
protected:
  /// What lies at an address of the device.
  std::string contents(const void *memory, size_t bytes) {
    std::string read(bytes, '\0');
    device->copyOut(read.data(), memory, static_cast<int64_t>(bytes));
    EXPECT_TRUE(device->wait());
    return read;
  }
  std::string contents(const CodeMemory &memory) {
    return contents(memory.data(), static_cast<size_t>(memory.size()));
  }
  CodeMemory memory(int64_t bytes) {
    auto created = CodeMemory::create(device.get(), bytes, "a test");
    EXPECT_TRUE(created);
    return std::move(*created);
  }
};

/// Takes two whole numbers at a place and puts their sum beside them.
extern "C" [[gnu::visibility("default")]] void test_add(void *const *parameters) {
  if (weft_emulated_thread() != 0)
    return;
  // Addresses are whole numbers: where the place is nonsense, a pointer must not even be computed.
  auto base = reinterpret_cast<uintptr_t>(static_cast<void *const *>(parameters[1])[0]);
  auto at = static_cast<uint64_t>(static_cast<const int64_t *>(parameters[0])[0]);
  auto *numbers = reinterpret_cast<int32_t *>(base + at * sizeof(int32_t));
  weft_emulated_touch(numbers, 4, false, 7);
  weft_emulated_touch(numbers + 2, 4, true, 8);
  numbers[2] = numbers[0] + numbers[1];
}
constexpr WeftDeviceKernel add{"test_add", test_add, 1, 1, 32, 0};

/// Writes what the second of its two tensors is: how far it lies behind the first, its rows, the
/// bytes between them and the columns of its box.
extern "C" [[gnu::visibility("default")]] void test_map(void *const *parameters) {
  if (weft_emulated_thread() != 0)
    return;
  auto *first = static_cast<const weft::emulator::TensorMap *>(parameters[3]);
  auto *second = static_cast<const weft::emulator::TensorMap *>(parameters[4]);
  auto *numbers = static_cast<int32_t *const *>(parameters[1])[0];
  const uint64_t facts[] = {second->base - first->base, second->sizes[1], second->strides[0],
                            second->box[0]};
  for (int i = 0; i < 4; ++i) {
    weft_emulated_touch(numbers + i, 4, true, 9);
    numbers[i] = static_cast<int32_t>(facts[i]);
  }
}
/// Rows of 32 bytes that lie 64 apart, as many as the size says; the second tensor begins where the
/// other size says.
void describe_map(const int64_t *sizes, void *const *buffers, WeftTensorMap *maps) {
  for (int i = 0; i < 2; ++i) {
    maps[i].base = static_cast<char *>(buffers[0]) + i * sizes[1];
    maps[i].rank = 2;
    maps[i].element_bytes = 2;
    maps[i].swizzle = 32;
    maps[i].sizes[0] = maps[i].box[0] = 16;
    maps[i].sizes[1] = static_cast<uint64_t>(sizes[0]);
    maps[i].box[1] = 8;
    maps[i].strides[0] = 64;
  }
}
constexpr uint32_t none[] = {0};
constexpr WeftDeviceKernel map{"test_map", test_map, 2, 1, 32, 0, 1, 2, describe_map, none, 0};
} // namespace

INSTANTIATE_TEST_SUITE_P(All, DeviceTest, testing::Values("cuda-emulated", "cuda"));

TEST_P(DeviceTest, CopiesInOutAndWithin) {
  CodeMemory a = memory(8), b = memory(8);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a.data()) % 256, 0u);
  device->copyIn(a.data(), "abcdefgh", 8);
  device->fill(b.data(), '-', 8);
  device->copyWithin(b.data() + 1, a.data() + 4, 3);
  EXPECT_EQ(contents(a), "abcdefgh");
  EXPECT_EQ(contents(b), "-efg----");
  device->copyRows(b.data(), a.data(), {4, 3, 2, 2});
  EXPECT_EQ(contents(b), "abfgde--");
}

TEST_P(DeviceTest, SaysWhatIsNeededAndWhatThereIs) {
  auto none = CodeMemory::create(device.get(), int64_t(1) << 45, "the arena");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::Memory);
  EXPECT_TRUE(none.error().message.starts_with("the arena needs 35 TB, of which " +
                                               device->title() + " has "))
      << none.error().message;
  EXPECT_TRUE(device->failure()) << "the device is as good as before";
}

TEST_P(DeviceTest, HandsOverDescriptionsOfTensors) {
  CodeMemory numbers = memory(256);
  void *const buffers[] = {numbers.data()};
  int64_t sizes[] = {3, 48};
  auto expectFacts = [&] {
    int32_t facts[4];
    device->copyOut(facts, numbers.data(), sizeof facts);
    ASSERT_TRUE(device->wait());
    EXPECT_EQ(std::vector<int32_t>(facts, facts + 4),
              (std::vector<int32_t>{static_cast<int32_t>(sizes[1]), static_cast<int32_t>(sizes[0]),
                                    64, 16}));
    device->fill(numbers.data(), 0, 256);
  };
  auto ask = [&] { device->launch(map, sizes, buffers, nullptr, 2); };
  ask();
  expectFacts();
  ASSERT_TRUE(device->beginGraph());
  ask();
  auto graph = device->endGraph();
  ASSERT_TRUE(graph);
  device->play(*graph);
  expectFacts();
  for (int changed : {0, 1}) { // each alone is seen
    sizes[changed] += 16;
    device->beginUpdate(*graph);
    ask();
    ASSERT_TRUE(device->endUpdate());
    device->play(*graph);
    expectFacts();
  }
  const int64_t none[] = {0, 48};
  device->launch(map, none, buffers, nullptr, 1);
  Status status = device->wait();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("kernel test_map: tensor 0"), std::string::npos)
      << status.error().message;
}

TEST_P(DeviceTest, RefusesTensorsThatPlacesDoNotReach) {
  CodeMemory numbers = memory(256);
  void *const buffers[] = {numbers.data()};
  const int64_t sizes[] = {int64_t(1) << 31, 48};
  device->launch(map, sizes, buffers, nullptr, 1);
  Status status = device->wait();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, Code::Size);
  EXPECT_NE(status.error().message.find("2147483648 elements along a dimension"), std::string::npos)
      << status.error().message;
}

TEST_P(DeviceTest, GivesMemoryBack) {
  int64_t before = device->freeMemory();
  {
    CodeMemory piece = memory(1 << 20), other = std::move(piece);
    EXPECT_EQ(device->freeMemory(), before - (1 << 20));
  }
  EXPECT_EQ(device->freeMemory(), before);
}

TEST_P(DeviceTest, LaunchesTakeSizesAndAddressesByValue) {
  CodeMemory numbers = memory(16);
  int32_t values[] = {3, 4, 0, 0};
  device->copyIn(numbers.data(), values, 16);
  {
    int64_t at = 0;
    void *buffers[] = {numbers.data()};
    device->launch(add, &at, buffers, nullptr, 1);
    at = 1;
    buffers[0] = nullptr;
  }
  device->copyOut(values, numbers.data(), 16);
  ASSERT_TRUE(device->wait());
  EXPECT_EQ(values[2], 7);
}

TEST_P(DeviceTest, MirrorsCopyWhatIsOlder) {
  auto created = Mirror::create(device.get(), 4, "a test");
  ASSERT_TRUE(created);
  Mirror mirror = std::move(*created);
  ASSERT_TRUE(mirror.place());
  EXPECT_EQ(contents(mirror.forCode(), 4), std::string(4, '\0')) << "it begins with zeros";
  memcpy(mirror.write(), "here", 4);
  EXPECT_EQ(contents(mirror.forCode(), 4), "here");
  device->copyIn(mirror.forResult(), "code", 4);
  EXPECT_EQ(std::string(mirror.read(), 4), "code");
  mirror.write()[0] = 'm'; // the rest of it is what code wrote
  EXPECT_EQ(contents(mirror.forCode(), 4), "mode");
}

TEST_P(DeviceTest, ExposedMirrorsAreLookedAtEachTime) {
  auto created = Mirror::create(device.get(), 4, "a test");
  ASSERT_TRUE(created && created->place());
  char *given = created->expose();
  memcpy(given, "once", 4);
  EXPECT_EQ(contents(created->forCode(), 4), "once");
  memcpy(given, "more", 4);
  EXPECT_EQ(contents(created->forCode(), 4), "more");
  device->copyIn(created->forResult(), "code", 4);
  created->publish();
  ASSERT_TRUE(device->wait());
  EXPECT_EQ(std::string(given, 4), "code");
}

TEST_P(DeviceTest, KeptValuesComeBack) {
  auto created = Mirror::create(device.get(), 4, "a test");
  ASSERT_TRUE(created && created->place());
  CodeMemory room;
  memcpy(created->write(), "kept", 4);
  ASSERT_TRUE(created->keep(room));
  device->copyIn(created->forResult(), "lost", 4);
  created->restore(room);
  EXPECT_EQ(std::string(created->read(), 4), "kept");
}

/// Two keys, one of which is written twice, as in a loop: the second run has them from one copy.
TEST_P(DeviceTest, KeysAreTheSameEachTime) {
  CodeMemory keys = memory(48), seen = memory(72);
  DeviceKeys writer;
  Replay replay;
  for (uint64_t run = 1; run <= 4; ++run) {
    ASSERT_TRUE(writer.begin(*device, 5, run));
    replay.run(*device, {1}, [&] {
      for (int i = 0; i < 2; ++i) {
        writer.write(*device, keys.data(), static_cast<uint64_t>(100 * i));
        device->copyWithin(seen.data() + 24 * i, keys.data(), 24);
      }
      writer.write(*device, keys.data() + 24, uint64_t(1) << 40);
      device->copyWithin(seen.data() + 48, keys.data() + 24, 24);
      return true;
    });
    writer.end();
    std::string read = contents(seen);
    uint64_t words[9];
    memcpy(words, read.data(), sizeof words);
    const uint64_t expected[] = {5, run, 0, 5, run, 100, 5, run, uint64_t(1) << 40};
    EXPECT_EQ(memcmp(words, expected, sizeof words), 0) << run;
  }
  EXPECT_TRUE(replay.isKept());
}

// What the emulated device finds, which a real one may not.

class EmulatedTest : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Emulated, EmulatedTest, testing::Values("cuda-emulated"));

TEST_P(EmulatedTest, FindsMemoryOfThisMachineInALaunch) {
  int32_t here[3] = {1, 2, 0};
  int64_t at = 0;
  void *buffers[] = {here};
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler
      abandoned; // a thread that fails ends in the middle: its stack stays as it is
#endif
  device->launch(add, &at, buffers, nullptr, 1);
  Status status = device->wait();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("buffer 0 of kernel test_add: no memory of the emulated "
                                        "device"),
            std::string::npos)
      << status.error().message;
  EXPECT_EQ(here[2], 0);
}

TEST_P(EmulatedTest, FindsWhatAKernelTouchesBehindItsMemory) {
  CodeMemory numbers = memory(12), other = memory(12);
  int64_t at = 1;
  void *buffers[] = {numbers.data()};
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler
      abandoned; // a thread that fails ends in the middle: its stack stays as it is
#endif
  device->launch(add, &at, buffers, nullptr, 1);
  Status status = device->wait();
  ASSERT_FALSE(status);
  EXPECT_NE(
      status.error().message.find("kernel test_add: thread 0 of block (0, 0, 0) at 8: writes 4 "
                                  "bytes that are no memory of the device: "),
      std::string::npos)
      << status.error().message;
}

/// A graph is not changed for such a size: who reads it must not get it here either.
TEST_P(EmulatedTest, FindsSizesThatAKernelSaysNotToRead) {
  constexpr WeftDeviceKernel blind{"test_add", test_add, 1, 1, 32, 0, 1, 0, nullptr, none, 0};
  CodeMemory numbers = memory(12);
  device->fill(numbers.data(), 0, 12);
  int64_t at = 0;
  void *buffers[] = {numbers.data()};
#if __has_feature(address_sanitizer)
  __lsan::ScopedDisabler
      abandoned; // a thread that fails ends in the middle: its stack stays as it is
#endif
  device->launch(blind, &at, buffers, nullptr, 1);
  EXPECT_FALSE(device->wait());
}

TEST_P(EmulatedTest, FindsMemoryThatWasGivenBack) {
  void *gone = memory(12).data();
  int64_t at = 0;
  void *buffers[] = {gone};
  device->launch(add, &at, buffers, nullptr, 1);
  EXPECT_FALSE(device->wait());
}

TEST_P(EmulatedTest, FindsThisMachineReadingTheDevices) {
  CodeMemory numbers = memory(12);
  ASSERT_TRUE(device->wait());
  EXPECT_DEATH((void)*static_cast<volatile char *>(numbers.data()),
               "this machine touches memory of the emulated device");
}

/// Copies in are read as late as can be: who changes what they are made from too early is found.
TEST_P(EmulatedTest, ReadsCopiesLate) {
  CodeMemory piece = memory(4);
  char source[] = "then";
  device->copyIn(piece.data(), source, 4);
  memcpy(source, "late", 4);
  EXPECT_EQ(contents(piece), "late");
  memcpy(source, "soon", 4);
  device->copyIn(piece.data(), source, 4);
  ASSERT_TRUE(device->waitForCopies());
  memcpy(source, "late", 4);
  EXPECT_EQ(contents(piece), "soon");
}
