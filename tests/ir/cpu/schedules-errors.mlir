// What schedules refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

// expected-error@+2 {{a tile is ROWSxCOLUMNS, and its columns a multiple of 16}}
// expected-error@+1 {{failed to parse Cpu_Contraction parameter 'tile'}}
#bad = #cpu.contraction<tile = 8x40, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>

// -----

// expected-error@+1 {{`rows` is 100, and no multiple of the 8 rows of a tile}}
#bad = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 100, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>

// -----

// expected-error@+1 {{`columns` is 200, and no multiple of the 48 columns of a tile}}
#bad = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 200, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8>

// -----

// expected-error@+1 {{`tasks` is 0, below 1}}
#bad = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 0, long_sum = 8192, long_tasks = 8>

// -----

// expected-error@+1 {{`few` is larger than the `tile`, in whose place it is used}}
#bad = #cpu.contraction<tile = 8x48, accumulators = 24, rows = 96, columns = 192, k = 512, work = 131072, tasks = 64, long_sum = 8192, long_tasks = 8, few = 4x112>

// -----

// expected-error@+1 {{`rows` is 24, and no multiple of the 7 rows of a tile of values}}
#bad = #cpu.attention<tile = 8x48, value_tile = 7x64, unroll = 4, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16>

// -----

// expected-error@+1 {{`keys` is 100, and no multiple of the 16 columns of a panel}}
#bad = #cpu.attention_grad<tile = 8x48, depth_tile = 6x64, value_tile = 8x32, unroll = 4, accumulators = 24, rows = 48, keys = 100>

// -----

// expected-error@+1 {{`split_keys` is 100, and no multiple of the 96 keys of a block}}
#bad = #cpu.attention_grad<tile = 8x48, depth_tile = 6x64, value_tile = 8x32, unroll = 4, accumulators = 24, rows = 48, keys = 96, split_tasks = 64, split_keys = 100>

// -----

// expected-error@+1 {{`split_keys` is -1, below 0}}
#bad = #cpu.attention<tile = 8x48, value_tile = 6x64, unroll = 4, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16, split_tasks = 64, split_keys = -1>

// -----

// expected-error@+1 {{`split_tasks` is 0, below 1}}
#bad = #cpu.attention<tile = 8x48, value_tile = 6x64, unroll = 4, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16, split_tasks = 0, split_keys = 128>

// -----

// expected-error@+1 {{`cpu.cores` is a number of a module, from 1 on}}
module attributes {cpu.cores = 0 : i64} {}

// -----

// expected-error@+1 {{`cpu.cores` is a number of a module, from 1 on}}
func.func private @f() attributes {cpu.cores = 2 : i64}

// -----

// expected-error@+1 {{there is no attribute `"cpu.core"`}}
module attributes {cpu.core = 2 : i64} {}

// -----

// expected-error@+1 {{`unroll` is 0, below 1}}
#bad = #cpu.rows<unroll = 0, elements = 8192>

// -----

// expected-error@+1 {{`tasks` is 0, below 1}}
#bad = #cpu.scatter<elements = 8192, tasks = 0>

// -----

// expected-error@+1 {{`panels` is 0, below 1}}
#bad = #cpu.pack<panels = 0, rows = 512>

// -----

// expected-error@+1 {{`unroll` is 3, and no power of two}}
#bad = #cpu.attention<tile = 8x48, value_tile = 6x64, unroll = 3, accumulators = 24, task_rows = 192, rows = 24, keys = 256, few_rows = 8, tasks = 16>
