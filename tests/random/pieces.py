"""What a random program is made of: each piece adds a statement, or nothing where it does not fit."""


def activation(p):
    x = p.some()
    act = p.random.choice(["relu({})", "gelu({})", "silu({})", "sigmoid({})", "tanh({})", "softplus({})", "probe({})",
                           "0.5 * {} - 1", "{0} * {0}", "exp(min({}, 1))", "sqrt({0} * {0} + 0.1)", "-{}", "elu({})",
                           "sin({})", "log(1 + {0} * {0})", "max({}, 0.1)", "{} / 3"])
    p.bind(act.format(x.name), x.dims, x)


def linear(p):
    x = p.some()
    a = p.dim(x, [d for d in x.dims if p.static(d)])
    if not a:
        return
    into = p.fresh([d for d in x.dims if d != a] + [a])
    pair = p.fresh(x.dims + [into]) if p.random.random() < 0.3 else None
    if not into:
        return
    out, dims = (f"({into}, {pair})", [into, pair]) if pair else (into, [into])
    kind = p.random.choice(["Linear", "Project"])
    p.bind(f"{kind}[{a}, {out}]({x.name})", [d for d in x.dims if d != a] + dims, x)


def merged_linear(p):
    x = p.some("head", "dh") or p.some("expert", "ff") or p.some("group", "model")
    if not x:
        return
    pair = next((a, b) for a, b in [("head", "dh"), ("expert", "ff"), ("group", "model")] if a in x.dims and b in x.dims)
    rest = [d for d in x.dims if d not in pair]
    into = p.fresh(x.dims)
    if into:
        p.bind(f"Project[({pair[0]}, {pair[1]}), {into}]({x.name})", rest + [into], x)


def branches(p):
    """Several maps of one value: queries and keys, gates, experts."""
    x = p.some()
    a = p.dim(x, [d for d in x.dims if p.static(d)])
    if not a:
        return
    made = []
    for _ in range(p.random.choice([2, 2, 3])):
        rest = [d for d in x.dims if d != a]
        shapes = [[d] for d in ("ff", "head", "expert", "model") if d not in x.dims]
        shapes += [["expert", "ff"], ["head", "dh"], ["expert"], ["head"]]
        shape = [d for d in p.random.choice(shapes) if d not in x.dims]
        if p.random.random() < 0.4 and made:
            shape = [d for d in made[0].dims if d not in rest]
        if not shape or p.elements(rest + shape) > p.most:
            continue
        order = [a] + shape
        p.random.shuffle(order)
        w = p.parameter(order)
        made.append(p.bind(f"sum[{a}]({x.name} * {w.name})", rest + shape, x))
    made = [m for m in made if m]
    if len(made) > 1:
        b, c = made[-1], made[-2]
        gate = p.random.choice(["sigmoid({})", "{}", "silu({})", "relu({})", "softmax[%s]({})" % b.dims[-1]])
        p.bind(f"{gate.format(b.name)} * {c.name}", union(b, c), b, c)


def union(a, b):
    return a.dims + [d for d in b.dims if d not in a.dims]


def experts(p):
    x = p.some("model", without=("expert", "ff"))
    if not x:
        return
    rest = [d for d in x.dims if d != "model"]
    if p.elements(rest + ["expert", "ff"]) > p.most or p.elements(rest + ["expert", "model"]) > p.most:
        return
    score = p.bind(f"Project[model, expert]({x.name})", rest + ["expert"], x)
    up = p.parameter(p.random.choice([["expert", "model", "ff"], ["model", "expert", "ff"], ["expert", "ff", "model"]]))
    down = p.parameter(p.random.choice([["expert", "ff", "model"], ["expert", "model", "ff"]]))
    act = p.random.choice(["gelu", "relu", "silu"])
    h = p.bind(f"{act}(sum[model]({x.name} * {up.name}))", rest + ["expert", "ff"], x)
    y = p.bind(f"sum[ff]({h.name} * {down.name})", rest + ["expert", "model"], h) if h else None
    if not y:
        return
    style = p.random.randrange(3)
    if style == 0:
        p.bind(f"sum[expert](softmax[expert]({score.name}) * {y.name})", rest + ["model"], score, y)
    elif style == 1:
        p.bind(f"{y.name}[expert = argmax[expert]({score.name})]", rest + ["model"], score, y)
    else:
        chosen = f"c{p.count}"
        p.lines.append(f"{p.indent}{chosen} = top[choice, expert]({score.name})")
        weight = f"softmax[choice]({score.name}[expert = {chosen}])"
        p.bind(f"sum[choice]({weight} * {y.name}[expert = {chosen}])", rest + ["model"], score, y)


