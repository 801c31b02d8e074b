#include "compiler/server/completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/base/text.h"
#include "compiler/engine/config.h"
#include "compiler/engine/registry.h"
#include "compiler/ir/python.h"
#include "compiler/ir/yaml_string.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/project/config_file.h"
#include "compiler/server/cursor.h"

namespace gpulint::server {
namespace {

/// What can be written, with what is known about it: in the order in which it is shown.
class Choices {
 public:
  void add(std::string text, std::string detail = {}) {
    if (text.empty()) return;
    const auto [at, is_new] = index_.try_emplace(std::move(text), choices_.size());
    if (is_new) choices_.push_back({&at->first, std::move(detail), 0});
    ++choices_[at->second].count;
  }
  void add_words(std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) add(std::string(word));
  }

  /// `noun` is counted where there is no detail: `3 nodes`. `writes_strings`: in quotes where YAML
  /// reads the plain text as another type.
  [[nodiscard]] Json list(const Json& range, std::string_view noun, bool is_value,
                          bool writes_strings) const {
    constexpr int value_kind = 12;     // CompletionItemKind.Value
    constexpr int property_kind = 10;  // .Property
    Json items = Json::array();
    for (const Choice& choice : choices_) {
      const std::string& text = *choice.text;
      Json item = {
          {"label", text},
          {"kind", is_value ? value_kind : property_kind},
          {"sortText", fmt::format("{:05}", items.size())},
          {"textEdit", {{"range", range}, {"newText", writes_strings ? yaml_string(text) : text}}}};
      if (!choice.detail.empty()) {
        item["detail"] = choice.detail;
      } else if (!noun.empty()) {
        item["detail"] = count_text(choice.count, noun);
      }
      items.push_back(std::move(item));
    }
    return items;
  }

 private:
  struct Choice {
    const std::string* text;
    std::string detail;
    std::size_t count;
  };
  std::map<std::string, std::size_t> index_;
  std::vector<Choice> choices_;
};

class Completion {
 public:
  Completion(CheckedRoot& root, const Cursor& cursor) : root_(root), cursor_(cursor) {
    std::set<std::pair<const Document*, NodeIndex>> known;  // scopes share nodes
    for (const Scope& scope : root.project().scopes) {
      for (const NodePool& pool : scope.corpus.cluster.pools) {
        if (known.emplace(pool.node.document(), pool.node.index()).second) pools_.push_back(&pool);
      }
    }
  }

  /// Constants of flytekit.
  [[nodiscard]] Json list_accelerators(const Json& range) {
    add_accelerators(flytekit_accelerators());
    return choices_.list(range, {}, true, false);
  }

  /// `is_quoted`: a quote was typed.
  [[nodiscard]] Json list(const Json& range, bool is_config, bool is_quoted) {
    if (cursor_.is_comment) {
      add_rules();
      return choices_.list(range, {}, false, false);
    }
    if (is_config) {
      const bool is_value = add_config();
      return choices_.list(range, {}, is_value, false);
    }
    const std::string_view noun = add_of_pods() || add_of_flyte() ? "node" : "";
    const bool is_value = !cursor_.key.empty() || is_item_;
    return choices_.list(range, noun, is_value, is_value && !is_quoted);
  }

 private:
  [[nodiscard]] std::string neighbour(const std::string& key) const {
    const auto found = cursor_.neighbours.find(key);
    return found == cursor_.neighbours.end() ? std::string() : found->second;
  }

