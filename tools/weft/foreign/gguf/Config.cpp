// Names of llama.cpp (gguf-py, constants.py) and those of Hugging Face that say the same.
#include "tools/weft/foreign/gguf/Config.h"

#include <algorithm>
#include <string_view>

namespace weft {

using runtime::Json;

namespace {
/// A key behind the architecture, and what `config.json` calls it.
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
    {"rope.scale_linear", "rope_scaling.factor"}, // as older files have it
    {"rope.scaling.type", "rope_scaling.rope_type"},
    {"rope.scaling.attn_factor", "rope_scaling.attention_factor"},
    {"rope.scaling.original_context_length", "rope_scaling.original_max_position_embeddings"},
    {"rope.scaling.finetuned", ""},
    {"tensor_data_layout", ""},
    {"classifier.output_labels", ""},
};
constexpr std::string_view scalingKeys = "rope.scaling.", scalingFields = "rope_scaling.";

Json get(const std::map<std::string, Json> &values, const char *name) {
  auto found = values.find(name);
  return found == values.end() ? Json() : found->second;
}

bool isCount(const Json &value) {
  return value.is_number_unsigned() && value != 0;
}

/// What the format has numbers for, in words; and off, which is 0 there, as nothing.
Json said(const std::string &key, Json value) {
  if (value.is_array() && !value.empty() && // a number for each layer, which are all the same
      std::all_of(value.begin(), value.end(), [&](const Json &each) { return each == value[0]; }))
    value = Json(value[0]);
  bool isOffAtZero = key == "attention.sliding_window" || key.ends_with("_softcapping");
  if (isOffAtZero && value == 0)
    return Json();
  if (key == "expert_gating_func" && (value == 1 || value == 2))
    return Json(value == 1 ? "softmax" : "sigmoid");
  return value;
}

class Translation {
public:
  explicit Translation(const std::string &architecture) : architecture(architecture) {
    config["architecture"] = architecture;
  }

  /// False where another key has the name.
  bool add(const std::string &key, const Json &value) {
    std::string name = key;
    bool isKnown = key.starts_with(scalingKeys);
    if (isKnown)
      name = std::string(scalingFields) + key.substr(scalingKeys.size());
    for (const Field &field : fields)
      if (field.here == key) {
        name = field.there;
        isKnown = true;
      }
    if (key == "logit_scale" && architecture.starts_with("granite"))
      name = "logits_scaling"; // what logits are divided by, there
    if (name.empty() || key == "rope.dimension_count")
      return true;
    Json *at = &config;
    for (size_t dot; (dot = name.find('.')) != std::string::npos; name.erase(0, dot + 1)) {
      at = &(*at)[name.substr(0, dot)];
      if (at->is_null())
        *at = runtime::jsonObject();
      if (!at->is_object())
        return false;
    }
    return at->emplace(name, isKnown ? said(key, value) : value).second;
  }

  Json finish(const std::map<std::string, Json> &values) {
    // What is not stretched has a type all the same, or a factor.
    if (auto found = config.find("rope_scaling"); found != config.end() && found->is_object()) {
      Json &scaling = *found;
      Json type = scaling.value("rope_type", Json()), factor = scaling.value("factor", Json());
      bool isStretched = !factor.is_null() && factor != 0 && factor != 1;
      if (type == "none" || ((type.is_null() || type == "linear") && !isStretched))
        config.erase("rope_scaling");
      else if (type.is_null())
        scaling["rope_type"] = "linear";
    }
    // All of a head is turned, or only its first numbers.
    Json turned = get(values, "rope.dimension_count"), head = get(values, "attention.key_length"),
         model = get(values, "embedding_length"),
         heads = said("", get(values, "attention.head_count"));
    if (!isCount(head) && isCount(model) && isCount(heads))
      head = Json(model.get<uint64_t>() / heads.get<uint64_t>());
    if (!turned.is_null() && turned != head)
      config["rotary_dim"] = std::move(turned);
    return std::move(config);
  }

private:
  const std::string &architecture;
  Json config = runtime::jsonObject();
};
} // namespace

runtime::Result<Json> ggufConfig(const std::string &architecture,
                                 const std::map<std::string, Json> &values) {
  Translation translation(architecture);
  for (const auto &[key, value] : values)
    if (!translation.add(key, value))
      return runtime::Error{runtime::Code::Value,
                            "`" + architecture + "." + key +
                                "` says something that another of its keys says, too"};
  return translation.finish(values);
}

} // namespace weft