def product(p):
    """A sum of products of two values."""
    x = p.some()
    other = [v for v in p.values if v is not x and set(v.dims) & set(x.dims)]
    if not other:
        return
    y = p.random.choice(other)
    common = [d for d in x.dims if d in y.dims]
    over = p.random.sample(common, p.random.choice([1, 1, min(2, len(common))]))
    if p.random.random() < 0.2:
        over = [p.random.choice(x.dims)]
    if p.elements(union(x, y)) > 4 * p.most:
        return
    p.bind(f"sum[{', '.join(over)}]({x.name} * {y.name})", [d for d in union(x, y) if d not in over], x, y)


def triple(p):
    x, y, z = p.some(), p.some(), p.some()
    dims = union(x, y) + [d for d in z.dims if d not in union(x, y)]
    if p.elements(dims) > 4 * p.most:
        return
    d = p.random.choice(dims)
    p.bind(f"sum[{d}]({x.name} * {y.name} * {z.name})", [e for e in dims if e != d], x, y, z)


def gate(p):
    x, y = p.some(), p.some()
    act = p.random.choice(["sigmoid({})", "{}", "relu({})", "tanh({})"])
    p.bind(f"{act.format(x.name)} * {y.name}", union(x, y), x, y)


def plus(p):
    x = p.some()
    smaller = [v for v in p.values if v is not x and set(v.dims) <= set(x.dims)]
    if smaller:
        y = p.random.choice(smaller)
        same = set(x.dims) == set(y.dims)
        form = p.random.choice(["{} + {}", "{} - {}"] + (["max({}, {})", "min({}, {})", "0.3 * {} + {}"] if same else []))
        p.bind(form.format(x.name, y.name), x.dims, x, y)


def table_pairs(p):
    x = p.some("seq", without=("key",))
    if x and p.elements(x.dims + ["key"]) <= p.most:
        p.bind(f"expand[key]({x.name}) - {x.name}[seq as key]", x.dims + ["key"], x)


def norm(p):
    x = p.some()
    d = p.dim(x)
    if not d:
        return
    if p.static(d) and p.random.random() < 0.6:
        form = p.random.choice(["LayerNorm[{}]({})", "RMSNorm[{}]({})"])
    else:
        form = p.random.choice(["softmax[{}]({})", "log_softmax[{}]({})", "RMS[{}]({})", "unit[{}]({})"])
        form = form.replace("RMS[{}]({})", "standardize[{}]({}, 0.1)")
    if form.startswith("LayerNorm"):
        form = "LayerNorm[{}]({}, eps = 0.1)"
    p.bind(form.format(d, x.name), x.dims, x)


def grouped_norm(p):
    x = p.some("head", "dh") or p.some("seq", "model")
    if x:
        pair = ("head", "dh") if "head" in x.dims and "dh" in x.dims else ("seq", "model")
        p.bind(f"standardize[({pair[0]}, {pair[1]})]({x.name}, 0.1)", x.dims, x)


def pool(p):
    x = p.some()
    if not x.dims:
        return
    over = p.random.sample(x.dims, p.random.choice([1, 1, 1, min(2, len(x.dims))]))
    rest = [d for d in x.dims if d not in over]
    kind = p.random.choice(["mean", "mean", "sum", "max", "min", "logsumexp", "variance"])
    if kind in ("logsumexp",):
        over, rest = over[:1], [d for d in x.dims if d != over[0]]
    inside = ", ".join(over)
    inside = f"({inside})" if kind in ("mean", "variance") and len(over) > 1 else inside
    y = p.bind(f"{kind}[{inside}]({x.name})", rest, x)
    if y and p.random.random() < 0.4:
        p.bind(p.random.choice([f"{x.name} * {y.name}", f"{x.name} - {y.name}"]), x.dims, x, y)


