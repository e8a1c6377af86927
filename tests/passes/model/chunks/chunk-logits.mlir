// RUN: weft-opt %s --weft-chunk-logits --remark-format=emitRemark --remarks-filter=weft-chunk-logits 2>%t | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK --input-file=%t %s

model.dim @batch
model.dim @seq
model.dim @model = #model.size<8>
model.dim @vocab = #model.size<24>
model.dim @expert = #model.size<4>
model.dim @layer = #model.size<3>
model.parameter @w : !model.tensor<f32, vocab, model>
model.parameter @gate : !model.tensor<f32, expert, model>
model.parameter @heads : !model.tensor<f32, model, layer, expert>

// The loss alone: each pass has the numbers of its rows, and one number of each is handed on.
// REMARK: `logits` is computed one position of `batch` at a time, with all that reads it: seq * 96 bytes instead of batch * seq * 96
// CHECK-LABEL: @loss
// CHECK: %[[W:.*]] = model.param @w
// CHECK: %[[ROWS:.*]] = model.repeat "batch" slices(%[[X:.*]] = %arg0 : <f32, batch, seq, model>, %[[N:.*]] = %arg1 : <index<vocab>, batch, seq>)
// CHECK: %[[L:.*]] = model.contract ["model"] %[[X]], %[[W]] : <f32, seq, model>, <f32, vocab, model>
// CHECK: %[[LSE:.*]] = model.logsumexp "vocab" %[[L]]
// CHECK: %[[AT:.*]] = model.gather %[[L]] "vocab" = %[[N]]
// CHECK: %[[ROW:.*]] = model.sub %[[LSE]], %[[AT]]
// CHECK: model.yield %[[ROW]] : !model.tensor<f32, seq>
// CHECK: %[[SUM:.*]] = model.sum ["batch", "seq"] %[[ROWS]]
// CHECK: return %[[SUM]]
func.func @loss(%x: !model.tensor<f32, batch, seq, model>, %n: !model.tensor<index<vocab>, batch, seq>) -> !model.tensor<f32> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %at = model.gather %l "vocab" = %n : <f32, batch, seq, vocab>, <index<vocab>, batch, seq>
  %row = model.sub %lse, %at : <f32, batch, seq>, <f32, batch, seq>
  %sum = model.sum ["batch", "seq"] %row : <f32, batch, seq>
  return %sum : !model.tensor<f32>
}

// With a gradient: the weight's is carried and begins with 0, the rows' are stacked. A sum along `batch` alone is carried too. What needs the loop's results, and stood before its last op, comes behind it.
// CHECK-LABEL: @gradient
// CHECK: %[[ZERO:.*]] = model.broadcast %{{.*}} along ["vocab", "model"]
// CHECK: %[[ZEROS:.*]] = model.broadcast %{{.*}} along ["seq", "vocab"]
// CHECK: %[[R:.*]]:3 = model.repeat "batch" carry(%[[ACC:.*]] = %[[ZERO]] : {{.*}}, %[[COLUMN:.*]] = %[[ZEROS]] : {{.*}}) slices(%[[X:.*]] = %arg0 :
// CHECK: %[[S:.*]] = model.softmax "vocab"
// CHECK: %[[DX:.*]] = model.contract ["vocab"] %[[S]], %{{.*}} : <f32, seq, vocab>, <f32, vocab, model>
// CHECK: %[[DW:.*]] = model.contract ["seq"] %[[S]], %[[X]] : <f32, seq, vocab>, <f32, seq, model>
// CHECK: %[[NEXT:.*]] = model.add %[[ACC]], %[[DW]]
// CHECK: %[[ALL:.*]] = model.add %[[COLUMN]], %[[S]]
// CHECK: model.yield %[[NEXT]], %[[ALL]], %[[DX]]
// CHECK: model.sin %[[R]]#2
// CHECK: return %{{.*}}, %[[R]]#0, %[[R]]#1
func.func @gradient(%x: !model.tensor<f32, batch, seq, model>) -> (!model.tensor<f32, batch, seq, model>, !model.tensor<f32, vocab, model>, !model.tensor<f32, seq, vocab>) {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %s = model.softmax "vocab" %l : <f32, batch, seq, vocab>
  %dx = model.contract ["vocab"] %s, %w : <f32, batch, seq, vocab>, <f32, vocab, model>
  %sin = model.sin %dx : <f32, batch, seq, model>
  %dw = model.contract ["batch", "seq"] %s, %x : <f32, batch, seq, vocab>, <f32, batch, seq, model>
  %all = model.sum ["batch"] %s : <f32, batch, seq, vocab>
  return %sin, %dw, %all : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, vocab, model>, !model.tensor<f32, seq, vocab>
}

