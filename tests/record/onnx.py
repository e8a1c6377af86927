"""Recorded operator cases of ONNX (WEFT_DATA/onnx-node) against compiled programs in tests/record/onnx: each case is an entry, its
inputs and numeric attributes are the entry's arguments by name. Usage: onnx.py WEFT. Exits with 77 where the data is absent."""
import array
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import safetensors

HERE = pathlib.Path(__file__).resolve().parent
DATA = pathlib.Path(os.environ.get("WEFT_DATA") or HERE.parents[1].parent / "shared/data") / "onnx-node"

# Why some cases are no entry.
LEFT_OUT = {
    "reduce_sum_empty_set": "a dimension of size 0: sizes are at least 1",
    "tril_zero": "a dimension of size 0: sizes are at least 1",
}
# What an attribute or an optional input is where a case does not give it.
USUAL = {"k": 0, "ignore_index": -1000000, "epsilon": 1e-5, "alpha": 1.0, "beta": 1.0}
TOLERANCE = {"F16": 2e-3}  # the expected values are rounded to float16; else 1e-5 of the largest
# The sizes a program is built with, unless a case has others: of dimensions that no input brings.
SIZES = {"attention_rows": {"head": 3, "d": 8, "width": 8}, "attention_groups": {"group": 3, "rep": 3, "d": 8, "width": 8},
         "tensors": {"depth": 10}, "rotary": {"rest": 4}}

