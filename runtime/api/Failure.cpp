// What a C caller asks for after the call has returned. Nothing here needs memory that might lack.
#include "runtime/api/Failure.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <pthread.h>
#include <stdexcept>

using namespace weft::runtime;

namespace {
/// Texts are of malloc, nullptr where there is none; `fixed` is said in their place.
struct Last {
  char *error, *warning;
  const char *fixed;
  WeftStatus status;
};

/// Frees a thread's texts when it ends.
struct Key {
  pthread_key_t key;
  bool exists;
  static void release(void *texts) {
    auto *last = static_cast<Last *>(texts);
    free(last->error);
    free(last->warning);
    *last = Last{};
  }
  Key() : exists(pthread_key_create(&key, release) == 0) {}
  ~Key() {
    if (exists)
      pthread_key_delete(key);
  }
};
} // namespace

// In the memory that every thread has from its beginning: other thread-local variables of a library
// are allocated when they are first touched, and that kills the process where it fails.
static thread_local Last last __attribute__((tls_model("initial-exec")));
static Key key;

static void set(char *&text, const std::string &value) {
  free(text);
  text = strdup(value.c_str());
  if (text && key.exists)
    pthread_setspecific(key.key, &last);
}

static WeftStatus failFixed(WeftStatus status, const char *message) {
  free(last.error);
  last.error = nullptr;
  last.fixed = message;
  return last.status = status;
}

void weft::runtime::begin() noexcept {
  failFixed(WEFT_OK, "");
  free(last.warning);
  last.warning = nullptr;
}

WeftStatus weft::runtime::fail(const Error &error) noexcept {
  last.fixed = "there is no memory to say what went wrong";
  set(last.error, error.message);
  return last.status = static_cast<WeftStatus>(error.code);
}

WeftStatus weft::runtime::failByException() noexcept {
  const char *noMemory = "there is not enough memory";
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return failFixed(WEFT_ERROR_MEMORY, noMemory);
  } catch (const std::length_error &) { // of a vector that no memory could hold
    return failFixed(WEFT_ERROR_MEMORY, noMemory);
  } catch (const std::exception &exception) {
    failFixed(WEFT_ERROR_INTERNAL, "an exception");
    last.error = strdup(exception.what());
    return WEFT_ERROR_INTERNAL;
  } catch (...) {
    return failFixed(WEFT_ERROR_INTERNAL, "an exception of an unknown type");
  }
}

void weft::runtime::warn(const std::string &warning) noexcept {
  if (!warning.empty())
    set(last.warning, warning);
}

uint32_t weft_version(void) {
  return WEFT_API_VERSION;
}

WeftStatus weft_status(void) {
  return last.status;
}

const char *weft_error(void) {
  return last.error ? last.error : last.fixed ? last.fixed : "";
}

const char *weft_warning(void) {
  return last.warning ? last.warning : "";
}
