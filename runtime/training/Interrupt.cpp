// Signals that ask to stop.
#include "runtime/training/Interrupt.h"

using namespace weft::runtime;

// a signal handler can reach nothing else
static volatile sig_atomic_t receivedSignal = 0;

static void note(int signal) {
  if (receivedSignal == 0)
    receivedSignal = signal;
}

Interrupt::Interrupt() {
  receivedSignal = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_flags = SA_RESTART;
  struct sigaction before = {}; // `nohup` wants closed terminals to be ignored
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

Interrupt::~Interrupt() {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  struct sigaction now = {};
  if (sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
    signal(SIGHUP, SIG_DFL);
}

int Interrupt::received() {
  return receivedSignal;
}

BrokenPipeIsError::BrokenPipeIsError() {
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before);
}

BrokenPipeIsError::~BrokenPipeIsError() {
  sigaction(SIGPIPE, &before, nullptr);
}