// Logits that are a result.
// REMARK: `logits` is computed whole: `return` reads them whole
// CHECK-LABEL: @given
// CHECK-NOT: model.repeat
func.func @given(%x: !model.tensor<f32, batch, seq, model>) -> (!model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq, vocab>) {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  return %lse, %l : !model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq, vocab>
}

// A gradient that is scaled by the sum of all losses.
// REMARK: `logits` is computed whole: `mul` needs `sum` of all rows
// CHECK-LABEL: @squared
// CHECK-NOT: model.repeat
func.func @squared(%x: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32, vocab, model> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %sum = model.sum ["batch", "seq"] %lse : <f32, batch, seq>
  %s = model.softmax "vocab" %l : <f32, batch, seq, vocab>
  %g = model.mul %s, %sum : <f32, batch, seq, vocab>, <f32>
  %dw = model.contract ["batch", "seq"] %g, %x : <f32, batch, seq, vocab>, <f32, batch, seq, model>
  return %dw : !model.tensor<f32, vocab, model>
}

// The same, where what scales it is made of that sum.
// REMARK: `logits` is computed whole: `neg` of all rows is what each of them needs
// CHECK-LABEL: @scaled
// CHECK-NOT: model.repeat
func.func @scaled(%x: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32, vocab, model> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %sum = model.sum ["batch", "seq"] %lse : <f32, batch, seq>
  %neg = model.neg %sum : <f32>
  %s = model.softmax "vocab" %l : <f32, batch, seq, vocab>
  %g = model.mul %s, %neg : <f32, batch, seq, vocab>, <f32>
  %dw = model.contract ["batch", "seq"] %g, %x : <f32, batch, seq, vocab>, <f32, batch, seq, model>
  return %dw : !model.tensor<f32, vocab, model>
}

// What looks along the rows' dimension.
// REMARK: `logits` is computed whole: `reduce_max` is no sum and needs all of `batch`
// CHECK-LABEL: @largest
// CHECK-NOT: model.repeat
func.func @largest(%x: !model.tensor<f32, batch, seq, model>) -> (!model.tensor<f32, batch, seq>, !model.tensor<f32, seq, vocab>) {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %most = model.reduce_max ["batch"] %l : <f32, batch, seq, vocab>
  return %lse, %most : !model.tensor<f32, batch, seq>, !model.tensor<f32, seq, vocab>
}

// The same, where each position is kept.
// REMARK: `logits` is computed whole: `cumsum` is no sum and needs all of `batch`
// CHECK-LABEL: @running
// CHECK-NOT: model.repeat
func.func @running(%x: !model.tensor<f32, batch, seq, model>) -> (!model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq>) {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %c = model.cumsum "batch" %l : <f32, batch, seq, vocab>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %sum = model.sum ["vocab"] %c : <f32, batch, seq, vocab>
  return %lse, %sum : !model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq>
}

// What is drawn for each position.
// REMARK: `logits` is computed whole: `random` is drawn by its position
// CHECK-LABEL: @drawn
// CHECK-NOT: model.repeat
func.func @drawn(%x: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32, batch, seq> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %r = model.random "drop" : !model.tensor<f32, batch, seq, vocab>
  %d = model.mul %l, %r : <f32, batch, seq, vocab>, <f32, batch, seq, vocab>
  %lse = model.logsumexp "vocab" %d : <f32, batch, seq, vocab>
  return %lse : !model.tensor<f32, batch, seq>
}

// Logits that a loop reads.
// REMARK: `logits` is computed whole: `add` in a loop reads them
// CHECK-LABEL: @looped
// CHECK: model.logsumexp
// CHECK: model.repeat "layer"
// CHECK-NOT: model.repeat
func.func @looped(%x: !model.tensor<f32, batch, seq, model>, %z: !model.tensor<f32, batch, seq, vocab>) -> (!model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq, vocab>) {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  %r = model.repeat "layer" carry(%c = %z : !model.tensor<f32, batch, seq, vocab>) -> (!model.tensor<f32, batch, seq, vocab>) {
    %n = model.add %c, %l : <f32, batch, seq, vocab>, <f32, batch, seq, vocab>
    model.yield %n : !model.tensor<f32, batch, seq, vocab>
  }
  return %lse, %r : !model.tensor<f32, batch, seq>, !model.tensor<f32, batch, seq, vocab>
}

