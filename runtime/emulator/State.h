// What the functions that replace a device's instructions know of the launch that runs.
#ifndef WEFT_RUNTIME_EMULATOR_STATE_H
#define WEFT_RUNTIME_EMULATOR_STATE_H

#include "runtime/emulator/Launch.h"
#include "runtime/emulator/Shadow.h"

namespace weft::emulator {

struct Running {
  Counts &counts;
  Shadow *shadow; ///< null where races are not looked for
  uint32_t launch;
  const Memory *memory; ///< null where any may be touched
};

/// Of the launch on this thread of the machine.
Running &running();

} // namespace weft::emulator
#endif
