// What a run gives, to the file of --outputs or --gradients.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_RUNOUTPUTS_H
#define WEFT_RUNTIME_PROGRAM_RUN_RUNOUTPUTS_H

#include "runtime/tensors/safetensors/Writer.h"

namespace weft::runtime {

/// Writes the file of `option` ("outputs" or "gradients"), whole or not at all. Errors: two tensors
/// of one name, as a result and a gradient may have, or a parameter and an input (Usage); the file
/// cannot be written.
Status writeRunOutputs(std::string_view option, const std::string &path,
                       const std::vector<TensorToWrite> &tensors);

} // namespace weft::runtime
#endif