// What is wide by itself, and made of no rows.
// REMARK: `logits` is computed whole: `broadcast` has `batch` of itself
// CHECK-LABEL: @ofItself
// CHECK-NOT: model.repeat
func.func @ofItself(%x: !model.tensor<f32, batch, seq, model>, %b: !model.tensor<f32, seq, vocab>) -> !model.tensor<f32, batch, seq> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %all = model.broadcast %b along ["batch"] : <f32, seq, vocab>
  %d = model.div %l, %all : <f32, batch, seq, vocab>, <f32, seq, vocab, batch>
  %lse = model.logsumexp "vocab" %d : <f32, batch, seq, vocab>
  return %lse : !model.tensor<f32, batch, seq>
}

// A batch of products: both sides have what the softmax is over.
// REMARK: `logits` is computed whole: both sides of the product have `vocab`
// CHECK-LABEL: @bothSides
// CHECK-NOT: model.repeat
func.func @bothSides(%x: !model.tensor<f32, batch, vocab, model>, %y: !model.tensor<f32, seq, vocab, model>) -> !model.tensor<f32, batch, seq> {
  %l = model.contract ["model"] %x, %y : <f32, batch, vocab, model>, <f32, seq, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, vocab, seq>
  return %lse : !model.tensor<f32, batch, seq>
}

// The largest along the data: `layer` and `expert` are the parameter's, and nothing is a row of logits.
// REMARK: `pooled` is computed whole: `seq` comes from no parameter
// CHECK-LABEL: @pooled
// CHECK-NOT: model.repeat
func.func @pooled(%x: !model.tensor<f32, seq, model>) -> !model.tensor<f32, layer, expert> {
  %w = model.param @heads : <f32, model, layer, expert>
  %l = model.contract ["model"] %w, %x : <f32, model, layer, expert>, <f32, seq, model> loc("pooled")
  %most = model.reduce_max ["seq"] %l : <f32, layer, expert, seq>
  return %most : !model.tensor<f32, layer, expert>
}

// A router: what it is made of is larger.
// REMARK: `shares` is computed whole: `expert` is shorter than what is summed: it is smaller than its rows
// CHECK-LABEL: @router
// CHECK-NOT: model.repeat
func.func @router(%x: !model.tensor<f32, batch, seq, model>, %y: !model.tensor<f32, batch, seq, expert>) -> !model.tensor<f32, batch, seq> {
  %w = model.param @gate : <f32, expert, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, expert, model> loc("shares")
  %s = model.softmax "expert" %l : <f32, batch, seq, expert>
  %sum = model.contract ["expert"] %s, %y : <f32, batch, seq, expert>, <f32, batch, seq, expert>
  return %sum : !model.tensor<f32, batch, seq>
}

// A view of a parameter is one.
// CHECK-LABEL: @turned
// CHECK: model.repeat "batch"
func.func @turned(%x: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32, batch, seq> {
  %w = model.param @w : <f32, vocab, model>
  %t = model.arrange %w : <f32, vocab, model> -> <f32, model, vocab>
  %l = model.contract ["model"] %x, %t : <f32, batch, seq, model>, <f32, model, vocab>
  %lse = model.logsumexp "vocab" %l : <f32, batch, seq, vocab>
  return %lse : !model.tensor<f32, batch, seq>
}

// One dimension of rows: a chunk would be a row.
// REMARK: `logits` is computed whole: it has no two dimensions of rows: a chunk would be one row
// CHECK-LABEL: @rows
// CHECK-NOT: model.repeat
func.func @rows(%x: !model.tensor<f32, batch, model>) -> !model.tensor<f32, batch> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, model>, <f32, vocab, model>
  %lse = model.logsumexp "vocab" %l : <f32, batch, vocab>
  return %lse : !model.tensor<f32, batch>
}

// Two heads whose probabilities meet are one loop, with both products.
// CHECK-LABEL: @twoHeads
// CHECK: model.repeat "batch"
// CHECK-COUNT-2: model.contract
// CHECK: model.yield
// CHECK-NOT: model.repeat
// CHECK: return
func.func @twoHeads(%x: !model.tensor<f32, batch, seq, model>, %y: !model.tensor<f32, batch, seq, model>) -> !model.tensor<f32> {
  %w = model.param @w : <f32, vocab, model>
  %l = model.contract ["model"] %x, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %m = model.contract ["model"] %y, %w : <f32, batch, seq, model>, <f32, vocab, model>
  %p = model.softmax "vocab" %l : <f32, batch, seq, vocab>
  %q = model.softmax "vocab" %m : <f32, batch, seq, vocab>
  %both = model.mul %p, %q : <f32, batch, seq, vocab>, <f32, batch, seq, vocab>
  %sum = model.sum ["batch", "seq", "vocab"] %both : <f32, batch, seq, vocab>
  return %sum : !model.tensor<f32>
}