  void add_label_keys() {
    for (const NodePool* pool : pools_) {
      for (const PoolLabel& label : pool->labels) {
        if (label.known != PoolLabel::Known::absent) choices_.add(label.key);
      }
    }
  }
  void add_label_values(std::string_view key) {
    for (const NodePool* pool : pools_) {
      for (const PoolLabel& label : pool->labels) {
        if (label.key != key) continue;
        for (const std::string& value : label.values) choices_.add(value);
      }
    }
  }
  void add_taints(const auto& text_of) {
    for (const NodePool* pool : pools_) {
      for (const Taint& taint : pool->taints) choices_.add(text_of(taint));
    }
  }
  void add_resources() {
    for (const NodePool* pool : pools_) {
      for (const ResourceEntry& entry : pool->allocatable) {
        if (entry.name.value != "pods") choices_.add(entry.name.value);
      }
    }
  }
  /// Profiles of the GPUs of known nodes; of all GPUs if no node's GPU is known.
  void add_mig_profiles() {
    std::set<const MigGpu*> gpus;
    for (const NodePool* pool : pools_) {
      for (const PoolLabel& label : pool->labels) {
        if (label.key != product_label || !label.has_one_value()) continue;
        const std::string_view product = whole_product(label.values.front());
        for (const MigGpu* gpu : mig_gpus_of_product(product)) gpus.insert(gpu);
      }
    }
    for (const MigGpu& gpu : mig_gpus()) {
      if (!gpus.empty() && !gpus.contains(&gpu)) continue;
      for (const auto& profile : gpu.profiles) choices_.add(std::string(profile.name));
    }
  }
  void add_runtime_classes() {
    for (const Scope& scope : root_.project().scopes) {
      for (const auto& [name, node] : scope.corpus.runtime_classes)
        choices_.add(name, "RuntimeClass");
    }
  }
  void add_rules() {
    for (const RegisteredRule& rule : all_rules()) {
      choices_.add(std::string(rule.rule->info.id), std::string(rule.rule->info.summary));
    }
  }