def kept_pool(p):
    x = p.some("batch", "seq")
    if not x or set(x.dims) == {"batch", "seq"}:
        return
    p.bind(f"sum[seq](where(keep, {x.name}, 0)) / max(1, sum[seq](where(keep, 1, 0)))", [d for d in x.dims if d != "seq"], x)


def masked(p):
    m = p.random.choice(p.masks)
    x = p.some(*m.dims)
    if x:
        p.bind(p.random.choice([f"where({m.name}, {x.name}, 0)", f"where({m.name}, {x.name}, 0.5 * {x.name})",
                                f"where({m.name} and {x.name} > 0, {x.name}, -1)"]), x.dims, x)


def attention(p):
    x = p.some("seq", "model", without=("key", "head", "dh"))
    if not x:
        return
    rest = [d for d in x.dims if d != "model"]
    if p.elements(rest + ["head", "key"]) > p.most:
        return
    kv = p.random.choice(["(head, dh)", "(head, dh)", "dh"])
    more = ["head", "dh"] if kv != "dh" else ["dh"]
    q = p.bind(f"Project[model, (head, dh)]({x.name})", rest + ["head", "dh"], x)
    k = p.bind(f"Project[model, {kv}]({x.name})", rest + more, x)
    v = p.bind(f"Linear[model, {kv}]({x.name})", rest + more, x)
    if not (q and k and v):
        return
    qn, kn = q.name, k.name
    style = p.random.randrange(4)
    if style == 0:
        qn, kn = f"rope[seq, dh]({qn})", f"rope[seq, dh]({kn})"
    if style == 1:
        qn = f"qn{p.count}: RMSNorm[dh]({qn})"
    mask = p.random.choice(["", "", ", mask = index(key) <= index(seq)", ", mask = keep[seq as key]"])
    if "batch" not in x.dims:
        mask = mask.replace("keep[seq as key]", "true")
    if style == 2:
        scores = f"sum[dh]({qn} * {kn}[seq as key]) / sqrt(size(dh))" + p.random.choice([" + alibi[head, seq, key]()", ""])
        weights = f"softmax[key]({scores})"
        p.bind(f"sum[key]({weights} * {v.name}[seq as key])", rest + ["head", "dh"], q, k, v)
    else:
        p.bind(f"attend[seq, key, dh]({qn}, ({kn})[seq as key], {v.name}[seq as key]{mask})", rest + ["head", "dh"], q, k, v)


def shape(p):
    """Views: split, merge, rename, pick."""
    x = p.some()
    dims, ways = x.dims, []
    if "model" in dims and "head" not in dims and "dh" not in dims:
        ways.append(("[model as (head, dh)]", replace(dims, "model", ["head", "dh"])))
        ways.append(("[model as (dh, head)]", replace(dims, "model", ["dh", "head"])))
    if "head" in dims and "dh" in dims and "model" not in dims:
        ways.append(("[(head, dh) as model]", [d for d in dims if d not in ("head", "dh")] + ["model"]))
        ways.append(("[(dh, head) as model]", [d for d in dims if d not in ("head", "dh")] + ["model"]))
    if "seq" in dims and "key" not in dims:
        ways.append(("[seq as key]", replace(dims, "seq", ["key"])))
    if "key" in dims and "seq" not in dims:
        ways.append(("[key as seq]", replace(dims, "key", ["seq"])))
    if "model" in dims and "model2" not in dims:
        ways.append(("[model as model2]", replace(dims, "model", ["model2"])))
    if "model2" in dims and "model" not in dims:
        ways.append(("[model2 as model]", replace(dims, "model2", ["model"])))
    for d in dims:
        if p.static(d):
            ways.append((f"[{d} = {p.random.randrange(p.sizes[d])}]", [e for e in dims if e != d]))
    if "seq" in dims:
        ways.append((f"[seq = clamp[seq](index(seq) - {p.random.choice([1, 2])})]", dims))
        ways.append(("[seq = clamp[seq]((index(seq) + 2) % size(seq))]", dims))
    if ways:
        how, after = p.random.choice(ways)
        p.bind(x.name + how, after, x)


