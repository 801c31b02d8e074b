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
  std::span<const std::string_view> values{};  ///< What validation allows; empty: anything.
};

/// A mapping of the configuration. Struct keys fold letter case, as encoding/json does; the others
/// are looked up exactly.
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

/// The key that the plugin takes the word for; null where it drops it.
[[nodiscard]] const Key* find_key(const Section& section, std::string_view word);

/// What a dropped word most likely was.
struct Guess {
  bool elsewhere = false;  ///< A key of another section: `meant` is its whole path.
  std::string meant{};     ///< Else a key of this section; empty: no idea.
};

/// Collects problems while the parts of a configuration are read.
class Findings {
 public:
  using Kind = DevicePluginProblem::Kind;
  using Stage = DevicePluginProblem::Stage;

  explicit Findings(DevicePluginConfig& config) : config_(config) {}

  /// The plugin does not start; by default since the file does not parse.
  void refuse(Kind kind, Node node, std::string detail = {}, Stage stage = Stage::parse) {
    config_.problems.push_back({kind, stage, node, std::move(detail)});
  }
  /// The plugin starts and does something else than written.
  void note(Kind kind, Node node, std::string detail = {}) {
    config_.problems.push_back({kind, Stage::none, node, std::move(detail)});
  }
  /// True for a value that a placeholder leaves open.
  [[nodiscard]] bool skip_opaque(Node node) {
    config_.opaque = config_.opaque || node.is_opaque();
    return node.is_opaque();
  }
  void mark_opaque() { config_.opaque = true; }

  /// The members of a mapping that the section knows; the others are noted. Wrong types refused.
  [[nodiscard]] std::vector<JsonMember> known_members(Node mapping, const Section& section);
  void report_dropped(const JsonMember& member, const Section& section);
  /// The boolean, or nullopt where it is absent, open or refused.
  [[nodiscard]] std::optional<bool> read_bool(Node node);
  [[nodiscard]] std::optional<std::string> read_text(Node node);

 private:
  DevicePluginConfig& config_;
};

/// What one of `timeSlicing` and `mps` says.
struct Strategy {
  Node node;  ///< Nothing: the strategy is not in use.
  std::optional<bool> fail_requests_greater_than_one{};
  std::vector<ReplicatedResource> resources{};
};

[[nodiscard]] Strategy read_strategy(Node node, Findings& findings);

/// The top-level `resources`: without effect, and yet checked.
void read_resources(Node node, Findings& findings);

}  // namespace gpulint::device_plugin
