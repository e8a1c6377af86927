// Tables of fields. What is in none of them is unknown: an import says so, and compares nothing.
#include "tools/weft/foreign/KnownFields.h"

#include <algorithm>
#include <iterator>

namespace weft {
namespace {

using runtime::Json;

/// Counts that no shape shows.
constexpr std::string_view counts[] = {"num_attention_heads",
                                       "n_head",
                                       "n_heads",
                                       "num_heads",
                                       "encoder_attention_heads",
                                       "decoder_attention_heads",
                                       "n_head_kv",
                                       "num_key_value_heads",
                                       "num_kv_heads",
                                       "num_experts_per_tok",
                                       "num_experts_per_token"};

/// What every model has in a way of its own.
constexpr std::string_view telling[] = {
    // of a GGUF file, which leaves to it what activations are and how pairs are turned
    "architecture",
    // norms
    "rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon", "layernorm_epsilon", "norm_eps",
    "norm_epsilon", "layer_norm_rms_epsilon",
    // activations
    "hidden_act", "hidden_activation", "activation_function", "activation", "dense_act_fn",
    "feed_forward_proj", "ffn_act_fn",
    // positions
    "rope_theta", "rotary_emb_base", "rope_local_base_freq", "rotary_dim", "rope_interleaved",
    "relative_attention_num_buckets", "relative_attention_max_distance",
    // the order and scale of things
    "use_parallel_residual", "parallel_attn", "do_layer_norm_before", "query_pre_attn_scalar",
    "attention_multiplier", "norm_topk_prob", "scoring_func", "topk_method",
    "routed_scaling_factor"};

/// What most models have in one way, and what it is.
struct UsualField {
  std::string_view name, values; ///< a list of JSON
};
constexpr UsualField usual[] = {
    {"rope_scaling", "[null]"},
    {"rope_freqs", "[null, false]"}, // a tensor of a GGUF file
    {"sliding_window", "[null]"},
    {"layer_types", "[null]"}, // or of full attention in every layer
    {"attention_bias", "[null, false]"},
    {"mlp_bias", "[null, false]"},
    {"tie_word_embeddings", "[null, false]"},
    {"partial_rotary_factor", "[null, 1]"},
    {"rotary_pct", "[null, 1]"},
    {"logit_scale", "[null, 1]"},
    {"logits_scaling", "[null, 1]"},
    {"logits_scale", "[null, 1]"},
    {"output_multiplier_scale", "[null, 1]"},
    {"residual_multiplier", "[null, 1]"},
    {"embedding_multiplier", "[null, 1]"},
    {"embedding_multiplier_scale", "[null, 1]"},
    {"final_logit_softcapping", "[null]"},
    {"attn_logit_softcapping", "[null]"},
    {"attention_logit_cap", "[null]"},
    {"scale_embedding", "[null, false]"},
    {"scale_attn_weights", "[null, true]"},
    {"scale_attn_by_inverse_layer_idx", "[null, false]"},
    {"position_embedding_type", "[null, \"absolute\"]"},
    {"alibi", "[null, false]"},
    {"use_alibi", "[null, false]"},
    {"multi_query", "[null, false]"},
    {"clip_qkv", "[null]"},
    {"qk_layernorm", "[null, false]"},
    {"use_qk_norm", "[null, false]"},
    {"use_mrope", "[null, false]"},
    {"attention_window", "[null]"},
    {"attention_chunk_size", "[null]"},
    {"is_decoder", "[null, false]"},
    {"add_cross_attention", "[null, false]"},
    {"normalize_embeddings", "[null, false]"},
    {"n_group", "[null, 1]"},
    {"topk_group", "[null, 1]"},
};

/// What changes no result of a model that is only run, or what tensors show.
constexpr std::string_view harmless[] = {
    // what it is called, and how it was made
    "architectures", "model_type", "torch_dtype", "dtype", "transformers_version", "auto_map",
    "_name_or_path", "_commit_hash", "name_or_path", "torchscript", "tokenizer_class",
    "finetuning_task", "problem_type", "id2label", "label2id", "num_labels", "task_specific_params",
    "license", "language", "gradient_checkpointing", "use_cache", "return_dict",
    "output_attentions", "output_hidden_states", "output_router_logits", "initializer_range",
    "initializer_factor", "initializer_cutoff_factor", "pretraining_tp", "router_aux_loss_coef",
    "router_jitter_noise", "aux_loss_alpha", "seq_aux", "unk_index", "pad_index",
    "reorder_and_upcast_attn", "_attn_implementation", "attn_implementation",
    "_flash_attn_2_enabled", "use_flash_attn", "is_encoder_decoder", "prefix",
    "chunk_size_feed_forward", "use_sliding_window", "max_window_layers", "n_special",
    "predict_special_tokens", "keys_to_ignore_at_inference", "cross_attention_hidden_size",
    "pruned_heads", "tie_encoder_decoder", "summary_type", "summary_use_proj", "summary_activation",
    "summary_proj_to_labels",
    // sizes that shapes show
    "hidden_size", "n_embd", "d_model", "dim", "hidden_dim", "n_inner", "d_ff", "d_kv", "ffn_dim",
    "intermediate_size", "moe_intermediate_size", "ffn_hidden_size", "encoder_ffn_dim",
    "decoder_ffn_dim", "num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers",
    "decoder_layers", "num_decoder_layers", "vocab_size", "type_vocab_size", "embedding_size",
    "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "head_dim", "image_size",
    "patch_size", "num_channels", "encoder_stride", "qkv_bias", "use_bias", "bias",
    "num_local_experts", "num_experts", "n_routed_experts", "n_shared_experts", "pooler_act",
    "pooler_output_size"};

/// What Hugging Face calls the functions of the library.
struct Activation {
  std::string_view own, foreign;
};
constexpr Activation activations[] = {
    {"gelu", "gelu"},
    {"gelu", "gelu_python"},
    {"gelu_tanh", "gelu_new"},
    {"gelu_tanh", "gelu_pytorch_tanh"},
    {"gelu_tanh", "gelu_fast"},
    {"gelu_tanh", "gelu_python_tanh"},
    {"quick_gelu", "quick_gelu"},
    {"silu", "silu"},
    {"silu", "swish"},
    {"relu", "relu"},
    {"squared_relu", "relu2"},
    {"tanh", "tanh"},
    {"sigmoid", "sigmoid"},
    {"mish", "mish"},
    {"hard_swish", "hardswish"},
};

template <class List> bool holds(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

const UsualField *usualField(std::string_view name) {
  auto found = std::find_if(std::begin(usual), std::end(usual),
                            [&](const UsualField &field) { return field.name == name; });
  return found == std::end(usual) ? nullptr : found;
}

} // namespace

FieldKind kindOf(std::string_view field) {
  if (holds(counts, field))
    return FieldKind::Size;
  if (holds(telling, field) || field.starts_with("rope_scaling."))
    return FieldKind::Telling;
  if (usualField(field))
    return FieldKind::Usual;
  bool isHarmless = holds(harmless, field) || field.ends_with("_token_id") ||
                    field.ends_with("_pdrop") || field.ends_with("_drop") ||
                    field.find("dropout") != std::string_view::npos ||
                    field.ends_with("_drop_rate");
  return isHarmless ? FieldKind::Harmless : FieldKind::Unknown;
}

bool isUsual(std::string_view field, const Json &value) {
  if (field == "layer_types" && value.is_array())
    return std::all_of(value.begin(), value.end(),
                       [](const Json &type) { return type == "full_attention"; });
  Json values = runtime::parseJson(usualField(field)->values);
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::optional<Json> impliedBy(std::string_view absentField) {
  if (absentField == "rope_theta" || absentField == "rotary_emb_base")
    return Json(10000);
  if (absentField == "rope_scaling.factor" || absentField == "partial_rotary_factor" ||
      absentField == "logit_scale" || absentField == "logits_scaling" ||
      absentField == "residual_multiplier" || absentField == "embedding_multiplier")
    return Json(1);
  if (absentField == "tie_word_embeddings" || absentField == "scale_attn_weights")
    return Json(true);
  const UsualField *field = usualField(absentField);
  return field && field->values == "[null, false]" ? std::optional<Json>(false) : std::nullopt;
}

bool isActivation(std::string_view own, std::string_view foreign) {
  return own == foreign || activationOf(foreign) == own;
}

std::string_view activationOf(std::string_view foreign) {
  for (const Activation &known : activations)
    if (known.foreign == foreign)
      return known.own;
  return {};
}

} // namespace weft
