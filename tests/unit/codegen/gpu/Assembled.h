// PTX as ptxas assembles it, where there is one.
#ifndef WEFT_TESTS_UNIT_CODEGEN_GPU_ASSEMBLED_H
#define WEFT_TESTS_UNIT_CODEGEN_GPU_ASSEMBLED_H

#include <string>

namespace weft::test {

struct Assembled {
  bool skipped = false; ///< there is no ptxas
  std::string problem;  ///< errors, warnings, spills
  std::string says;     ///< registers and memory
};
Assembled assemble(const std::string &ptx, const char *architecture);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_GPU_ASSEMBLED_H
