// A run behind the C interface.
#ifndef WEFT_RUNTIME_API_RUN_H
#define WEFT_RUNTIME_API_RUN_H

#include "runtime/api/Model.h"
#include "runtime/model/EntryRun.h"

struct WeftRun {
  std::shared_ptr<weft::runtime::Opened> opened;
  weft::runtime::EntryRun run;
  bool isBatch = false;                      // of a trainer, which closes it
  std::map<std::string, int64_t> sizes = {}; // as said, for the next allocation
  std::vector<std::vector<int64_t>> inputShapes = {}, outputShapes = {};
  bool allocated = false;
  int allocations = 0; // memory may have moved since an earlier one
};

#endif
