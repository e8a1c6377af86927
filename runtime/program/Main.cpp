// The entry point of compiled programs; what embeds the runtime has its own and leaves this one out
// of the link.
#include "runtime/program/Command.h"

#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char **argv) {
  const char *name = argc > 0 ? argv[0] : "program";
  try {
    return weft::runtime::runProgram(weft_program, argc, argv);
  } catch (const std::bad_alloc &) {
    fprintf(stderr, "%s: there is not enough memory\n", name);
    return exitCode(weft::runtime::Code::Memory);
  } catch (const std::exception &exception) {
    fprintf(stderr, "%s: internal error: %s\n", name, exception.what());
    return exitCode(weft::runtime::Code::Internal);
  }
}