# case -> program, entry, other sizes, and which result an output is, where the names differ
CASES = {
    "adam": ("optimizers", "adam"), "momentum": ("optimizers", "momentum"), "nesterov_momentum": ("optimizers", "nesterov"),
    "argmax_default_axis_example": ("reductions", "argmax_2_0"), "argmax_default_axis_random": ("reductions", "argmax_3_0"),
    "argmax_keepdims_example": ("reductions", "argmax_2_1"), "argmax_keepdims_random": ("reductions", "argmax_3_1"),
    "argmax_negative_axis_keepdims_example": ("reductions", "argmax_2_1"),
    "argmax_negative_axis_keepdims_random": ("reductions", "argmax_3_2"),
    "argmax_no_keepdims_example": ("reductions", "argmax_2_1"), "argmax_no_keepdims_random": ("reductions", "argmax_3_1"),
    "attention_23_boolmask_fullymasked_row_nan_robustness": ("attention", "mask"),
    "attention_24_fullymasked_qk_matmul_output_mode3_zero": ("attention", "mask", {}, {"qk_matmul_output": "weights"}),
    "attention_3d": ("attention_rows", "rows_plain"),
    "attention_3d_causal": ("attention_rows", "rows_causal"),
    "attention_3d_diff_heads_sizes_attn_mask": ("attention_rows", "rows_bias", {"width": 10}),
    "attention_3d_diff_heads_sizes_scaled": ("attention_rows", "rows_scaled", {"width": 10}),
    "attention_3d_diff_heads_with_past_and_present": ("attention_rows", "rows_past", {"width": 10}),
    "attention_3d_gqa_attn_mask": ("attention_groups", "groups_rows_bias"),
    "attention_3d_gqa_scaled": ("attention_groups", "groups_rows_scaled"),
    "attention_3d_gqa_with_past_and_present": ("attention_groups", "groups_rows_past"),
    "attention_3d_softcap": ("attention_rows", "rows_softcap"),
    "attention_3d_with_past_and_present": ("attention_rows", "rows_past"),
    "attention_3d_with_past_and_present_qk_matmul_bias": ("attention_rows", "rows_past", {}, {"qk_matmul_output": "scores"}),
    "attention_3d_with_past_and_present_qk_matmul_softmax": ("attention_rows", "rows_past", {}, {"qk_matmul_output": "weights"}),
    "attention_4d_attn_mask": ("attention", "bias"),
    "attention_4d_attn_mask_3d_causal": ("attention", "bias_of_batch_causal"),
    "attention_4d_attn_mask_4d_causal": ("attention", "bias_of_head_causal"),
    "attention_4d_attn_mask_bool_4d": ("attention", "mask_of_head"),
    "attention_4d_causal_nonpad_attn_mask_composition": ("attention", "valid_causal_mask"),
    "attention_4d_causal_nonpad_continued_prefill": ("attention", "valid_causal"),
    "attention_4d_causal_with_past_and_present": ("attention_past", "past_causal"),
    "attention_4d_diff_heads_sizes": ("attention", "plain"), "attention_4d_diff_heads_sizes_causal": ("attention", "causal"),
    "attention_4d_diff_heads_sizes_softcap": ("attention", "softcap"),
    "attention_4d_diff_heads_with_past_and_present_mask3d": ("attention_past", "past_bias_of_batch"),
    "attention_4d_fp16": ("attention", "plain"),
    "attention_4d_gqa_attn_mask": ("attention_groups", "groups_bias"),
    "attention_4d_gqa_causal_nonpad_decode": ("attention_groups", "groups_valid", {"group": 2, "rep": 2}),
    "attention_4d_gqa_scaled": ("attention_groups", "groups_scaled"),
    "attention_4d_gqa_with_past_and_present": ("attention_groups", "groups_past"),
    "attention_4d_scaled": ("attention", "scaled"), "attention_4d_softcap_neginf_mask": ("attention", "softcap_bias"),
    "attention_4d_with_past_and_present": ("attention_past", "past_bias"),
    "attention_4d_with_past_and_present_qk_matmul_bias": ("attention_past", "past_bias", {}, {"qk_matmul_output": "scores"}),
    "attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal":
        ("attention_past", "past_bias_of_batch_causal", {}, {"qk_matmul_output": "scores"}),
    "attention_4d_with_past_and_present_qk_matmul_bias_4d_mask_causal":
        ("attention_past", "past_bias_of_head_causal", {}, {"qk_matmul_output": "scores"}),
    "attention_4d_with_qk_matmul_bias": ("attention", "bias_inspected", {}, {"qk_matmul_output": "scores"}),
    "attention_4d_with_qk_matmul_softmax": ("attention", "bias_inspected", {}, {"qk_matmul_output": "weights"}),
    "concat_1d_axis_0": ("tensors", "concat_1"), "concat_2d_axis_0": ("tensors", "concat_2_0"),
    "concat_2d_axis_negative_1": ("tensors", "concat_2_1"), "concat_3d_axis_0": ("tensors", "concat_3_0"),
    "concat_3d_axis_2": ("tensors", "concat_3_2"), "concat_3d_axis_negative_2": ("tensors", "concat_3_1"),
    "cumsum_1d": ("reductions", "cumsum_1"), "cumsum_1d_int32_exclusive": ("reductions", "cumsum_1_before"),
    "cumsum_1d_reverse_exclusive": ("reductions", "cumsum_1_after"), "cumsum_2d_axis_1": ("reductions", "cumsum_2_1"),
    "cumsum_2d_negative_axis": ("reductions", "cumsum_2_1"), "einsum_batch_diagonal": ("reductions", "diagonal"),
    "einsum_inner_prod": ("reductions", "inner"), "einsum_sum": ("reductions", "rows"), "erf": ("elementwise", "erf_4"),
    "flexattention": ("attention", "plain"), "flexattention_double": ("attention", "plain"),
    "flexattention_gqa": ("attention_groups", "groups_plain", {"group": 2, "rep": 4, "d": 16, "width": 16}), "gather_0": ("tensors", "gather_0"),
    "gather_2d_indices": ("tensors", "gather_1"), "gelu_default_1": ("elementwise", "gelu_1"),
    "gelu_tanh_1": ("elementwise", "gelu_tanh_1"), "gemm_all_attributes": ("tensors", "gemm_a_b"),
    "gemm_beta": ("tensors", "gemm"), "gemm_default_no_bias": ("tensors", "gemm_bare"),
    "gemm_default_single_elem_vector_bias": ("tensors", "gemm_one"), "gemm_default_zero_bias": ("tensors", "gemm"),
    "gemm_transposeB": ("tensors", "gemm_b"), "leakyrelu": ("elementwise", "leaky_3"),
    "leakyrelu_example": ("elementwise", "leaky_1"), "logsoftmax_axis_0": ("reductions", "logsoftmax_3_0"),
    "logsoftmax_axis_2": ("reductions", "logsoftmax_3_2"), "logsoftmax_example_1": ("reductions", "logsoftmax_2"),
    "logsoftmax_negative_axis": ("reductions", "logsoftmax_3_2"), "matmul_1d_1d": ("tensors", "matmul_1"),
    "matmul_2d": ("tensors", "matmul_2"), "matmul_4d": ("tensors", "matmul_4"), "matmul_bcast": ("tensors", "matmul_pairs"),
    "nllloss_NC": ("losses", "nll_2"), "nllloss_NCd1_ii": ("losses", "nll_3_mean"),
    "nllloss_NCd1_weight": ("losses", "nll_3_weight_mean"), "nllloss_NCd1d2": ("losses", "nll_4"),
    "nllloss_NCd1d2_reduction_mean": ("losses", "nll_4_mean"), "nllloss_NCd1d2_with_weight": ("losses", "nll_4_weight"),
    "nllloss_NCd1d2_with_weight_reduction_sum": ("losses", "nll_4_weight_sum"),
    "nllloss_NCd1d2d3_none_no_weight_negative_ii": ("losses", "nll_5"),
    "onehot_negative_indices": ("tensors", "onehot"), "onehot_with_axis": ("tensors", "onehot_1"),
    "onehot_without_axis": ("tensors", "onehot_int", {"depth": 12}), "reduce_max_bool_inputs": ("reductions", "any_2_1"),
    "reduce_max_default_axes_keepdims_random": ("reductions", "max_3"),
    "reduce_sum_empty_axes_input_noop": ("reductions", "sum_of_nothing"),
    "rotary_embedding": ("rotary", "by_halves"), "rotary_embedding_interleaved": ("rotary", "by_pairs"),
    "rotary_embedding_no_position_ids_interleaved": ("rotary", "by_pairs_given"),
    "rotary_embedding_with_interleaved_rotary_dim": ("rotary", "by_pairs_partly"),
    "sigmoid": ("elementwise", "sigmoid_3"), "softmax_axis_0": ("reductions", "softmax_3_0"),
    "softmax_axis_2": ("reductions", "softmax_3_2"), "softmax_example": ("reductions", "softmax_2"),
    "softmax_negative_axis": ("reductions", "softmax_3_2"), "sce_NCd1_mean_weight_negative_ii": ("losses", "sce_3_weight_mean"),
    "sce_NCd1d2d3_none_no_weight_negative_ii": ("losses", "sce_5"), "sce_NCd1d2d3_sum_weight_high_ii": ("losses", "sce_2_weight_sum"),
    "sce_mean": ("losses", "sce_2_mean"), "sce_mean_3d_log_prob": ("losses", "sce_3_mean"),
    "sce_mean_no_weight_ii": ("losses", "sce_2_ignored_mean"), "sce_mean_no_weight_ii_3d_log_prob": ("losses", "sce_3_mean"),
    "sce_mean_no_weight_ii_4d_log_prob": ("losses", "sce_4_mean"), "sce_mean_weight": ("losses", "sce_2_weight_mean"),
    "sce_mean_weight_ii_3d": ("losses", "sce_3_weight_mean"), "sce_mean_weight_ii_4d": ("losses", "sce_4_weight_mean"),
    "sce_mean_weight_ii_log_prob": ("losses", "sce_2_weight_mean"), "sce_none": ("losses", "sce_2"),
    "sce_none_weights": ("losses", "sce_2_weight"), "sce_sum": ("losses", "sce_2_sum"), "softplus": ("elementwise", "softplus_3"),
    "swiglu": ("swiglu", "swiglu"), "swiglu_float16": ("swiglu", "swiglu"), "swish": ("elementwise", "swish_1"),
    "tanh": ("elementwise", "tanh_3"), "transpose_all_permutations_0": ("tensors", "transpose_012"),
    "transpose_all_permutations_2": ("tensors", "transpose_102"), "transpose_all_permutations_4": ("tensors", "transpose_201"),
    "transpose_default": ("tensors", "transpose_210"), "tril": ("elementwise", "tril_2"),
    "tril_one_row_neg": ("elementwise", "tril_3"), "tril_out_pos": ("elementwise", "tril_2"),
    "tril_square": ("elementwise", "tril_3"), "triu_neg": ("elementwise", "triu_2"), "triu_out_neg_out": ("elementwise", "triu_2"),
    "triu_pos": ("elementwise", "triu_2"), "triu_square_neg": ("elementwise", "triu_3"), "where_example": ("elementwise", "where_2"),
}
NORMS = ("2d_axis0", "2d_axis_negative_1", "3d_axis0_epsilon", "3d_axis2_epsilon", "3d_axis_negative_2_epsilon", "4d_axis0",
         "4d_axis2", "4d_axis_negative_1", "4d_axis_negative_3", "default_axis")
