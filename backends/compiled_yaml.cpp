#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "backends/pod_json.h"
#include "compiler/base/text.h"
#include "compiler/ir/json_pointer.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;
using Comments = std::map<std::string, std::string>;

[[nodiscard]] bool is_plain(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (text.empty() || letters.find(text.front()) == std::string_view::npos) return false;
  for (const std::string_view word :
       {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}) {
    if (text.size() == word.size() && equal_fold(text, word)) return false;
  }
  const auto is_safe = [&](char c) {
    return letters.find(c) != std::string_view::npos || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '/';
  };
  return std::ranges::all_of(text, is_safe);
}

[[nodiscard]] std::string scalar_text(const Json& value) {
  if (value.is_string() && is_plain(value.get_ref<const std::string&>())) {
    return value.get<std::string>();
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

[[nodiscard]] std::string key_text(const std::string& key) {
  return is_plain(key) ? key : Json(key).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Prints block YAML; the comment of a pointer ends the first line of its value.
class Printer {
 public:
  Printer(const Comments& comments, std::ostream& out) : comments_(comments), out_(out) {}

  /// `lead` is what stands before the value on its first line.
  void print(const Json& value, const std::string& pointer, std::size_t indent,
             const std::string& lead, const std::string& outer_comment = "") {
    const std::string comment = outer_comment.empty() ? comment_of(pointer) : outer_comment;
    if (value.is_structured() && value.empty()) {
      out_ << lead << (value.is_array() ? " []" : " {}") << comment << '\n';
    } else if (value.is_array()) {
      out_ << lead << comment << '\n';
      for (std::size_t i = 0; i < value.size(); ++i) {
        print_item(value[i], fmt::format("{}/{}", pointer, i), indent);
      }
    } else if (value.is_object()) {
      out_ << lead << comment << '\n';
      print_fields(value, pointer, indent, std::string(indent, ' '));
    } else {
      out_ << lead << ' ' << scalar_text(value) << comment << '\n';
    }
  }

 private:
  [[nodiscard]] std::string comment_of(const std::string& pointer) const {
    const auto found = comments_.find(pointer);
    return found == comments_.end() ? "" : "  # " + found->second;
  }

  /// The first line of a list's item carries the item's comment.
  void print_fields(const Json& object, const std::string& pointer, std::size_t indent,
                    std::string first_lead) {
    std::string comment = comment_of(pointer);
    for (const auto& [key, value] : object.items()) {
      const std::string lead = std::exchange(first_lead, std::string(indent, ' '));
      print(value, pointer + "/" + escape_pointer_segment(key), indent + 2,
            lead + key_text(key) + ":", std::exchange(comment, ""));
    }
  }

  void print_item(const Json& item, const std::string& pointer, std::size_t indent) {
    const std::string lead(indent, ' ');
    if (!item.is_object() || item.empty()) {
      print(item, pointer, indent + 2, lead + "-");
    } else {
      print_fields(item, pointer, indent + 2, lead + "- ");
    }
  }

  const Comments& comments_;
  std::ostream& out_;
};

[[nodiscard]] std::string place_text(Node node, const SourceSet& sources) {
  if (!node) return "built in";
  const SourceFile& file = sources.file(node.span());
  const Position at = file.position(node.span().begin);
  return fmt::format("{}:{}:{}", file.path(), at.line, at.column);
}

/// One line, whatever the text holds.
[[nodiscard]] std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

void print_pod(const flyte::CompiledPod& pod, const Comments& comments, std::ostream& out) {
  Json metadata = {{"name", pod.task.empty() ? "task" : pod.task}};
  if (Json labels = pod_labels_json(pod); !labels.empty()) metadata["labels"] = std::move(labels);
  const Json document = {
      {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", metadata}, {"spec", pod_spec_json(pod)}};
  Printer printer(comments, out);
  for (const auto& [key, value] : document.items()) {
    printer.print(value, "/" + key, 2, key + ":");
  }
}

[[nodiscard]] Comments origin_comments(const flyte::CompiledPod& pod, const SourceSet& sources) {
  Comments comments;
  for (const flyte::Origin& origin : pod.origins) {
    const bool from_command_line = !origin.node && origin.key.starts_with("task.");
    comments["/spec" + origin.pointer] = one_line(
        fmt::format("{}, {}", origin.key,
                    from_command_line ? "command line" : place_text(origin.node, sources)));
  }
  return comments;
}

}  // namespace

void emit_compiled_yaml(const std::vector<flyte::CompiledPod>& pods, const SourceSet& sources,
                        std::ostream& out) {
  for (const flyte::CompiledPod& pod : pods) {
    out << "---\n";
    const std::string name = one_line(pod.task.empty() ? "task" : pod.task);
    out << fmt::format("# task {}{}, Flyte {}{}\n", name, pod.assumed ? " (assumed)" : "",
                       pod.version == FlyteVersion::v2 ? "2" : "1",
                       pod.source.empty() ? "" : ", " + one_line(pod.source));
    if (pod.error.empty()) {
      print_pod(pod, origin_comments(pod, sources), out);
      continue;
    }
    out << fmt::format("# refused by Flyte ({}): {}\n", pod.error_stage, one_line(pod.error));
    if (pod.error_node) out << "#   at " << one_line(place_text(pod.error_node, sources)) << '\n';
  }
}

CompiledPod report_pod(const flyte::CompiledPod& pod) {
  CompiledPod shown;
  shown.task = pod.assumed ? pod.task + " (assumed)" : pod.task;
  shown.flyte_version = pod.version == FlyteVersion::v2 ? "2" : "1";
  shown.error = pod.error;
  if (!pod.error.empty()) return shown;
  std::ostringstream yaml;
  print_pod(pod, {}, yaml);
  shown.yaml = std::move(yaml).str();
  for (const flyte::Origin& origin : pod.origins) {
    const Span span = origin.node ? origin.node.span() : Span{};
    shown.origins.push_back({origin.pointer, origin.key, span, static_cast<bool>(origin.node)});
  }
  return shown;
}

}  // namespace gpulint
