// Small functions, each with one float result: what GradientTest differentiates. `test.range` keeps inputs away from
// the kinks of functions, where a central difference is no derivative.

model.dim @a = #model.size<3>
model.dim @b = #model.size<4>
model.dim @c = #model.size<2>
model.dim @d = #model.size<6>
model.dim @e = #model.size<12>
model.dim @f = #model.size<5>
model.dim @h = #model.size<6>
model.dim @g = #model.size<5>
model.dim @p = #model.size<2>
model.dim @q = #model.size<3>
model.dim @r = #model.size<5>
model.dim @seq = #model.size<4>
model.dim @key = #model.size<5>
model.dim @head = #model.size<2>
model.dim @rep = #model.size<3>
model.dim @dh = #model.size<4>
model.dim @layer = #model.size<3>
model.parameter @shift : !model.tensor<f32, a>
model.parameter @gain : !model.tensor<f32, layer, a> loops 1

func.func @neg(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.neg %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @exp(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.exp %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @log(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [0.5, 2.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.log %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @sqrt(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [0.5, 2.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.sqrt %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @rsqrt(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [0.5, 2.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.rsqrt %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @sin(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.sin %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @cos(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.cos %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @tanh(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.tanh %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @erf(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.erf %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @add(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.add %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @sub(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.sub %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @mul(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.mul %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @max(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.max %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @min(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.min %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @max_disjoint(%x: !model.tensor<f32, a> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.max %x, %z : !model.tensor<f32, a>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @div(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z", test.range = [0.5, 2.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.div %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @mod(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [-2.8, -2.2]}, %z: !model.tensor<f32, b> {model.name = "z", test.range = [0.9, 1.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.mod %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @pow(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [0.5, 2.0]}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.pow %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

// A whole exponent: the base may be negative.
func.func @cube(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %three = model.constant 3.0 : f64
  %y = model.pow %x, %three : !model.tensor<f32, a, b>, !model.tensor<f32>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @reciprocal(%x: !model.tensor<f32, a, b> {model.name = "x", test.range = [0.5, 2.0]}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %two = model.constant -2.0 : f64
  %y = model.pow %x, %two : !model.tensor<f32, a, b>, !model.tensor<f32>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @where(%m: !model.tensor<i1, a>, %x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.where %m, %x, %z : !model.tensor<i1, a>, !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

// A value that is used twice.
func.func @square(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.mul %x, %x : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @sum(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.sum ["a"] %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, b>, !model.tensor<f32, b>
  %all = model.sum ["b"] %weighted : !model.tensor<f32, b>
  return %all : !model.tensor<f32>
}

func.func @sum_all(%x: !model.tensor<f32, a, b> {model.name = "x"}) -> !model.tensor<f32> {
  %s = model.sin %x : !model.tensor<f32, a, b>
  %y = model.sum ["b", "a"] %s : !model.tensor<f32, a, b>
  return %y : !model.tensor<f32>
}

func.func @reduce_max(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.reduce_max ["b"] %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %all = model.sum ["a"] %weighted : !model.tensor<f32, a>
  return %all : !model.tensor<f32>
}

func.func @reduce_max_all(%x: !model.tensor<f32, a, b> {model.name = "x"}) -> !model.tensor<f32> {
  %y = model.reduce_max ["a", "b"] %x : !model.tensor<f32, a, b>
  return %y : !model.tensor<f32>
}

func.func @reduce_min(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.reduce_min ["b"] %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %all = model.sum ["a"] %weighted : !model.tensor<f32, a>
  return %all : !model.tensor<f32>
}

func.func @reduce_min_all(%x: !model.tensor<f32, a, b> {model.name = "x"}) -> !model.tensor<f32> {
  %y = model.reduce_min ["a", "b"] %x : !model.tensor<f32, a, b>
  return %y : !model.tensor<f32>
}

func.func @cumsum(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.cumsum "b" %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @cumsum_reverse(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.cumsum "b" reverse %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @broadcast(%z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, b, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.broadcast %z along ["a"] : !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, b, a>, !model.tensor<f32, b, a>
  %all = model.sum ["b", "a"] %weighted : !model.tensor<f32, b, a>
  return %all : !model.tensor<f32>
}

func.func @arrange(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, b, a> {model.name = "w"}) -> !model.tensor<f32> {
  %s = model.sin %x : !model.tensor<f32, a, b>
  %y = model.arrange %s : !model.tensor<f32, a, b> -> !model.tensor<f32, b, a>
  %weighted = model.mul %y, %w : !model.tensor<f32, b, a>, !model.tensor<f32, b, a>
  %all = model.sum ["b", "a"] %weighted : !model.tensor<f32, b, a>
  return %all : !model.tensor<f32>
}

func.func @rename(%x: !model.tensor<f32, a, d> {model.name = "x"}, %w: !model.tensor<f32, a, h> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.regroup %x ["d"] as ["h"] : !model.tensor<f32, a, d>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, h>, !model.tensor<f32, a, h>
  %all = model.sum ["a", "h"] %weighted : !model.tensor<f32, a, h>
  return %all : !model.tensor<f32>
}

func.func @split(%x: !model.tensor<f32, a, d> {model.name = "x"}, %w: !model.tensor<f32, a, p, q> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.regroup %x ["d"] as ["p", "q"] : !model.tensor<f32, a, d>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, p, q>, !model.tensor<f32, a, p, q>
  %all = model.sum ["a", "p", "q"] %weighted : !model.tensor<f32, a, p, q>
  return %all : !model.tensor<f32>
}

// The group is neither together in the type nor in its order.
func.func @merge(%x: !model.tensor<f32, q, a, c> {model.name = "x"}, %w: !model.tensor<f32, d, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.regroup %x ["c", "q"] as ["d"] : !model.tensor<f32, q, a, c>
  %weighted = model.mul %y, %w : !model.tensor<f32, d, a>, !model.tensor<f32, d, a>
  %all = model.sum ["d", "a"] %weighted : !model.tensor<f32, d, a>
  return %all : !model.tensor<f32>
}

func.func @part(%x: !model.tensor<f32, a, r> {model.name = "x"}, %w: !model.tensor<f32, a, q> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.part %x "r" as "q" at <2> : !model.tensor<f32, a, r>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, q>, !model.tensor<f32, a, q>
  %all = model.sum ["a", "q"] %weighted : !model.tensor<f32, a, q>
  return %all : !model.tensor<f32>
}

func.func @pick(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.pick %x "b" = 2 : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %all = model.sum ["a"] %weighted : !model.tensor<f32, a>
  return %all : !model.tensor<f32>
}

// Some rows are read twice, some never.
func.func @gather(%x: !model.tensor<f32, a, r> {model.name = "x"}, %i: !model.tensor<index<r>, b> {model.name = "i"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.gather %x "r" = %i : !model.tensor<f32, a, r>, !model.tensor<index<r>, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @gather_meeting(%x: !model.tensor<f32, a, r> {model.name = "x"}, %i: !model.tensor<index<r>, a, b> {model.name = "i"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.gather %x "r" = %i : !model.tensor<f32, a, r>, !model.tensor<index<r>, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @scatter(%x: !model.tensor<f32, a, b> {model.name = "x"}, %i: !model.tensor<index<r>, b> {model.name = "i"}, %w: !model.tensor<f32, a, r> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.scatter %x "r" = %i : !model.tensor<f32, a, b>, !model.tensor<index<r>, b> -> !model.tensor<f32, a, r>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, r>, !model.tensor<f32, a, r>
  %all = model.sum ["a", "r"] %weighted : !model.tensor<f32, a, r>
  return %all : !model.tensor<f32>
}

func.func @insert_part(%x: !model.tensor<f32, a, q> {model.name = "x"}, %z: !model.tensor<f32, a, r> {model.name = "z"}, %w: !model.tensor<f32, a, r> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.insert_part %x into %z "r" as "q" at <1> : !model.tensor<f32, a, q>, !model.tensor<f32, a, r> -> !model.tensor<f32, a, r>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, r>, !model.tensor<f32, a, r>
  %all = model.sum ["a", "r"] %weighted : !model.tensor<f32, a, r>
  return %all : !model.tensor<f32>
}

func.func @stack(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b> {model.name = "z"}, %w: !model.tensor<f32, a, b, c> {model.name = "w"}) -> !model.tensor<f32> {
  %s = model.sin %x : !model.tensor<f32, a, b>
  %y = model.stack "c" %s, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b, c>, !model.tensor<f32, a, b, c>
  %all = model.sum ["a", "b", "c"] %weighted : !model.tensor<f32, a, b, c>
  return %all : !model.tensor<f32>
}

func.func @concat(%x: !model.tensor<f32, a, p> {model.name = "x"}, %z: !model.tensor<f32, a, q> {model.name = "z"}, %w: !model.tensor<f32, a, r> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.concat "r" of ["p", "q"] %x, %z : !model.tensor<f32, a, p>, !model.tensor<f32, a, q>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, r>, !model.tensor<f32, a, r>
  %all = model.sum ["a", "r"] %weighted : !model.tensor<f32, a, r>
  return %all : !model.tensor<f32>
}

func.func @contract(%x: !model.tensor<f32, a, b> {model.name = "x"}, %z: !model.tensor<f32, b, c> {model.name = "z"}, %w: !model.tensor<f32, a, c> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.contract ["b"] %x, %z : !model.tensor<f32, a, b>, !model.tensor<f32, b, c>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, c>, !model.tensor<f32, a, c>
  %all = model.sum ["a", "c"] %weighted : !model.tensor<f32, a, c>
  return %all : !model.tensor<f32>
}

func.func @contract_batched(%x: !model.tensor<f32, c, a, b> {model.name = "x"}, %z: !model.tensor<f32, b, d, c> {model.name = "z"}, %w: !model.tensor<f32, c, a, d> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.contract ["b"] %x, %z : !model.tensor<f32, c, a, b>, !model.tensor<f32, b, d, c>
  %weighted = model.mul %y, %w : !model.tensor<f32, c, a, d>, !model.tensor<f32, c, a, d>
  %all = model.sum ["c", "a", "d"] %weighted : !model.tensor<f32, c, a, d>
  return %all : !model.tensor<f32>
}

func.func @contract_two(%x: !model.tensor<f32, a, b, c> {model.name = "x"}, %z: !model.tensor<f32, c, b, d> {model.name = "z"}, %w: !model.tensor<f32, a, d> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.contract ["b", "c"] %x, %z : !model.tensor<f32, a, b, c>, !model.tensor<f32, c, b, d>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, d>, !model.tensor<f32, a, d>
  %all = model.sum ["a", "d"] %weighted : !model.tensor<f32, a, d>
  return %all : !model.tensor<f32>
}

func.func @softmax(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.softmax "b" %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @softmax_masked(%x: !model.tensor<f32, a, b> {model.name = "x"}, %m: !model.tensor<i1, a, b>, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.softmax "b" %x mask %m : !model.tensor<f32, a, b>, !model.tensor<i1, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @logsumexp(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.logsumexp "b" %x : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %all = model.sum ["a"] %weighted : !model.tensor<f32, a>
  return %all : !model.tensor<f32>
}

func.func @normalize(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.normalize ["b"] %x eps 1.0e-5 centered true : !model.tensor<f32, a, b>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @normalize_rms(%x: !model.tensor<f32, a, b, c> {model.name = "x"}, %w: !model.tensor<f32, a, b, c> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.normalize ["b", "c"] %x eps 1.0e-3 centered false : !model.tensor<f32, a, b, c>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b, c>, !model.tensor<f32, a, b, c>
  %all = model.sum ["a", "b", "c"] %weighted : !model.tensor<f32, a, b, c>
  return %all : !model.tensor<f32>
}

// Groups of queries share keys and values.
func.func @attention(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v scale 0.5 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  return %all : !model.tensor<f32>
}

func.func @attention_masked(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %m: !model.tensor<i1, a, seq, key>, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v mask %m scale 0.5 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<i1, a, seq, key>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  return %all : !model.tensor<f32>
}

// A bias that lacks the batch, a cap before and behind it, dropout; the logsumexp has a gradient too.
func.func @attention_bias(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %b: !model.tensor<f32, head, rep, seq, key> {model.name = "b"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, head, rep, seq, key>) scale 0.5 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  return %all : !model.tensor<f32>
}

func.func @attention_bias_of_keys(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %b: !model.tensor<f32, a, key> {model.name = "b"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, a, key>) scale 0.5 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  %square = model.mul %lse, %lse : !model.tensor<f32, a, seq, head, rep>, !model.tensor<f32, a, seq, head, rep>
  %more = model.sum ["a", "seq", "head", "rep"] %square : !model.tensor<f32, a, seq, head, rep>
  %both = model.add %all, %more : !model.tensor<f32>, !model.tensor<f32>
  return %both : !model.tensor<f32>
}

func.func @attention_cap(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v scale 0.5 cap 0.75 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  %square = model.mul %lse, %lse : !model.tensor<f32, a, seq, head, rep>, !model.tensor<f32, a, seq, head, rep>
  %more = model.sum ["a", "seq", "head", "rep"] %square : !model.tensor<f32, a, seq, head, rep>
  %both = model.add %all, %more : !model.tensor<f32>, !model.tensor<f32>
  return %both : !model.tensor<f32>
}

func.func @attention_bias_behind_cap(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %b: !model.tensor<f32, head, rep, seq, key> {model.name = "b"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, head, rep, seq, key>) scale 0.5 cap 0.75 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  %square = model.mul %lse, %lse : !model.tensor<f32, a, seq, head, rep>, !model.tensor<f32, a, seq, head, rep>
  %more = model.sum ["a", "seq", "head", "rep"] %square : !model.tensor<f32, a, seq, head, rep>
  %both = model.add %all, %more : !model.tensor<f32>, !model.tensor<f32>
  return %both : !model.tensor<f32>
}

func.func @attention_capped_bias(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %b: !model.tensor<f32, head, rep, seq, key> {model.name = "b"}, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v bias(%b : !model.tensor<f32, head, rep, seq, key>) scale 0.5 cap 0.75 {capped_bias} : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  %square = model.mul %lse, %lse : !model.tensor<f32, a, seq, head, rep>, !model.tensor<f32, a, seq, head, rep>
  %more = model.sum ["a", "seq", "head", "rep"] %square : !model.tensor<f32, a, seq, head, rep>
  %both = model.add %all, %more : !model.tensor<f32>, !model.tensor<f32>
  return %both : !model.tensor<f32>
}

func.func @attention_dropped(%q: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "q"}, %k: !model.tensor<f32, a, key, head, dh> {model.name = "k"}, %v: !model.tensor<f32, a, key, head, dh> {model.name = "v"}, %b: !model.tensor<f32, head, rep, seq, key> {model.name = "b"}, %m: !model.tensor<i1, a, seq, key>, %kept: !model.tensor<i1, a, seq, head, rep, key>, %w: !model.tensor<f32, a, seq, head, rep, dh> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %lse = model.attention "key" ["dh"] %q, %k, %v mask %m bias(%b : !model.tensor<f32, head, rep, seq, key>) keep(%kept : !model.tensor<i1, a, seq, head, rep, key> by 1.25) scale 0.5 cap 0.75 : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<f32, a, key, head, dh>, !model.tensor<i1, a, seq, key>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, seq, head, rep, dh>, !model.tensor<f32, a, seq, head, rep, dh>
  %all = model.sum ["a", "seq", "head", "rep", "dh"] %weighted : !model.tensor<f32, a, seq, head, rep, dh>
  %total = model.exp %lse : !model.tensor<f32, a, seq, head, rep>
  %more = model.sum ["a", "seq", "head", "rep"] %total : !model.tensor<f32, a, seq, head, rep>
  %both = model.add %all, %more : !model.tensor<f32>, !model.tensor<f32>
  return %both : !model.tensor<f32>
}

func.func @parameter(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %s = model.param @shift : <f32, a>
  %y = model.mul %x, %s : !model.tensor<f32, a, b>, !model.tensor<f32, a>
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @repeat(%x: !model.tensor<f32, a, b> {model.name = "x"}, %w: !model.tensor<f32, a, b> {model.name = "w"}) -> !model.tensor<f32> {
  %y = model.repeat "layer" carry(%h = %x : <f32, a, b>) -> !model.tensor<f32, a, b> {
    %g = model.param @gain : <f32, a>
    %s = model.sin %h : !model.tensor<f32, a, b>
    %n = model.mul %s, %g : !model.tensor<f32, a, b>, !model.tensor<f32, a>
    model.yield %n : !model.tensor<f32, a, b>
  }
  %weighted = model.mul %y, %w : !model.tensor<f32, a, b>, !model.tensor<f32, a, b>
  %all = model.sum ["a", "b"] %weighted : !model.tensor<f32, a, b>
  return %all : !model.tensor<f32>
}

func.func @repeat_sliced(%x: !model.tensor<f32, a> {model.name = "x"}, %z: !model.tensor<f32, layer, a> {model.name = "z"}, %w: !model.tensor<f32, a> {model.name = "w"}) -> !model.tensor<f32> {
  %y, %kept = model.repeat "layer" reverse carry(%h = %x : <f32, a>) slices(%s = %z : <f32, layer, a>) -> (!model.tensor<f32, a>, !model.tensor<f32, layer, a>) {
    %t = model.tanh %h : !model.tensor<f32, a>
    %n = model.mul %t, %s : !model.tensor<f32, a>, !model.tensor<f32, a>
    model.yield %n, %t : !model.tensor<f32, a>, !model.tensor<f32, a>
  }
  %weighted = model.mul %y, %w : !model.tensor<f32, a>, !model.tensor<f32, a>
  %all = model.sum ["a"] %weighted : !model.tensor<f32, a>
  return %all : !model.tensor<f32>
}