  void add_toleration() {
    if (cursor_.key == "operator") return choices_.add_words({"Equal", "Exists"});
    if (cursor_.key == "effect") {
      return choices_.add_words({"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
    if (cursor_.key == "key") add_taints([](const Taint& taint) { return taint.key.value_or(""); });
    if (cursor_.key != "value") return;
    const std::string key = neighbour("key");
    add_taints([&](const Taint& taint) {
      return key.empty() || taint.key.equals(key) ? taint.value.value_or("") : std::string();
    });
  }

  void add_requirement() {
    if (cursor_.key == "key") return add_label_keys();
    if (cursor_.key == "operator") {
      return choices_.add_words({"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"});
    }
    if (cursor_.key == "values") add_label_values(neighbour("key"));
  }

  /// Whether the choices are of nodes.
  [[nodiscard]] bool add_of_pods() {
    const std::string_view parent = cursor_.parent();
    if (cursor_.key == "runtimeClassName") return add_runtime_classes(), false;
    if (cursor_.key == "topologyKey") return add_label_keys(), true;
    if (parent == "mig-devices" && cursor_.key.empty()) return add_mig_profiles(), false;
    if (parent == "nodeSelector") {
      cursor_.key.empty() ? add_label_keys() : add_label_values(cursor_.key);
    } else if (parent == "tolerations") {
      add_toleration();
    } else if (parent == "matchExpressions" && is_of_nodes()) {
      add_requirement();
    } else if (parent == "values" && is_of_nodes()) {
      is_item_ = true;
      add_label_values(neighbour("key"));
    } else if ((parent == "limits" || parent == "requests") && cursor_.key.empty()) {
      add_resources();
    } else {
      return false;
    }
    return true;
  }

  /// Whether the requirement selects nodes, not pods.
  [[nodiscard]] bool is_of_nodes() const {
    constexpr std::array<std::string_view, 2> terms{"nodeSelectorTerms", "preference"};
    return std::ranges::any_of(terms, [&](std::string_view term) {
      return std::ranges::find(cursor_.parents, term) != cursor_.parents.end();
    });
  }

  /// Flyte's `plugins.k8s`. Whether the choices are of nodes.
  [[nodiscard]] bool add_of_flyte() {
    const auto& parents = cursor_.parents;
    const std::size_t depth = parents.size();
    if (cursor_.parent() == "k8s" && cursor_.key.empty()) {
      for (const FlytePluginKey& key : flyte_plugin_keys()) {
        const bool is_nested = key.key.find('.') != std::string_view::npos;
        if (!is_nested) choices_.add(std::string(key.key), std::string(key.type));
      }
      return false;
    }
    const bool is_label =
        cursor_.key == "gpu-device-node-label" || cursor_.key == "gpu-partition-size-node-label";
    if (is_label) return add_label_keys(), true;
    if (cursor_.key == "gpu-resource-name") return add_resources(), true;
    if (cursor_.parent() == "resource-tolerations") return add_resources(), true;
    const bool is_toleration = cursor_.parent() == "gpu-unpartitioned-toleration" ||
                               cursor_.parent() == "default-tolerations" ||
                               (depth > 1 && parents[depth - 2] == "resource-tolerations");
    if (is_toleration) add_toleration();
    return is_toleration;
  }

  /// gpulint.yaml. Whether the choices are values.
  [[nodiscard]] bool add_config() {
    std::string_view section = config_root;
    for (const std::string& parent : cursor_.parents) {
      const ConfigKey* const key = find_config_key(section, parent);
      if (key != nullptr) section = element_of(key->type);
    }
    if (cursor_.key.empty()) {
      if (section == "rule") return add_rules(), true;
      for (const ConfigKey& key : config_keys()) {
        if (key.section == section) choices_.add(std::string(key.name), std::string(key.help));
      }
      return false;
    }
    const ConfigKey* const key = find_config_key(section, cursor_.key);
    if (key != nullptr) add_words_of(*key);
    return true;
  }

  void add_words_of(const ConfigKey& key) {
    const std::string_view type = element_of(key.type);
    if (type == "rule") return add_rules();
    if (type == "bool") return choices_.add_words({"true", "false"});
    if (key.name == "accelerator") {
      add_accelerators(flytekit_accelerators());
      return add_accelerators(flyte2_accelerators());
    }
    std::string_view words = type.find('|') == std::string_view::npos ? "" : type;
    while (!words.empty()) choices_.add(std::string(take_part(words, '|')));
  }

  void add_accelerators(std::span<const FlyteAccelerator> accelerators) {
    for (const FlyteAccelerator& each : accelerators) {
      choices_.add(std::string(each.constant), std::string(each.device));
    }
  }

  /// `[]map:[]rule` → `rule`.
  [[nodiscard]] static std::string_view element_of(std::string_view type) {
    for (const std::string_view prefix : {"[]", "map:", "[]"}) {
      if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
    }
    return type;
  }

  CheckedRoot& root_;
  const Cursor& cursor_;
  std::vector<const NodePool*> pools_;
  Choices choices_;
  bool is_item_ = false;  ///< Of a list of values.
};

/// Where the constant behind `accelerator=` begins in Python; npos: somewhere else.
[[nodiscard]] std::size_t begin_of_accelerator(std::string_view typed) {
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  std::size_t begin = typed.size();
  while (begin > 0 && is_of_name(typed[begin - 1])) --begin;
  const std::string_view before = trim(typed.substr(0, begin));
  if (!before.ends_with('=') || !trim(before.substr(0, before.size() - 1)).ends_with("accelerator"))
    return std::string_view::npos;
  const std::size_t dot = typed.rfind('.');
  return dot == std::string_view::npos || dot < begin ? begin : dot + 1;
}

}  // namespace

Json completions_at(CheckedRoot& root, FileId file, std::uint32_t offset, Ranges& ranges) {
  const SourceFile& source = root.project().sources.file(file);
  const Cursor cursor = find_cursor(source.text(), offset);
  const std::string_view typed = source.text().substr(0, offset);
  const bool is_directive =
      typed.substr(typed.rfind('\n') + 1).find("gpulint: ignore[") != std::string_view::npos;
  if (python::is_source(source.path()) && !is_directive) {
    const std::size_t begin = begin_of_accelerator(typed);
    if (begin == std::string_view::npos) return Json::array();
    const Json range = ranges.range({file, static_cast<std::uint32_t>(begin), offset});
    return Completion(root, cursor).list_accelerators(range);
  }
  if (cursor.is_comment && !is_directive) return Json::array();
  const std::uint32_t word = std::min(cursor.word, offset);
  const Json range = ranges.range({file, word, offset});
  const bool is_quoted = word > 0 && (typed[word - 1] == '"' || typed[word - 1] == '\'');
  return Completion(root, cursor).list(range, is_config_name(source.path()), is_quoted);
}

}  // namespace gpulint::server
