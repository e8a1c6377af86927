// A temporary folder.
#include "codegen/host/Workspace.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace weft {

Workspace::Workspace(StringRef prefix) {
  if (std::error_code problem = sys::fs::createUniqueDirectory(prefix, folder))
    why = "cannot make a temporary folder: " + problem.message();
}

Workspace::~Workspace() {
  if (!why)
    (void)sys::fs::remove_directories(folder);
}

std::optional<std::string> Workspace::write(StringRef name, StringRef bytes) const {
  if (why)
    return why;
  std::error_code problem;
  std::string path = pathOf(name);
  raw_fd_ostream file(path, problem);
  if (!problem) {
    file << bytes;
    file.close();
    problem = file.error();
    file.clear_error();
  }
  if (problem)
    return "cannot write `" + path + "`: " + problem.message();
  return std::nullopt;
}

std::string Workspace::read(StringRef name) const {
  auto buffer = MemoryBuffer::getFile(pathOf(name));
  return buffer ? (*buffer)->getBuffer().str() : "";
}

} // namespace weft
