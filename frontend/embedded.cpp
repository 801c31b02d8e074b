#include "frontend/embedded.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/ir/node.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "frontend/relevance.h"
#include "frontend/variable_defaults.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// Shorter documents have no relevant configuration: `key: value`.
constexpr std::size_t shortest_configuration = 8;

/// `README.md`, `run.sh`: a file of another kind, even if its text can be read as YAML.
[[nodiscard]] bool is_other_file(std::string_view key) {
  constexpr std::array<std::string_view, 18> extensions{
      "bash", "cfg", "conf", "css", "env", "html", "ini",     "js",   "lua",
      "md",   "py",  "rego", "rst", "sh",  "sql",  "service", "toml", "txt"};
  if (key == "volcano-scheduler.conf") return false;
  const std::size_t dot = key.rfind('.');
  return dot != std::string_view::npos &&
         std::ranges::find(extensions, key.substr(dot + 1)) != extensions.end();
}

/// A manifest that flyteadmin creates for each project, in Helm values: in flyte-binary
/// `clusterResourceTemplates.inline`, in flyte-core `cluster_resource_manager.templates[].value`.
[[nodiscard]] bool is_cluster_resource_template(Node text) {
  const Node holder = text.parent();
  if (holder.key().text() == "inline") {
    return holder.parent().key().text() == "clusterResourceTemplates";
  }
  const Node list = holder.parent();
  return text.key().text() == "value" && list.is_sequence() && list.key().text() == "templates" &&
         list.parent().key().text() == "cluster_resource_manager";
}

[[nodiscard]] bool is_data_of_config(Node text) {
  if (is_cluster_resource_template(text)) return true;
  const auto entry = data_entry(text);
  if (!entry || is_other_file(entry->key)) return false;
  const std::string_view name = entry->part;
  const Node object = entry->object;
  std::string_view kind = object.get("kind").text();
  if (kind.empty() && object.parent().key().text() == "items") {  // of a ConfigMapList
    const std::string_view list = object.parent().parent().get("kind").text();
    if (list.ends_with("List")) kind = list.substr(0, list.size() - 4);
  }
  return (kind == "ConfigMap" && name == "data") || (kind == "Secret" && name == "stringData");
}

[[nodiscard]] bool is_annotation(Node text) {
  return bool(used_under(text.parent(), {"annotations"}));
}

/// A patch in a kustomization: `patches[].patch`, `patchesJson6902[].patch`, or the text of one in
/// `patchesStrategicMerge` (whose other items are paths).
[[nodiscard]] bool is_inline_patch(Node text) {
  const Node list = text.key() ? text.parent().parent() : text.parent();
  const std::string_view name = list.is_sequence() ? list.key().text() : std::string_view{};
  const bool is_text_among_paths = !text.key() && name == "patchesStrategicMerge" &&
                                   text.text().find(':') != std::string_view::npos;
  const bool is_entry =
      text.key().text() == "patch" && (name == "patches" || name == "patchesJson6902");
  if ((!is_text_among_paths && !is_entry) || list.parent().parent()) return false;
  const std::string_view kind = list.parent().get("kind").text();
  return kind.empty() || kind == "Kustomization" || kind == "Component";
}

/// Alpha annotations that contain a pod's or node's field as JSON.
[[nodiscard]] bool is_scheduling_annotation(Node text) {
  const std::string_view name = text.key().text();
  return is_annotation(text) && (name == "scheduler.alpha.kubernetes.io/affinity" ||
                                 name == "scheduler.alpha.kubernetes.io/tolerations" ||
                                 name == "scheduler.alpha.kubernetes.io/taints");
}

/// Helm values, if the format of the file around them has them as text.
[[nodiscard]] bool are_values(Node text) {
  const Node holder = text.key() ? text : text.parent();
  return holder.key().text().find("values") != std::string_view::npos && helm_values_source(text);
}

/// The text of an ApplicationSet's template (`{{name}}`, `{{ .name }}`).
[[nodiscard]] bool is_of_application_set(Node text) {
  return root(*text.document()).get("kind").text() == "ApplicationSet";
}

