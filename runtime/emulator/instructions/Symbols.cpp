// All functions that kernels call, by name.
#include "runtime/emulator/Symbols.h"

// Their types are where they are defined; here only addresses are taken.
#define WEFT_EMULATED(each)                                                                         \
  each(weft_emulated_atomic) each(weft_emulated_await_grid) each(weft_emulated_ballot) each(        \
      weft_emulated_barrier) each(weft_emulated_block) each(weft_emulated_blocks)                   \
      each(weft_emulated_bulk_commit) each(weft_emulated_bulk_load) each(                           \
          weft_emulated_bulk_store) each(weft_emulated_bulk_wait)                                   \
          each(weft_emulated_cluster_arrive) each(weft_emulated_cluster_blocks) each(               \
              weft_emulated_cluster_rank) each(weft_emulated_cluster_wait) each(weft_emulated_copy) \
              each(weft_emulated_copy_commit) each(weft_emulated_copy_wait) each(                   \
                  weft_emulated_copy_wait_all) each(weft_emulated_cos) each(weft_emulated_cross)    \
                  each(weft_emulated_elect) each(weft_emulated_ex2) each(                           \
                      weft_emulated_executes) each(weft_emulated_fence) each(weft_emulated_fold)    \
                      each(weft_emulated_group_commit) each(weft_emulated_group_fence) each(        \
                          weft_emulated_group_product) each(weft_emulated_group_wait)               \
                          each(weft_emulated_lane) each(weft_emulated_lg2) each(                    \
                              weft_emulated_load_matrices) each(weft_emulated_map)                  \
                              each(weft_emulated_mbarrier_arrive) each(                             \
                                  weft_emulated_mbarrier_expect) each(weft_emulated_mbarrier_fence) \
                                  each(weft_emulated_mbarrier_init) each(                           \
                                      weft_emulated_mbarrier_invalidate)                            \
                                      each(weft_emulated_mbarrier_wait) each(                       \
                                          weft_emulated_mbarrier_wait_phase)                        \
                                          each(weft_emulated_product) each(weft_emulated_rcp) each( \
                                              weft_emulated_registers) each(weft_emulated_rsqrt)    \
                                              each(weft_emulated_shared) each(                      \
                                                  weft_emulated_shuffle) each(weft_emulated_sin)    \
                                                  each(weft_emulated_sqrt) each(                    \
                                                      weft_emulated_store_matrices)                 \
                                                      each(weft_emulated_tanh) each(                \
                                                          weft_emulated_tf32)                       \
                                                          each(weft_emulated_thread) each(          \
                                                              weft_emulated_threads)                \
                                                              each(weft_emulated_tile_load) each(   \
                                                                  weft_emulated_tile_store)         \
                                                                  each(weft_emulated_touch) each(   \
                                                                      weft_emulated_warp_barrier)

#define WEFT_DECLARED(name) extern "C" void name();
WEFT_EMULATED(WEFT_DECLARED)

std::vector<weft::emulator::Symbol> weft::emulator::symbols() {
#define WEFT_LISTED(name) {#name, reinterpret_cast<void *>(&name)},
  return {WEFT_EMULATED(WEFT_LISTED)};
}
