// `weft build --shared --prefix DIR`: a library as other programs' builds find it.
#ifndef WEFT_TOOLS_WEFT_BUILD_PACKAGE_H
#define WEFT_TOOLS_WEFT_BUILD_PACKAGE_H

#include "runtime/base/Error.h"
#include "tools/weft/base/Options.h"

namespace weft {

/// A model as a package: `lib/libNAME.so`, `include/weft.h`, `lib/pkgconfig/NAME.pc` in a folder.
struct Package {
  std::string prefix, name;
  std::string library() const { return prefix + "/lib/lib" + name + ".so"; }
  std::string header() const { return prefix + "/include/weft.h"; }
  std::string description() const { return prefix + "/lib/pkgconfig/" + name + ".pc"; }
};

/// What is wrong with a command line that has `--prefix`, or nothing.
std::optional<std::string> wrongForPackage(const Arguments &arguments);

/// The package that a command line asks for: named as its `-o libNAME.so` says, else as the source.
Package packageOf(const Arguments &arguments);

/// Makes its folders.
runtime::Status makeFolders(const Package &package);

/// Writes the header and the pkg-config file beside the library.
runtime::Status writeInterface(const Package &package, const Arguments &arguments);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BUILD_PACKAGE_H
