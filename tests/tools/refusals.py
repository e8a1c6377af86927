"""Each refusal of a fusion that can be required is true, and what it says would change it does: a program that it is said of, and the
same program mended, which has the fusion. Both require it, so what is said is an error. Usage: refusals.py WEFT"""
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = "dim batch, seq, key = seq, head, d, more = d, sample\n"
ATTENTION = HEAD + """
fn weigh(x: [batch, seq, d], other: [batch, seq, key], heads: [head, seq, key], keep: bool[sample, seq, key]) -> [batch, seq, d] {
  scores = sum[d](x * x[seq as key])
%s
}
entry run(x: [batch, seq, d], other: [batch, seq, key], heads: [head, seq, key], keep: bool[sample, seq, key]) -> [batch, seq, d] {
  @require(attention)
  y = %s
  y
}
"""


def attention(*lines, call="weigh(x, other, heads, keep)"):
    return ATTENTION % ("\n".join(f"  {line}" for line in lines), call)


def of(fusion, *lines, element="[batch, seq, d]"):
    body = "\n".join(f"  {line}" for line in lines)
    return f"{HEAD}entry run(x: [batch, seq, d], keep: bool[batch, seq, d], e: float, p: [batch, seq]) -> {element} {{\n{body}\n}}\n".replace("@", f"@require({fusion}) ")