/// The Ray Serve configuration of a RayService (ray.io, `spec.serveConfigV2`).
[[nodiscard]] bool is_serve_config(Node text) {
  return text.key().text() == "serveConfigV2" && text.parent().key().text() == "spec" &&
         text.parent().parent().get("kind").text() == "RayService";
}

/// The worker's configuration of Node Feature Discovery: the ConfigMap's file of its chart, or
/// `spec.workerConfig.configData` of its operator (nfd.openshift.io, nfd.kubernetes.io).
[[nodiscard]] bool is_discovery_config(Node text) {
  const std::string_view key = text.key().text();
  return (key == "nfd-worker.conf" && used_under(text.parent(), {"data"})) ||
         (key == "configData" && used_under(text.parent(), {"workerConfig"}));
}

/// Argo Workflows' patch of a template's pods.
[[nodiscard]] bool is_pod_spec_patch(Node text) { return text.key().text() == "podSpecPatch"; }

/// A line that begins with a key that Flyte, the device plugin or the MIG manager read.
constexpr std::string_view known_line =
    "(?m)^(?:version: *v1|(?:sharing|flags|mig-configs|plugins|task_resources|propeller):)";

[[nodiscard]] bool matches(std::string_view text, const RE2& pattern) {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

/// A Kubernetes object as text, as in values of charts (`podTemplate`, `extraObjects`) and in steps
/// that apply one (`manifest`).
[[nodiscard]] bool is_manifest(Node text) {
  static const RE2 version(R"((?m)^apiVersion: *\S)");
  static const RE2 kind(R"((?m)^kind: *\S)");
  const std::string_view start = trim(text.text());
  const bool begins =
      start.starts_with("apiVersion:") || start.starts_with("kind:") || start.starts_with("---\n");
  return begins && text.style() != Style::folded && matches(start, version) && matches(start, kind);
}

[[nodiscard]] bool begins_like_configuration(Node text) {
  static const RE2 known_start{std::string(known_line)};
  const bool has_lines =
      text.style() != Style::folded && text.text().find('\n') != std::string_view::npos;
  return (has_lines || is_annotation(text)) && matches(text.text(), known_start);
}

[[nodiscard]] bool is_yaml_name(std::string_view key) {
  return key.ends_with(".yaml") || key.ends_with(".yml") || key.ends_with(".json");
}

/// `- a`, `[a]`, `a`: the first line with content begins no mapping.
[[nodiscard]] bool begins_no_mapping(std::string_view text) {
  static const RE2 no_mapping(
      R"((?s)(\s*(#[^\n]*|---[^\n]*)?\n)*\s*([-[][^\n]*|[^:#\s][^:\n]*)(\n.*)?)");
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), no_mapping);
}

/// A file next to Flyte's configuration in a ConfigMap that is not a mapping, so Flyte fails to
/// load it. For the data of a ConfigMap.
[[nodiscard]] bool breaks_flyte(Node text) {
  static const RE2 section(R"((?m)^(propeller:|task_resources:|plugins: *\n +k8s:))");
  if (!text.key().text().ends_with(".yaml") || !begins_no_mapping(text.text())) return false;
  const std::vector<Node> files = text.parent().children();
  return std::ranges::any_of(files, [](Node file) { return matches(file.text(), section); });
}

/// Whether the device plugin or MIG manager always reads the data as configuration.
[[nodiscard]] bool is_read_for_certain(Node text) {
  const auto entry = data_entry(text);
  if (!entry) return false;
  const ConfigMapUse use = use_of_config_map(entry->object);
  return (use == ConfigMapUse::device_plugin || use == ConfigMapUse::mig_manager) &&
         is_configuration_of(use, entry->key);
}

/// Text with a line that begins with a key that Flyte, the device plugin or the MIG manager read:
/// it must be YAML. Other text in a ConfigMap may have any format (JSON5, a template, a script).
[[nodiscard]] bool must_be_yaml(Node text) {
  static const RE2 known_key(
      std::string(known_line)
          .append(
              R"re(|^\s*\{?\s*"(?:version|sharing|flags|mig-configs|plugins|task_resources)" *:)re"));
  return is_yaml_name(text.key().text()) && text.text().find("${") == std::string_view::npos &&
         matches(text.text(), known_key);
}

