/* two.c: two models in one process, each a library of its own: two A.so B.so prints the facts of
 * both. */
#include "weft.h"

#include <dlfcn.h>
#include <stdio.h>

static int show(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  WeftModel *(*open)(const WeftOptions *) =
      (WeftModel * (*)(const WeftOptions *)) dlsym(library, "weft_open");
  const char *(*facts)(const WeftModel *) =
      (const char *(*)(const WeftModel *))dlsym(library, "weft_facts");
  if (!open || !facts)
    return 1;
  printf("%s\n", facts(open(NULL)));
  return 0;
}

int main(int argc, char **argv) {
  return argc != 3 || show(argv[1]) || show(argv[2]);
}
