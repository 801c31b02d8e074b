#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/device_plugin_config.h"
#include "compiler/model/device_plugin_keys.h"
#include "compiler/model/go_json.h"

namespace gpulint::device_plugin {

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