NORM_ENTRIES = ("2_0", "2_1", "3_0", "3_2", "3_1", "4_0", "4_2", "4_3", "4_1", "4_3")
for name, which in zip(NORMS, NORM_ENTRIES):
    CASES[f"layer_normalization_{name}"] = ("norms", f"layer_{which}")
    CASES[f"rms_normalization_{name}"] = ("norms", f"rms_{which}")
for kind in ("max", "mean", "sum"):
    for name, which in (("default_axes_keepdims_example", f"{kind}_3"), ("do_not_keepdims_example", f"{kind}_3_1"),
                        ("do_not_keepdims_random", f"{kind}_3_1"), ("keepdims_example", f"{kind}_3_1"),
                        ("negative_axes_keepdims_example", f"{kind}_3_1")):
        CASES[f"reduce_{kind}_{name}"] = ("reductions", which)


class Programs:
    """Builds each program once."""

    def __init__(self, weft, folder):
        self.weft, self.folder, self.built = weft, folder, {}

    def get(self, name, sizes):
        """The path of a program with these sizes, and name -> arguments of its entries."""
        settings = ",".join(f"{dim}={size}" for dim, size in {**SIZES.get(name, {}), **sizes}.items())
        if (name, settings) not in self.built:
            path = self.folder / f"{name}{len(self.built)}"
            chosen = ["--set", settings] if settings else []
            subprocess.run([self.weft, "build", "--isa", "native", HERE / "onnx" / f"{name}.weft", "-o", path, *chosen], check=True)
            facts = json.loads(subprocess.run([path, "info", "--json"], check=True, capture_output=True).stdout)
            self.built[name, settings] = path, {entry["name"]: entry["inputs"] for entry in facts["entries"]}
        return self.built[name, settings]


