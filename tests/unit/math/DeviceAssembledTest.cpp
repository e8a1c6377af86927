// The functions' PTX goes through NVIDIA's assembler, where that is installed, and needs no stack.
#include "DeviceMath.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <gtest/gtest.h>

using namespace weft;
using namespace weft::test;
using namespace llvm;

namespace {

TEST(DeviceAssembled, EveryFunction) {
  ErrorOr<std::string> ptxas = sys::findProgramByName("ptxas");
  if (!ptxas)
    GTEST_SKIP() << "there is no ptxas on PATH";
  for (const cuda::Device &device : cuda::devices()) {
    SmallString<128> ptx, said;
    int file;
    ASSERT_FALSE(sys::fs::createTemporaryFile("math", "ptx", file, ptx));
    raw_fd_ostream(file, /*shouldClose=*/true) << devicePtx(deviceFunctions(), device);
    ASSERT_FALSE(sys::fs::createTemporaryFile("math", "txt", said));
    FileRemover removePtx(ptx), removeSaid(said);
    const std::string arch = ("-arch=" + device.name).str();
    const std::optional<StringRef> streams[] = {"", said.str(), said.str()};
    int code = sys::ExecuteAndWait(*ptxas, {*ptxas, arch, "-v", "-o", "/dev/null", ptx},
                                   std::nullopt, streams, 300);
    std::string text = cantFail(errorOrToExpected(MemoryBuffer::getFile(said)))->getBuffer().str();
    EXPECT_EQ(code, 0) << device.name.str() << ": " << text;
    for (StringRef line : split(text, '\n'))
      if (line.contains("stack frame"))
        EXPECT_TRUE(line.contains("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"))
            << line.str();
  }
}

} // namespace
