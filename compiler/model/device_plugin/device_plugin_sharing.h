#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/device_plugin/device_plugin_config.h"
#include "compiler/model/go_json.h"

namespace gpulint::device_plugin {

enum class ValueType : std::uint8_t { any, text, boolean, duration, texts };

/// A key that the device plugin reads.
struct Key {
  std::string_view name;
  ValueType type = ValueType::any;
  std::span<const std::string_view> values{};  ///< The values that validation accepts; empty: any.
};

/// A mapping of the configuration. Keys of structs ignore letter case, as in encoding/json; other
/// keys must match exactly.
struct Section {
  std::string_view path;
  std::span<const Key> keys;
  bool folds_case = true;
};

extern const Section top_section;

extern const Section flags_section;

extern const Section plugin_section;

extern const Section gfd_section;

extern const Section sharing_section;

extern const Section strategy_section;  ///< Inside timeSlicing and mps.

extern const Section item_section;  ///< One of a strategy's resources.

extern const Section resources_section;

extern const Section imex_section;

/// The key that the plugin reads for the word; null if it ignores the word.
[[nodiscard]] const Key* find_key(const Section& section, std::string_view word);

/// The likely meaning of an ignored word.
struct Guess {
  bool elsewhere = false;  ///< A key of another section: `meant` is its whole path.
  std::string meant{};     ///< Else a key of this section; empty: unknown.
};

/// Collects problems while parts of a configuration are read.
class Findings {
 public:
  using Kind = DevicePluginProblem::Kind;
  using Stage = DevicePluginProblem::Stage;

  explicit Findings(DevicePluginConfig& config) : config_(config) {}

  /// The plugin does not start; by default because the file does not parse.
  void refuse(Kind kind, Node node, std::string detail = {}, Stage stage = Stage::parse) {
    config_.problems.push_back({kind, stage, node, std::move(detail)});
  }
  /// The plugin starts but does not do what is written.
  void note(Kind kind, Node node, std::string detail = {}) {
    config_.problems.push_back({kind, Stage::none, node, std::move(detail)});
  }
  /// Whether a placeholder hides the value.
  [[nodiscard]] bool skip_opaque(Node node) {
    config_.opaque = config_.opaque || node.is_opaque();
    return node.is_opaque();
  }
  void mark_opaque() { config_.opaque = true; }

  /// The members of a mapping that the section knows; adds problems for others and for wrong types.
  [[nodiscard]] std::vector<JsonMember> known_members(Node mapping, const Section& section);
  void report_dropped(const JsonMember& member, const Section& section);
  /// The boolean; nullopt if it is absent, opaque or rejected.
  [[nodiscard]] std::optional<bool> read_bool(Node node);
  [[nodiscard]] std::optional<std::string> read_text(Node node);

 private:
  DevicePluginConfig& config_;
};

/// The settings of one of `timeSlicing` and `mps`.
struct Strategy {
  Node node;  ///< Null: the strategy is not used.
  std::optional<bool> fail_requests_greater_than_one{};
  std::vector<ReplicatedResource> resources{};
};

[[nodiscard]] Strategy read_strategy(Node node, Findings& findings);

/// The top-level `resources`: no effect, but checked.
void read_resources(Node node, Findings& findings);

}  // namespace gpulint::device_plugin
