// PTX as ptxas assembles it, where there is one.
#include "tests/unit/codegen/gpu/Assembled.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft::test {

Assembled assemble(const std::string &ptx, const char *architecture) {
  ErrorOr<std::string> ptxas = sys::findProgramByName("ptxas");
  if (!ptxas)
    return {true, "", ""};
  SmallString<64> source, object, text;
  int file;
  cantFail(errorCodeToError(sys::fs::createTemporaryFile("weft", "ptx", file, source)));
  raw_fd_ostream(file, true) << ptx;
  cantFail(errorCodeToError(sys::fs::createTemporaryFile("weft", "cubin", object)));
  cantFail(errorCodeToError(sys::fs::createTemporaryFile("weft", "txt", text)));
  std::string arch = "-arch=" + std::string(architecture);
  int status = sys::ExecuteAndWait(*ptxas, {*ptxas, arch, "-v", source, "-o", object}, std::nullopt,
                                   {std::nullopt, text.str(), text.str()});
  Assembled result;
  result.says = std::string((*MemoryBuffer::getFile(text))->getBuffer());
  for (SmallString<64> *each : {&source, &object, &text})
    sys::fs::remove(*each);
  bool spills = result.says.find("bytes spill") != std::string::npos &&
                result.says.find(" 0 bytes spill stores, 0 bytes spill loads") == std::string::npos;
  if (status != 0 || spills || result.says.find("warning") != std::string::npos ||
      result.says.find("C75") != std::string::npos)
    result.problem = result.says;
  return result;
}

} // namespace weft::test
