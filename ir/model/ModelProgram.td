// What a module says of the program that it is: where it comes from, and what its entries are for.
#ifndef WEFT_IR_MODEL_PROGRAM
#define WEFT_IR_MODEL_PROGRAM

include "ir/model/ModelBase.td"

// `model.kind` of a function (ir/model/Entries.h).
def Model_EntryKind : I32EnumAttr<"EntryKind", "what an entry is for", [
    I32EnumAttrCase<"plain", 0>,    // written by the program
    I32EnumAttrCase<"gradient", 1>, // of another, derived
    I32EnumAttrCase<"update", 2>,   // of a training: gradients in, parameters assigned
    I32EnumAttrCase<"begin", 3>,    // of a decoding: what is computed once
    I32EnumAttrCase<"advance", 4>   // of a decoding: further positions
  ]> {
  let cppNamespace = "::weft::model";
}

def Model_ProgramDocs : OpDocGroup {
  let summary = "The program";
  let description = [{
    Ops of a module that say what its functions are for. They compute nothing; what a built program says of itself (its facts) is
    made of them. A function that they name need not be there: a module may hold some of a program's entries, or none yet.
  }];
}

// Stands in a module. Each op verifies the symbols that it names.
class Model_ProgramOp<string mnemonic> : Model_Op<mnemonic, [Structural, HasParent<"::mlir::ModuleOp">]> {
  let extraClassDefinition = "";
}

let opDocGroup = Model_ProgramDocs in {
def Model_SourceOp : Model_ProgramOp<"source"> {
  let summary = "the file that the program was made of, and how it was configured";
  let description = [{
    The config that was chosen, if any, and the options and sizes that were set besides. A module has at most one.

    ```mlir
    model.source "gpt.weft" config "tiny" settings {dropout = 1.0e-01, seq = 64 : i64}
    ```
  }];
  let arguments = (ins StrAttr:$file, OptionalAttr<StrAttr>:$config, OptionalAttr<DictionaryAttr>:$settings);
  let assemblyFormat = "$file (`config` $config^)? (`settings` $settings^)? attr-dict-with-keyword";
}
def Model_ReadsOp : Model_ProgramOp<"reads"> {
  let summary = "the options and set sizes that an entry reads, with their values";
  let description = [{
    Those of `*` are read by every entry that is not derived.

    ```mlir
    model.reads "train" {rate = 3.0e-04, warmup = 100 : i64}
    ```
  }];
  let arguments = (ins StrAttr:$entry, DictionaryAttr:$values);
  let assemblyFormat = "$entry $values attr-dict-with-keyword";
}
def Model_CarriedOp : Model_ProgramOp<"carried"> {
  let summary = "a file that a built program carries behind its code";
  let description = [{
    And its length in bytes.

    ```mlir
    model.carried "tokenizer.json" bytes 1355256
    ```
  }];
  let arguments = (ins StrAttr:$file, ConfinedAttr<I64Attr, [IntNonNegative]>:$bytes);
  let assemblyFormat = "$file `bytes` $bytes attr-dict-with-keyword";
}
def Model_TrainingOp : Model_ProgramOp<"training"> {
  let summary = "`entry name = minimize(entry, …)`";
  let description = [{
    `loss` is what the entry gives, in training. `weft-differentiate` makes `gradient` of it: the same results and a gradient for
    each parameter; `update` takes those and assigns parameters and the optimizers' states. `metrics` are results of the loss
    besides its first, which is minimized; `frozen` the parameters without a gradient. `data` is what the source of the data is
    called, and which argument takes what of it.

    ```mlir
    model.training "train" entry "loss" loss @train.loss gradient @train.gradient update @train.update metrics ["accuracy"] data {arguments = {tokens = "tokens"}, kind = "text"}
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$entry, FlatSymbolRefAttr:$loss, FlatSymbolRefAttr:$gradient,
                   FlatSymbolRefAttr:$update, StrArrayAttr:$metrics, OptionalAttr<StrArrayAttr>:$frozen,
                   OptionalAttr<DictionaryAttr>:$data);
  let assemblyFormat = [{
    $name `entry` $entry `loss` $loss `gradient` $gradient `update` $update `metrics` $metrics (`frozen` $frozen^)?
    (`data` $data^)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}
def Model_EvaluationOp : Model_ProgramOp<"evaluation"> {
  let summary = "what is left of a training in a program that does not train";
  let description = [{
    The entry of the loss can be evaluated on data, which `metrics` and `data` say of as those of `model.training` do.

    ```mlir
    model.evaluation "train" entry "loss" metrics ["accuracy"] data {arguments = {tokens = "tokens"}, kind = "text"}
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$entry, StrArrayAttr:$metrics, OptionalAttr<DictionaryAttr>:$data);
  let assemblyFormat = "$name `entry` $entry `metrics` $metrics (`data` $data^)? attr-dict-with-keyword";
  let hasVerifier = 1;
}
def Model_DecodingOp : Model_ProgramOp<"decoding"> {
  let summary = "`entry name = decode[dim](entry, start = …, max = …)`";
  let description = [{
    `argument` grows along `dim`, from `start`, to at most `max` positions. `weft-decode` makes `advance` of the entry, which
    takes `fresh` positions where `known` are known, with caches of room for `capacity`; and `begin`, where some of it is computed
    once.

    ```mlir
    model.decoding "generate" entry "logits" argument "tokens" dim "seq" start 0 max 64
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$entry, StrAttr:$argument, Model_DimAttr:$dim,
                   OptionalAttr<I64Attr>:$start, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$max,
                   OptionalAttr<FlatSymbolRefAttr>:$advance, OptionalAttr<Model_DimAttr>:$known, OptionalAttr<Model_DimAttr>:$fresh,
                   OptionalAttr<Model_DimAttr>:$capacity, OptionalAttr<FlatSymbolRefAttr>:$begin);
  let assemblyFormat = [{
    $name `entry` $entry `argument` $argument `dim` custom<Dim>($dim) (`start` $start^)? (`max` $max^)?
    (`advance` $advance^ `known` custom<Dim>($known) `fresh` custom<Dim>($fresh) `capacity` custom<Dim>($capacity))? (`begin` $begin^)? attr-dict-with-keyword
  }];
  let hasVerifier = 1;
}
} // opDocGroup

#endif // WEFT_IR_MODEL_PROGRAM
