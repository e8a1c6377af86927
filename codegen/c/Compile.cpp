// C to an object, by the user's C compiler.
#include "codegen/c/Program.h"
#include "codegen/host/Workspace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace weft::c {

std::optional<std::string> compile(StringRef text, bool optimize, SmallVectorImpl<char> &object) {
  std::string named = sys::Process::GetEnv("CC").value_or("");
  SmallVector<StringRef> words;
  SplitString(named, words);
  if (words.empty())
    words.push_back("cc");
  ErrorOr<std::string> compiler = sys::findProgramByName(words[0]);
  if (!compiler)
    return "the target `c` needs a C compiler, and there is no `" + words[0].str() +
           "`: install one, name yours in CC, or take the C text (`weft show --at c`) to a machine "
           "that has one";
  Workspace workspace("weft-c");
  if (auto problem = workspace.write("program.c", text))
    return problem;
  std::string source = workspace.pathOf("program.c"), made = workspace.pathOf("program.o"),
              messages = workspace.pathOf("messages");
  words[0] = *compiler;
  words.append({"-std=c11", optimize ? "-O2" : "-O0", "-ffp-contract=off", "-fPIC", "-w", "-c",
                source, "-o", made});
  std::string failed;
  if (sys::ExecuteAndWait(*compiler, words, std::nullopt, {"", messages, messages}, 0, 0,
                          &failed) != 0)
    return "the C compiler `" + *compiler + "` failed" + (failed.empty() ? "" : ": " + failed) +
           ":\n" + workspace.read("messages");
  std::string bytes = workspace.read("program.o");
  object.append(bytes.begin(), bytes.end());
  return std::nullopt;
}

} // namespace weft::c
