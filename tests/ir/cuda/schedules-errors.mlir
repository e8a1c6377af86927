// What schedules refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

// expected-error@+1 {{`threads` is 100: a block has whole warps of 32, at most 1024 threads}}
#bad = #cuda.rows<threads = 100, team = 32, unroll = 4, blocks = 864>

// -----

// expected-error@+1 {{`team` is 64: all threads of a block, or a power of two of at most 32}}
#bad = #cuda.rows<threads = 256, team = 64, unroll = 4, blocks = 864>

// -----

// expected-error@+1 {{`blocks` is 0, below 1}}
#bad = #cuda.scatter<threads = 256, positions = 1, blocks = 0>

// -----

// expected-error@+1 {{a tile of 100 x 128 is not whole tiles of 8 x 8 of threads}}
#bad = #cuda.contraction<rows = 100, columns = 128, depth = 16, thread_rows = 8, thread_columns = 8, unroll = 4>

// -----

// expected-error@+1 {{two pieces of both sides are 67584 bytes, and a block shares 49152}}
#bad = #cuda.contraction<rows = 128, columns = 128, depth = 32, thread_rows = 8, thread_columns = 8, unroll = 4>

// -----

// expected-error@+1 {{64 threads have the keys of a query, and a power of two of at most 32 find the highest score}}
#bad = #cuda.attention<rows = 64, keys = 128, thread_rows = 4, thread_keys = 2, unroll = 4>

// -----

// expected-error@+1 {{64 by 32 scores are not whole tiles of 3 x 2 of threads}}
#bad = #cuda.attention_grad<rows = 64, columns = 32, thread_rows = 3, thread_columns = 2, unroll = 4>

// -----

// expected-error@+1 {{32 threads look at 64 queries, and each has one at most}}
#bad = #cuda.attention_grad<rows = 64, columns = 32, thread_rows = 8, thread_columns = 8, unroll = 4>

// -----

// expected-error@+1 {{`vector` is 3: a power of two of at most 16}}
#bad = #cuda.rows<threads = 256, team = 32, vector = 3, unroll = 4, blocks = 864>

// -----

// expected-error@+1 {{a thread has 128 lanes at a time, and 64 are the most}}
#bad = #cuda.rows<threads = 256, team = 32, vector = 16, unroll = 8, blocks = 864>

// -----

// expected-error@+1 {{`lanes` is 64: a power of two of at most 32 times `vector`, and at least that}}
#bad = #cuda.columns<threads = 256, lanes = 64, blocks = 864>

// -----

// expected-error@+1 {{`splits` is 0: a depth is cut into 1 to 64 parts}}
#bad = #cuda.contraction<rows = 128, columns = 128, depth = 16, thread_rows = 8, thread_columns = 8, unroll = 4, splits = 0>

// -----

// expected-error@+1 {{`columns` is 64: the 8 of a thread at least, and one for each of 32 at most}}
#bad = #cuda.few_rows<rows = 1, columns = 64, threads = 32, thread_columns = 8, thread_depth = 8>

// -----

// expected-error@+1 {{a thread has 16 x 8 sums, and reads 8 deep of both sides; 64 floats of each are the most}}
#bad = #cuda.few_rows<rows = 16, columns = 16, threads = 32, thread_columns = 8, thread_depth = 8>