/// A scalar with the facts from its place.
class EmbeddedText {
 public:
  explicit EmbeddedText(Node text)
      : text_(text),
        is_patch_(is_pod_spec_patch(text)),
        is_manifest_(is_manifest(text)),
        is_entry_(is_patch_ || is_scheduling_annotation(text) || is_inline_patch(text)),
        is_data_(text.key() && is_data_of_config(text)),
        is_certain_(is_data_ && is_read_for_certain(text)),
        breaks_flyte_(is_data_ && !is_certain_ && breaks_flyte(text)),
        are_values_(are_values(text)) {}

  /// Whether to read it: it is certainly configuration, or it may be by its place or first lines,
  /// and concerns GPUs.
  [[nodiscard]] bool is_worth_reading() const {
    if (is_entry_ || is_certain_ || breaks_flyte_) return true;
    if (text_.text().size() < shortest_configuration) return false;
    const bool is_possible =
        is_data_ || are_values_ || is_manifest_ ||
        (text_.key() && (begins_like_configuration(text_) || is_serve_config(text_) ||
                         is_discovery_config(text_)));
    return is_possible && may_concern_gpus(text_.text());
  }

  /// The result is a mapping; or it must be YAML and is not.
  [[nodiscard]] bool is_worth_keeping(const Document& document) const {
    const Node top = root(document);
    if (is_certain_) return true;
    if (is_entry_) return document.errors.empty() && (top.is_mapping() || top.is_sequence());
    if (document.errors.empty()) return top.is_mapping() || (!top.is_null() && breaks_flyte_);
    return must_be_yaml(text_) || must_be_values();
  }

  /// flyteadmin and Argo's tools replace names in their templates and know no directives.
  [[nodiscard]] Braces braces() const {
    const bool are_names = is_patch_ || (is_manifest_ && !is_data_) ||
                           is_cluster_resource_template(text_) ||
                           (are_values_ && is_of_application_set(text_));
    return are_names ? Braces::value : Braces::directive;
  }

 private:
  /// Values that Helm must read unchanged. A ConfigMap's may belong to any program.
  [[nodiscard]] bool must_be_values() const {
    static const RE2 to_be_replaced(R"(\{\{|\$\{|\$\(|\{%|<<)");
    return are_values_ && !is_data_ && !matches(text_.text(), to_be_replaced);
  }

  Node text_;
  bool is_patch_;  // of Argo Workflows
  bool is_manifest_;
  bool is_entry_;  // of a pod or node, or a patch: a whole document
  bool is_data_;
  bool is_certain_;
  bool breaks_flyte_;
  bool are_values_;
};

/// The decoded base64, ignoring blanks; nullopt if it is not base64.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string decoded;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=' || c == '\n' || c == '\r' || c == ' ') continue;
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return decoded;
}

/// The values of a chart in a Secret's `data`, if they concern GPUs.
[[nodiscard]] std::unique_ptr<Document> read_encoded_values(Node text) {
  if (!helm_values_source(text)) return nullptr;
  auto decoded = decode_base64(text.text());
  if (!decoded || !may_concern_gpus(*decoded)) return nullptr;
  auto document = parse_decoded(text, *std::move(decoded));
  return document->errors.empty() && root(*document).is_mapping() ? std::move(document) : nullptr;
}

}  // namespace

std::vector<std::unique_ptr<Document>> embedded_documents(const Document& host,
                                                          const SourceFile& file) {
  std::vector<std::unique_ptr<Document>> found;
  walk(root(host), [&](Node node) {
    const bool is_key = !node.key() && node.parent().is_mapping();
    if (!node.is_scalar() || is_key) return;
    if (is_encoded_entry(node)) {
      if (auto document = read_encoded_values(node)) found.push_back(std::move(document));
      return;
    }
    const EmbeddedText text(node);
    if (!text.is_worth_reading()) return;
    for (auto& document : parse_embedded(node, file, text.braces())) {
      use_variable_defaults(*document);
      if (text.is_worth_keeping(*document)) found.push_back(std::move(document));
    }
  });
  return found;
}

}  // namespace gpulint
