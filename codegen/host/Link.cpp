// Linking in this process: LLD with the start files and libraries of the system.
#include "codegen/host/Link.h"
#include "codegen/host/Workspace.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <future>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace weft {
namespace {
/// The first folder that has `file`, among those where Debian, Fedora and their derivatives keep
/// the C library and the libraries of GCC.
std::optional<std::string> folderOf(StringRef file) {
  std::vector<std::string> folders = {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu",
                                      "/usr/lib64", "/usr/lib"};
  for (StringRef base : {"/usr/lib/gcc/x86_64-linux-gnu", "/usr/lib/gcc/x86_64-redhat-linux"}) {
    std::error_code problem;
    std::vector<std::string> versions;
    for (sys::fs::directory_iterator at(base, problem), end; at != end && !problem;
         at.increment(problem))
      versions.push_back(at->path());
    llvm::sort(versions, [](const std::string &a, const std::string &b) {
      return std::atoi(sys::path::filename(a).str().c_str()) >
             std::atoi(sys::path::filename(b).str().c_str());
    });
    folders.insert(folders.end(), versions.begin(), versions.end());
  }
  for (const std::string &folder : folders)
    if (sys::fs::exists(folder + "/" + file))
      return folder;
  return std::nullopt;
}

/// Where LLD writes to. It maps a file into memory, where a full disk is a SIGBUS and not an error;
/// into a pipe it writes as others do.
class Collector {
public:
  Collector() {
    if (pipe2(ends, O_CLOEXEC) == 0)
      reading = std::async(std::launch::async, [from = ends[0]] { return readAll(from); });
  }
  ~Collector() { (void)collected(); }
  Collector(const Collector &) = delete;
  bool works() const { return reading.valid(); }
  /// The name under which it can be written to.
  std::string path() const { return "/proc/self/fd/" + std::to_string(ends[1]); }
  /// All that was written. Nothing can be written after it.
  std::vector<char> collected() {
    if (!works())
      return {};
    close(ends[1]);
    std::vector<char> bytes = reading.get();
    close(ends[0]);
    return bytes;
  }

private:
  static std::vector<char> readAll(int from) {
    std::vector<char> all;
    for (;;) {
      char some[1 << 16];
      ssize_t count = read(from, some, sizeof some);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return all;
      all.insert(all.end(), some, some + count);
    }
  }
  int ends[2] = {-1, -1};
  std::future<std::vector<char>> reading;
};
} // namespace

LinkedProgram link(ArrayRef<EmittedCode> objects, const LinkOptions &options) {
  auto failed = [](std::string problem) { return LinkedProgram{{}, std::move(problem)}; };
  // equal functions become one: a twentieth of the runtime is instances of the same templates
  std::vector<std::string> args = {
      "ld.lld",      "--gc-sections",   "--icf=safe",    "--as-needed",     "-z", "relro", "-z",
      "noexecstack", "--build-id=none", "--strip-debug", "--hash-style=gnu"};
  Workspace workspace("weft-link");
  auto pathOf = [&](StringRef file) -> std::string {
    std::optional<std::string> folder = folderOf(file);
    return folder ? *folder + "/" + file.str() : "";
  };
  std::vector<std::string> starts =
      options.shared ? std::vector<std::string>{"crti.o", "crtbeginS.o"}
                     : std::vector<std::string>{"Scrt1.o", "crti.o", "crtbeginS.o"};
  std::vector<std::string> ends = {"crtendS.o", "crtn.o"};
  for (const auto *list : {&starts, &ends})
    for (const std::string &file : *list)
      if (pathOf(file).empty())
        return failed("the linker needs `" + file +
                      "`, which is in none of the usual folders: install libc6-dev and "
                      "libstdc++-12-dev (Debian) or their like");
  Collector collector;
  if (!collector.works())
    return failed(std::string("cannot make a pipe: ") + std::strerror(errno));
  std::string versionScript = workspace.pathOf("exports");
  std::string table = options.prefix + "weft_api";
  if (options.shared)
    if (auto problem =
            workspace.write("exports", "{ global: " + (options.prefix.empty() ? "weft_*" : table) +
                                           "; local: *; };\n"))
      return failed(*problem);
  if (!options.prefix.empty())
    args.insert(args.end(), {"--defsym", table + "=weft_api"});
  if (options.shared)
    // every model has a runtime and a `weft_program` of its own, also beside others in one process
    args.insert(args.end(), {"-shared", "-Bsymbolic", "--version-script", versionScript, "-soname",
                             options.name});
  else
    args.insert(args.end(), {"-pie", "-dynamic-linker", "/lib64/ld-linux-x86-64.so.2"});
  args.insert(args.end(), {"-o", collector.path()});
  for (const std::string &file : starts)
    args.push_back(pathOf(file));
  for (StringRef library : {"libc.so", "libm.so", "libgcc.a", "libstdc++.so"})
    if (std::optional<std::string> folder = folderOf(library))
      args.push_back("-L" + *folder);
  for (const std::string &symbol : options.needed)
    args.insert(args.end(), {"-u", symbol});
  for (auto [number, object] : enumerate(objects)) { // those of two targets may have one name
    std::string name = std::to_string(number) + "." + object.name + ".o";
    if (auto problem = workspace.write(name, {object.bytes.data(), object.bytes.size()}))
      return failed(*problem);
    args.push_back(workspace.pathOf(name));
  }
  if (!options.whole.empty()) {
    args.emplace_back("--whole-archive");
    args.insert(args.end(), options.whole.begin(), options.whole.end());
    args.emplace_back("--no-whole-archive");
  }
  args.emplace_back("--start-group");
  args.insert(args.end(), options.archives.begin(), options.archives.end());
  args.emplace_back("--end-group");
  args.insert(args.end(), {"-lstdc++", "-lm", "-lpthread", "-lgcc", "-lgcc_s", "-lc"});
  for (const std::string &file : ends)
    args.push_back(pathOf(file));

  SmallVector<const char *> raw =
      map_to_vector(args, [](const std::string &arg) { return arg.c_str(); });
  std::string messages;
  raw_string_ostream stream(messages);
  lld::Result result = lld::lldMain(raw, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return failed("linking failed:\n" + messages);
  return {collector.collected(), std::nullopt};
}

} // namespace weft
