// What the idioms and their gradients refuse.
// RUN: weft-opt %s -verify-diagnostics -split-input-file

func.func @f(%x: !model.tensor<f32, a, b>, %w: !model.tensor<f32, c, d>) {
  // expected-error@+1 {{the right has no dimension 'b'}}
  %0 = model.contract ["b"] %x, %w : !model.tensor<f32, a, b>, !model.tensor<f32, c, d>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %w: !model.tensor<f32, c, d>) {
  // expected-error@+1 {{the left has no dimension 'c'}}
  %0 = model.contract ["c"] %x, %w : !model.tensor<f32, a, b>, !model.tensor<f32, c, d>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0 = model.contract ["a"] %x, %n : !model.tensor<f32, a, b>, !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.softmax "c" %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{takes elements i1, not f32}}
  %0 = model.softmax "a" %x mask %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %m: !model.tensor<i1, c>) {
  // expected-error@+1 {{the input, unlike the mask, has no dimension 'c'}}
  %0 = model.softmax "a" %x mask %m : !model.tensor<f32, a, b>, !model.tensor<i1, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %g: !model.tensor<f32, a>) {
  // expected-error@+1 {{the gradient has no dimension 'b'}}
  %0 = model.softmax_grad "a" %x, %g : !model.tensor<f32, a, b>, !model.tensor<f32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %g: !model.tensor<f32, a, b, c>) {
  // expected-error@+1 {{the gradient has dimension 'c' too many}}
  %0 = model.softmax_grad "a" %x, %g : !model.tensor<f32, a, b>, !model.tensor<f32, a, b, c>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{weights has no dimension 'c'}}
  %0 = model.softmax_grad "c" %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%n: !model.tensor<i32, a>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0 = model.logsumexp "a" %n : !model.tensor<i32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.logsumexp "c" %x : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.normalize ["a", "c"] %x eps 0.0 centered true : !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>, %g: !model.tensor<f32, a>) {
  // expected-error@+1 {{the gradient has no dimension 'b'}}
  %0 = model.normalize_grad ["a"] %x, %g eps 0.0 centered true : !model.tensor<f32, a, b>, !model.tensor<f32, a>
  return
}

// -----

func.func @f(%x: !model.tensor<f32, a, b>) {
  // expected-error@+1 {{the input has no dimension 'c'}}
  %0 = model.normalize_grad ["c"] %x, %x eps 0.0 centered true : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) {
  // expected-error@+1 {{q has no dimension 'dh'}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, seq>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key>, %v: !model.tensor<f32, key, dv>) {
  // expected-error@+1 {{k has no dimension 'dh'}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, dh>, %v: !model.tensor<f32, key, dv>) {
  // expected-error@+1 {{k has no dimension 'key'}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, dv>) {
  // expected-error@+1 {{v has no dimension 'key'}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, key, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) {
  // expected-error@+1 {{q has the key dimension 'key'}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, key, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, key, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>) {
  // expected-error@+1 {{the key dimension cannot be contracted between q and k}}
  %0, %1 = model.attention "key" ["key"] %q, %k, %v scale 1.0 : !model.tensor<f32, key, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<i32, key>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<i32, key>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %m: !model.tensor<i1, batch>) {
  // expected-error@+1 {{the mask has dimension 'batch', the scores have not}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v mask %m scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<i1, batch>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %m: !model.tensor<i32, key>) {
  // expected-error@+1 {{takes elements i1, not i32}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v mask %m scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<i32, key>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %o: !model.tensor<f32, seq, dv>, %l: !model.tensor<f32, seq>) {
  // expected-error@+1 {{lse has dimension 'dv' too many}}
  %0, %1, %2 = model.attention_grad "key" ["dh"] %q, %k, %v of %o, %o by %o scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<f32, seq, dv>, !model.tensor<f32, seq, dv>, !model.tensor<f32, seq, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %o: !model.tensor<f32, seq, dv>, %l: !model.tensor<f32, seq>) {
  // expected-error@+1 {{the output has no dimension 'dv'}}
  %0, %1, %2 = model.attention_grad "key" ["dh"] %q, %k, %v of %l, %l by %o scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<f32, seq>, !model.tensor<f32, seq>, !model.tensor<f32, seq, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %o: !model.tensor<f32, seq, dv>, %l: !model.tensor<f32, seq>) {
  // expected-error@+1 {{the gradient has no dimension 'dv'}}
  %0, %1, %2 = model.attention_grad "key" ["dh"] %q, %k, %v of %o, %l by %l scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>, !model.tensor<f32, seq, dv>, !model.tensor<f32, seq>, !model.tensor<f32, seq>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<f32, head>) {
  // expected-error@+1 {{the bias has dimension 'head', the scores have not}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, head>) scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<i32, key>) {
  // expected-error@+1 {{takes elements f32, not i32}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<i32, key>) scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}

// -----

func.func @f(%q: !model.tensor<f32, seq, dh>, %k: !model.tensor<f32, key, dh>, %v: !model.tensor<f32, key, dv>, %b: !model.tensor<i1, dh>) {
  // expected-error@+1 {{what is kept has dimension 'dh', the scores have not}}
  %0, %1 = model.attention "key" ["dh"] %q, %k, %v keep(%b : !model.tensor<i1, dh> by 2.0) scale 1.0 : !model.tensor<f32, seq, dh>, !model.tensor<f32, key, dh>, !model.tensor<f32, key, dv>
  return
}
