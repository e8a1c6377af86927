// Ctrl-C: finish what is under way, then stop.
#ifndef WEFT_RUNTIME_TRAINING_INTERRUPT_H
#define WEFT_RUNTIME_TRAINING_INTERRUPT_H

#include <csignal>

namespace weft::runtime {

/// While it lives, the first SIGINT or SIGTERM only sets a flag; the second ends the process as
/// usual. SIGHUP (a terminal that is closed) does so however often it comes: the system and the
/// shell each send one.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  /// The first signal that came, or 0.
  static int received();
};

/// While it lives, writing to a pipe that nobody reads any more is an error (EPIPE); SIGPIPE does
/// not end the process.
class BrokenPipeIsError {
public:
  BrokenPipeIsError();
  ~BrokenPipeIsError();
  BrokenPipeIsError(const BrokenPipeIsError &) = delete;

private:
  struct sigaction before;
};

} // namespace weft::runtime
#endif
