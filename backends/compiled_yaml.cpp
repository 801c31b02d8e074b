#include <algorithm>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "backends/compiled_pods.h"
#include "backends/pod_json.h"
#include "backends/unicode.h"
#include "compiler/base/parallel.h"
#include "compiler/base/text.h"
#include "compiler/ir/key_path.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;
using Comments = std::unordered_map<std::string, std::string>;  // by JSON pointer into the pod

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

void append_scalar(const Json& value, std::string& out) {
  if (value.is_string() && is_plain(value.get_ref<const std::string&>())) {
    out += value.get_ref<const std::string&>();
  } else {
    out += escape_hidden(value.dump(-1, ' ', false, Json::error_handler_t::replace),
                         EscapeSyntax::yaml);
  }
}

/// Prints block YAML; the comment of a pointer ends the first line of its value.
class Printer {
 public:
  Printer(const Comments& comments, std::string& out) : comments_(comments), out_(out) {}

  void print_fields(const Json& object, std::size_t indent) {
    for (auto field = object.begin(); field != object.end(); ++field) {
      out_.append(indent, ' ');
      print_field(field.key(), field.value(), indent, "");
    }
  }

 private:
  /// `comment`, of a list's item, goes before that of the field itself.
  void print_field(const std::string& key, const Json& value, std::size_t indent,
                   std::string_view comment) {
    const std::size_t outer = pointer_.size();
    pointer_ += '/';
    pointer_ += escape_pointer_segment(key);
    append_scalar(key, out_);
    out_ += ':';
    print_value(value, indent + 2, comment.empty() ? own_comment() : comment);
    pointer_.resize(outer);
  }

  /// The rest of a line that begins with a key or a dash, and the lines below it.
  void print_value(const Json& value, std::size_t indent, std::string_view comment) {
    if (value.is_structured() && value.empty()) {
      out_ += value.is_array() ? " []" : " {}";
      end_line(comment);
    } else if (value.is_array()) {
      end_line(comment);
      print_items(value, indent);
    } else if (value.is_object()) {
      end_line(comment);
      print_fields(value, indent);
    } else {
      out_ += ' ';
      append_scalar(value, out_);
      end_line(comment);
    }
  }

  void print_items(const Json& list, std::size_t indent) {
    const std::size_t outer = pointer_.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      fmt::format_to(std::back_inserter(pointer_), "/{}", i);
      out_.append(indent, ' ');
      out_ += '-';
      print_item(list[i], indent + 2);
      pointer_.resize(outer);
    }
  }

  /// A mapping begins on the line of its dash, which carries the item's comment.
  void print_item(const Json& item, std::size_t indent) {
    if (!item.is_object() || item.empty()) {
      print_value(item, indent, own_comment());
      return;
    }
    for (auto field = item.begin(); field != item.end(); ++field) {
      const bool is_first = field == item.begin();
      out_.append(is_first ? 1 : indent, ' ');
      print_field(field.key(), field.value(), indent, is_first ? own_comment() : "");
    }
  }

  [[nodiscard]] std::string_view own_comment() const {
    const auto found = comments_.find(pointer_);
    return found == comments_.end() ? std::string_view() : found->second;
  }

  void end_line(std::string_view comment) {
    if (!comment.empty()) {
      out_ += "  # ";
      out_ += comment;
    }
    out_ += '\n';
  }

  const Comments& comments_;
  std::string& out_;
  std::string pointer_;  // of what is being printed
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
  return printable(text);
}

void print_pod(const flyte::CompiledPod& pod, const Comments& comments, std::string& out) {
  Json metadata = {{"name", pod.task.empty() ? "task" : pod.task}};
  if (Json labels = pod_labels_json(pod); !labels.empty()) metadata["labels"] = std::move(labels);
  Json document = {{"apiVersion", "v1"}, {"kind", "Pod"}};
  document["metadata"] = std::move(metadata);
  document["spec"] = pod_spec_json(pod);
  Printer(comments, out).print_fields(document, 0);
}

/// Where that comes from which no file holds.
[[nodiscard]] std::string_view unwritten_origin(const flyte::CompiledPod& pod,
                                                const flyte::Origin& origin) {
  if (!origin.key.starts_with("task.")) return "built in";
  return pod.assumed ? "assumed" : "command line";
}

[[nodiscard]] Comments origin_comments(const flyte::CompiledPod& pod, const SourceSet& sources) {
  Comments comments;
  for (const flyte::Origin& origin : pod.origins) {
    const std::string place =
        origin.node ? place_text(origin.node, sources) : std::string(unwritten_origin(pod, origin));
    comments["/spec" + origin.pointer] = one_line(fmt::format("{}, {}", origin.key, place));
  }
  return comments;
}

[[nodiscard]] std::string document_text(const flyte::CompiledPod& pod, const SourceSet& sources) {
  const std::string name = one_line(pod.task.empty() ? "task" : pod.task);
  std::string text =
      fmt::format("---\n# task {}{}, Flyte {}{}\n", name, pod.assumed ? " (assumed)" : "",
                  pod.version == FlyteVersion::v2 ? "2" : "1",
                  pod.source.empty() ? "" : ", " + one_line(pod.source));
  if (pod.error.empty()) {
    print_pod(pod, origin_comments(pod, sources), text);
    return text;
  }
  text += fmt::format("# refused by Flyte ({}): {}\n", pod.error_stage, one_line(pod.error));
  if (pod.error_node) {
    text += fmt::format("#   at {}\n", one_line(place_text(pod.error_node, sources)));
  }
  return text;
}

}  // namespace

void emit_compiled_yaml(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs) {
  const auto text_of = [&](std::size_t i) { return document_text(*pods[i], sources); };
  for (const std::string& text : parallel_map(pods.size(), jobs, text_of)) out << text;
}

CompiledPod report_pod(const flyte::CompiledPod& pod, const SourceSet& sources) {
  CompiledPod shown;
  shown.task = pod.assumed ? pod.task + " (assumed)" : pod.task;
  shown.flyte_version = pod.version == FlyteVersion::v2 ? "2" : "1";
  shown.error = pod.error;
  if (pod.error.empty()) print_pod(pod, origin_comments(pod, sources), shown.yaml);
  return shown;
}

}  // namespace gpulint