HEADS = "q = tanh(x * (1 + index(head)))\n  v = tanh(x[seq as key] * (1 + index(head)))"
VALUES = "sum[key](w * x[seq as key])"
PLAIN = attention("w = softmax[key](scores)", VALUES)
# Name, what the message has, what the help has, the program that is refused, the one that is not.
PAIRS = [
    ("weights-shown", "its weights are also used elsewhere", "an entry without that use",
     attention("w = softmax[key](scores)", VALUES + " + mean[key](w)"), PLAIN),
    ("scores-shown", "its scores are also used elsewhere", "an entry without that use",
     attention("w = softmax[key](scores)", VALUES + " + mean[key](scores)"), PLAIN),
    ("values-sum", "its values are summed along more than `key`", "sum along that alone",
     attention(HEADS, "w = softmax[key](sum[d](q * x[seq as key]))", "sum[key, head](w * v)"),
     attention(HEADS, "w = softmax[key](sum[d](q * x[seq as key]))", "sum[head](tanh(sum[key](w * v)))")),
    ("two-biases", "a bias is added before its cap and behind it", "adds one of them",
     attention("w = softmax[key](3 * tanh((scores + other) / 3) + other)", VALUES),
     attention("w = softmax[key](3 * tanh(scores / 3) + other)", VALUES)),
    ("capped-twice", "its scores are capped twice", "leave one out",
     attention("w = softmax[key](2 * tanh(3 * tanh(scores / 3) / 2))", VALUES),
     attention("w = softmax[key](2 * tanh(scores / 2))", VALUES)),
    ("capped-by-values", "its scores are capped by values", "a number is a cap",
     attention("c = 1 + mean[(seq, d)](x ^ 2)", "w = softmax[key](c * tanh(scores / c))", VALUES),
     attention("w = softmax[key](2 * tanh(scores / 2))", VALUES)),
    ("exp-of-scores", "`exp` stands between the scores and their softmax", "scaled, capped by tanh",
     attention("w = softmax[key](exp(scores))", VALUES), PLAIN),
    ("hidden", "`where` stands between the scores and their softmax", "masked_softmax hides some",
     attention("w = softmax[key](where(index(key) <= index(seq), scores, -inf))", VALUES),
     attention("w = masked_softmax[key](scores, index(key) <= index(seq))", VALUES)),
    ("no-product", "its scores are no product of queries and keys", "let them be the sum of one",
     attention("w = softmax[key](other)", VALUES + " + 0 * mean[key](scores)"), PLAIN),
    ("both-sides", "both sides of the scores depend on `key`", "has to be the same for all of them",
     attention("q = tanh(x * (1 + index(key)))", "k = tanh(x[seq as key] * (1 + index(head)))", "w = softmax[key](sum[d](q * k))",
               f"sum[head]({VALUES})"), PLAIN),
    ("bias-of-heads", "its scores are repeated along `head`, which queries and keys lack", "let q have the dimension",
     attention("w = softmax[key](expand[head](scores) + expand[batch](heads))", f"sum[head]({VALUES})"),
     attention(HEADS, "w = softmax[key](sum[d](q * x[seq as key]) + expand[batch](heads))", f"sum[head]({VALUES})")),
    ("scaled-along-depth", "its scores are scaled along `d`, which q and k are contracted over", "give one of both another name",
     attention(HEADS, "w = softmax[key](scores * mean[(batch, seq)](x))", "sum[head](sum[key](w * v)) + 0 * mean[head](q)"),
     attention(HEADS, "w = softmax[key](scores * mean[(batch, seq)](x)[d as more])", "mean[more](sum[head](sum[key](w * v))) + 0 * mean[head](q)")),
    ("dropped-samples", "what is dropped has `sample`, which its weights lack", "let q have the dimension",
     attention("w = where(keep, softmax[key](scores), 0)", f"sum[sample]({VALUES})"),
     attention("q = tanh(x * (1 + index(sample)))", "w = where(keep, softmax[key](sum[d](q * x[seq as key])), 0)", f"sum[sample]({VALUES})")),
    ("other-weights", "stands between its weights and their values", "weights may be dropped",
     attention("w = softmax[key](scores) * other", VALUES), PLAIN),
    ("no-softmax", "its softmax is not: the maximum along `key` is not subtracted", "subtract max(x)",
     attention("e = exp(scores)", "w = e / sum[key](e)", VALUES),
     attention("e = exp(scores - max[key](scores))", "w = e / sum[key](e)", VALUES)),
    ("softmax-overflows", "the maximum along `d` is not subtracted", "subtract max(x)",
     of("softmax", "e = exp(x)", "@ e / sum[d](e)"), of("softmax", "e = exp(x - max[d](x))", "@ e / sum[d](e)")),
    ("softmax-mask", "the maximum along `d` of what the mask keeps is not subtracted", "subtract max(where(mask, x, -inf))",
     of("softmax", "e = exp(where(keep, x - max[d](x), -inf))", "t = sum[d](e)", "@ e / where(t > 0, t, 1)"),
     of("softmax", "e = exp(where(keep, x - max[d](where(keep, x, -inf)), -inf))", "t = sum[d](e)", "@ e / where(t > 0, t, 1)")),
    ("softmax-emptied", "a row of which the mask keeps nothing is divided by 0", "divide by where(sum > 0, sum, 1)",
     of("softmax", "e = exp(where(keep, x - max[d](where(keep, x, -inf)), -inf))", "@ e / sum[d](e)"),
     of("softmax", "e = exp(where(keep, x - max[d](where(keep, x, -inf)), -inf))", "t = sum[d](e)", "@ e / where(t > 0, t, 1)")),
    ("softmax-several", "its sum is along several dimensions", "merge them into one before",
     of("softmax", "e = exp(x - max[seq, d](x))", "@ e / sum[seq, d](e)"),
     f"{HEAD}dim both = seq * d\nentry run(x: [batch, seq, d]) -> [batch, both] {{\n  @require(softmax)\n  softmax[both](x[(seq, d) as both])\n}}\n"),
    ("logsumexp-infinite", "where the maximum along `d` is infinite, inf - inf is NaN", "where(max(m, -m) < inf, m, 0)",
     of("logsumexp", "m = max[d](x)", "@ m + log(sum[d](exp(x - m)))", element="[batch, seq]"),
     of("logsumexp", "top = max[d](x)", "m = where(max(top, -top) < inf, top, 0)", "@ m + log(sum[d](exp(x - m)))", element="[batch, seq]")),
    ("norm-without-eps", "no constant above 0 is added to the mean of squares", "add one, such as 1e-5",
     of("normalize", "@ x * rsqrt(mean[d](x ^ 2))"), of("normalize", "@ x * rsqrt(mean[d](x ^ 2) + 1e-5)")),
    ("norm-of-value", "what is added to the mean of squares is not a constant above 0", "add a number",
     of("normalize", "@ x * rsqrt(mean[d](x ^ 2) + e)"), of("normalize", "@ x * rsqrt(mean[d](x ^ 2) + 1e-5)")),
    ("norm-of-sum", "is not divided by how many they are", "take their mean",
     of("normalize", "@ x * rsqrt(sum[d](x ^ 2) / 3 + 1e-5)"), of("normalize", "@ x * rsqrt(mean[d](x ^ 2) + 1e-5)")),
    ("norm-shown", "its deviation is used for something else too", "without that it is fused",
     of("normalize", "@ r = rsqrt(mean[d](x ^ 2) + 1e-5)", "x * r + r"), of("normalize", "r = rsqrt(mean[d](x ^ 2) + 1e-5)", "@ x * r")),
    ("norm-of-another", "no factor of what is divided by the deviation is its values", "divide these",
     of("normalize", "@ p * rsqrt(mean[d](x ^ 2) + 1e-5)", element="[batch, seq]"), of("normalize", "@ x * rsqrt(mean[d](x ^ 2) + 1e-5)")),
    ("norm-not-centred", "no factor of what is divided by the deviation is its values minus their mean", "divide x - mean(x)",
     of("normalize", "@ x * rsqrt(variance[d](x) + 1e-5)"), of("normalize", "@ (x - mean[d](x)) * rsqrt(variance[d](x) + 1e-5)")),
]

def main(weft):
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        def check(name, text):
            path = pathlib.Path(folder, f"{name}.weft")
            path.write_text(text)
            done = subprocess.run([weft, "check", path], capture_output=True, text=True)
            return done.returncode, done.stderr

        for name, why, remedy, refused, mended in PAIRS:
            code, said = check(name, refused)
            if code != 1 or said.count("error[") != 1 or "error[E0530]" not in said or why not in said:
                wrong.append(f"{name}: expected one E0530 with `{why}`, was told {code}: {said}")
            elif not re.search(rf"= help: .*{re.escape(remedy)}", said):
                wrong.append(f"{name}: expected the help `{remedy}`, was told {said}")
            code, said = check(f"{name}-mended", mended)
            if code != 0:
                wrong.append(f"{name}: mended as the help says, it is refused: {said}")
    assert len(PAIRS) >= 26, len(PAIRS)
    sys.exit("\n".join(wrong) or 0)


main(*sys.argv[1:])
