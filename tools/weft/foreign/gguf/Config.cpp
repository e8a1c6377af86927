// Names of llama.cpp (gguf-py, constants.py) and those of Hugging Face that say the same.
#include "tools/weft/foreign/gguf/Config.h"

#include <string_view>

namespace weft {

using runtime::Json;

namespace {
struct Field {
  std::string_view here, there; ///< `there` is empty where it changes nothing, or tensors show it
};
constexpr Field fields[] = {
    {"vocab_size", "vocab_size"},
    {"context_length", "max_position_embeddings"},
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
    {"expert_shared_feed_forward_length", ""},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.value_length", ""},
    {"attention.layer_norm_epsilon", "layer_norm_eps"},
    {"attention.layer_norm_rms_epsilon", "rms_norm_eps"},
    {"attention.sliding_window", "sliding_window"},
    {"attention.scale", "attention_multiplier"},
    {"attention.clamp_kqv", "clip_qkv"},
    {"attn_logit_softcapping", "attn_logit_softcapping"},
    {"final_logit_softcapping", "final_logit_softcapping"},
    {"logit_scale", "logit_scale"},
    {"residual_scale", "residual_multiplier"},
    {"embedding_scale", "embedding_multiplier"},
    {"use_parallel_residual", "use_parallel_residual"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_shared_count", "n_shared_experts"},
    {"expert_weights_scale", "routed_scaling_factor"},
    {"expert_weights_norm", "norm_topk_prob"},
    {"expert_gating_func", "scoring_func"},
    {"rope.freq_base", "rope_theta"},
    {"rope.scaling.type", "rope_scaling.rope_type"},
    {"rope.scaling.factor", "rope_scaling.factor"},
    {"rope.scaling.attn_factor", "rope_scaling.attention_factor"},
    {"rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"},
    {"rope.scaling.finetuned", ""},
};

Json get(const std::map<std::string, Json> &values, const char *name) {
  auto found = values.find(name);
  return found == values.end() ? Json() : found->second;
}
} // namespace

Json ggufConfig(const std::map<std::string, Json> &values) {
  Json config = runtime::jsonObject(), scaling = runtime::jsonObject();
  for (const auto &[name, value] : values) {
    std::string_view there = name;
    for (const Field &field : fields)
      if (field.here == name)
        there = field.there;
    constexpr std::string_view inner = "rope_scaling.";
    if (there.starts_with(inner))
      scaling[std::string(there.substr(inner.size()))] = value;
    else if (!there.empty())
      config[std::string(there)] = value;
  }
  // What is not stretched has a type, and may have a factor.
  if (!scaling.empty() && get(values, "rope.scaling.type") != "none")
    config["rope_scaling"] = std::move(scaling);
  // All of a head is turned, or only its first numbers.
  config.erase("rope.dimension_count");
  Json turned = get(values, "rope.dimension_count"), head = get(values, "attention.key_length"),
       model = get(values, "embedding_length"), heads = get(values, "attention.head_count");
  auto isCount = [](const Json &value) { return value.is_number_unsigned() && value != 0; };
  if (!isCount(head) && isCount(model) && isCount(heads))
    head = Json(model.get<uint64_t>() / heads.get<uint64_t>());
  if (!turned.is_null() && turned != head)
    config["rotary_dim"] = std::move(turned);
  return config;
}

} // namespace weft
