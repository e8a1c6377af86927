// A library, its header and its pkg-config file.
#include "tools/weft/build/Package.h"
#include "tools/weft/base/Commands.h"

#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/base/files/NewFile.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace weft {

using llvm::StringRef;

/// `gpt` of `libgpt.so`; nothing of what is no such name.
static std::optional<std::string> nameOfLibrary(StringRef file) {
  if (!file.consume_front("lib") || !file.consume_back(".so") || file.empty() || file.contains('/'))
    return std::nullopt;
  return file.str();
}

std::optional<std::string> wrongForPackage(const Arguments &arguments) {
  if (!arguments.has("shared"))
    return "`--prefix` goes with `--shared`; a program is one file: `-o PROGRAM`";
  if (arguments.has("output") && !nameOfLibrary(arguments.get("output")))
    return fmt::format("`-o {}`: with `--prefix` it is the name of the library, `-o libgpt.so`",
                       arguments.get("output"));
  return std::nullopt;
}

Package packageOf(const Arguments &arguments) {
  std::string stem = llvm::sys::path::stem(arguments.positional.at(0)).str();
  return {arguments.get("prefix"), nameOfLibrary(arguments.get("output")).value_or(stem)};
}

runtime::Status makeFolders(const Package &package) {
  for (const std::string &file : {package.header(), package.description()})
    if (runtime::Status made = runtime::makeFolder(runtime::folderOf(file)); !made)
      return made;
  return runtime::success();
}

runtime::Status writeInterface(const Package &package, const Arguments &arguments) {
  runtime::Result<runtime::WholeFile> header =
      runtime::WholeFile::read(installationFolder() + "/include/weft.h");
  if (!header)
    return header.error();
  if (runtime::Status written = runtime::writeFile(package.header(), header->view()); !written)
    return written;
  std::string config = arguments.get("config");
  std::string what = llvm::sys::path::filename(arguments.positional.at(0)).str();
  return runtime::writeFile(package.description(),
                            fmt::format("# ${{pcfiledir}}: the folder may be moved.\n"
                                        "prefix=${{pcfiledir}}/../..\n\n"
                                        "Name: {0}\n"
                                        "Description: {1}{2}{3}, compiled\n"
                                        "Version: {4}\n"
                                        "Cflags: -I${{prefix}}/include\n"
                                        "Libs: -L${{prefix}}/lib -l{0}\n",
                                        package.name, what, config.empty() ? "" : ", config ",
                                        config, WEFT_VERSION));
}

} // namespace weft
