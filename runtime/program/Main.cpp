// The entry point of compiled programs; what embeds the runtime has its own and leaves this one out
// of the link.
#include "runtime/program/Command.h"

int main(int argc, char **argv) {
  return weft::runtime::runProgram(weft_program, argc, argv);
}