def replace(dims, old, new):
    at = dims.index(old)
    return dims[:at] + new + dims[at + 1 :]


def embed(p):
    ids = p.random.choice(p.indices)
    d = p.fresh([])
    table = p.parameter(["vocab", d])
    y = p.bind(f"{table.name}[vocab = {ids.name}]", ids.dims + [d])
    if y and p.random.random() < 0.3:
        p.bind(f"sum[{d}]({y.name} * {table.name})", ids.dims + ["vocab"], y)


def pick_class(p):
    x = p.some("batch", "seq", "vocab")
    if x:
        p.bind(f"cross_entropy[vocab]({x.name}, ids)", [d for d in x.dims if d != "vocab"], x)


def loop(p):
    x = p.some()
    d = p.dim(x, [d for d in x.dims if p.static(d)])
    if not d or p.loop:
        return
    carried = p.bind(f"{x.name} * 1.0", x.dims, x)
    if not carried:
        return
    p.loop += 1
    body, outside = [], (p.lines, list(p.values))
    p.lines, p.indent = [], "    "
    p.values = [carried] + [v for v in p.random.sample(p.values, min(2, len(p.values))) if v is not carried]
    for _ in range(p.random.choice([1, 2, 3])):
        inner = p.random.choice([activation, linear, norm, gate, pool, plus, branches, attention, product, shape])
        inner(p)
    made = [v for v in p.values if v.name.startswith("v") and v is not carried and set(v.dims) <= set(x.dims)
            and any(line.strip().startswith(v.name + " ") for line in p.lines)]
    back = f"l{p.count}: Linear[{d}, {d}]({carried.name})"
    step = f"{carried.name} + 0.5 * tanh({made[-1].name})" if made else f"{carried.name} + 0.5 * {back}"
    body, p.indent = p.lines, "  "
    p.lines, p.values = outside
    p.lines += ["  repeat[layer] {", *body, f"    {carried.name} = {step}", "  }"]
    carried.used = False
    p.values = [v for v in p.values if v is not carried] + [carried]
    p.loop -= 1


def running(p):
    x = p.some("seq")
    if x:
        p.bind(p.random.choice([f"cumsum[seq]({x.name})", f"cumsum[seq]({x.name}) / (index(seq) + 1)"]), x.dims, x)


def joined(p):
    x = p.some("seq", without=("one", "token", "two"))
    if not x:
        return
    if p.random.random() < 0.5:
        y = p.bind(f"stack[two]({x.name}, 2 * {x.name} - 1)", ["two"] + x.dims, x)
        if y and p.random.random() < 0.5:
            p.bind(f"sum[two](relu({y.name}))", x.dims, y)
        return
    rest = [d for d in x.dims if d != "seq"]
    if not all(p.static(d) for d in rest if d != "batch"):
        return
    first = p.parameter(["one"] + [d for d in rest if d != "batch"])
    wide = f"expand[batch]({first.name})" if "batch" in rest else first.name
    y = p.bind(f"concat[token]({wide}, {x.name})", replace(x.dims, "seq", ["token"]), x)
    if y:
        p.bind(p.random.choice([f"{y.name}[token = seq]"]), x.dims, y)


def scaled(p):
    x = p.some()
    p.bind(p.random.choice([f"{x.name} * index({p.random.choice(x.dims)})" if x.dims else f"{x.name} * 2",
                            f"{x.name} / size({p.random.choice(list(p.sizes))})"]), x.dims, x)


def own_scale(p):
    x = p.some()
    dims = [d for d in x.dims if p.static(d) and p.random.random() < 0.6]
    g = p.parameter(dims) if dims else None
    if g:
        p.bind(p.random.choice([f"{x.name} * {g.name}", f"{x.name} + {g.name}"]), x.dims, x)


PIECES = [(activation, 5), (linear, 6), (merged_linear, 3), (branches, 6), (experts, 3), (product, 6), (triple, 2),
          (gate, 5), (plus, 5), (table_pairs, 1), (norm, 5), (grouped_norm, 1), (pool, 6), (kept_pool, 2), (masked, 3),
          (attention, 4), (shape, 6), (embed, 2), (pick_class, 2), (loop, 3), (running, 2), (joined, 2), (scaled, 2),
          (own_scale, 3)]