def scalar(element, value):
    return ("I32", [], array.array("i", [int(value)])) if element == "int" else ("F32", [], array.array("f", [float(value)]))


def compare(found, expected):
    """What is wrong, or nothing; and the relative difference. Dimensions of size 1 that are kept or not are the file's matter."""
    shapes = [[size for size in tensor[1] if size != 1] for tensor in (found, expected)]
    if shapes[0] != shapes[1]:
        return f"has shape {found[1]}, expected {expected[1]}", 0.0
    most, largest = safetensors.farthest(found, expected)
    bound = TOLERANCE.get(expected[0], 1e-5)
    return ("" if most <= bound * max(largest, 1.0) else f"{most:.1e} of {largest:.1e}"), most / max(largest, 1.0)


def run(programs, folder, case, attributes, recorded):
    """Problems of a case, and its largest relative difference."""
    program, entry, sizes, names = (*CASES[case], {}, {})[:4]
    path, entries = programs.get(program, sizes)
    given = {name.split(".", 2)[2]: tensor for name, tensor in recorded.items() if name.startswith("input.")}
    inputs = {}
    for argument in entries[entry]:
        name = argument["name"]
        inputs[name] = given[name] if name in given else scalar(argument["element"], attributes.get(name, USUAL.get(name)))
    safetensors.write(folder / "inputs", inputs)
    words = [path, "run", "--entry", entry, "--inputs", folder / "inputs", "--outputs", folder / "outputs"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip()], 0.0
    outputs, problems, most = safetensors.read(folder / "outputs"), [], 0.0
    for name, expected in recorded.items():
        if name.startswith("output."):
            name = name.split(".", 2)[2]
            problem, difference = compare(outputs[names.get(name, name)], expected)
            problems += [f"{name} {problem}"] if problem else []
            most = max(most, 0.0 if expected[0] in TOLERANCE else difference)
    return problems, most


def main(weft):
    if not DATA.is_dir():
        print(f"skipped: there is no {DATA}; WEFT_DATA names the folder with recorded tensors")
        return 77
    ran, failed, largest = 0, [], 0.0
    tests = json.loads((DATA / "index.json").read_text())["tests"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        programs = Programs(weft, folder)
        for test in tests:
            case = test["file"].removesuffix(".safetensors")
            if not (DATA / test["file"]).exists():
                print(f"left out: {case}: the file is not there")
                continue
            if case in LEFT_OUT:
                print(f"left out: {case}: {LEFT_OUT[case]}")
                continue
            problems, most = run(programs, folder, case, test["attrs"], safetensors.read(DATA / test["file"]))
            ran, largest = ran + 1, max(largest, most)
            failed += [f"{case}: {problem}" for problem in problems]
    print(f"{ran} of {len(tests)} cases ran, {len(failed)} failures, largest difference {largest:.1e}")
    print("\n".join(failed))
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
