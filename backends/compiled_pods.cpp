#include "backends/compiled_pods.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backends/json.h"
#include "backends/unicode.h"
#include "compiler/base/parallel.h"
#include "compiler/base/text.h"
#include "compiler/flyte/inject.h"
#include "compiler/flyte/pod_manifest.h"
#include "compiler/ir/key_path.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

using flyte::ConfigValue;

/// An unknown amount is null in a pod that is printed for people. JSON leaves it out, because no
/// API server accepts a placeholder.
enum class Unknown : std::uint8_t { left_out, null };

[[nodiscard]] Json json_of(const ConfigValue& value, Unknown unknown = Unknown::left_out) {
  switch (value.kind) {
    case ConfigValue::Kind::null:
      return nullptr;
    case ConfigValue::Kind::boolean:
      return value.boolean;
    case ConfigValue::Kind::integer:
      return value.integer;
    case ConfigValue::Kind::list: {
      Json list = Json::array();
      for (const ConfigValue& item : value.items) list.push_back(json_of(item, unknown));
      return list;
    }
    case ConfigValue::Kind::map: {
      Json object = Json::object();
      for (const auto& entry : value.entries) {
        if (entry.value.is_null() && unknown == Unknown::left_out) continue;
        object[entry.key] = json_of(entry.value, unknown);
      }
      return object;
    }
    case ConfigValue::Kind::unsigned_integer:
    case ConfigValue::Kind::floating:
    case ConfigValue::Kind::string:
    case ConfigValue::Kind::timestamp:
      return value.text;
  }
  return nullptr;
}

/// File and range of a node; null if it is built in or comes from the command line.
void put_place(Node node, const SourceSet& sources, Json& object) {
  if (!node) {
    object["file"] = nullptr;
    object["range"] = nullptr;
    return;
  }
  const Span span = node.span();
  const SourceFile& file = sources.file(span);
  object["file"] = file.path();
  object["range"] = range_json(file, span);
}

/// Without `origin`, which comes last and is printed by print_origins().
[[nodiscard]] Json pod_json(const flyte::CompiledPod& pod, const SourceSet& sources) {
  Json object = {{"task", pod.task},
                 {"flyte", pod.version == FlyteVersion::v2 ? "2" : "1"},
                 {"source", pod.source},
                 {"assumed", pod.assumed}};
  if (!pod.error.empty()) {
    object["error"] = pod.error;
    object["errorStage"] = pod.error_stage;
    Json place = Json::object();
    put_place(pod.error_node, sources, place);
    object["errorPlace"] = std::move(place);
    object["spec"] = nullptr;
    object["labels"] = Json::object();
    return object;
  }
  object["error"] = nullptr;
  object["errorStage"] = nullptr;
  object["spec"] = json_of(flyte::pod_spec_value(pod));
  object["labels"] = json_of(flyte::pod_labels_value(pod));
  return object;
}

[[nodiscard]] std::string json_string(std::string_view text) {
  return escape_hidden(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

void print_position(const SourceFile& file, std::uint32_t offset, std::string& out) {
  const Position at = file.position(offset);
  fmt::format_to(std::back_inserter(out), R"({{"line": {}, "column": {}, "offset": {}}})", at.line,
                 at.column, file.has_lines() ? offset : 0);
}

/// Most of the text is places. Each is printed on one line when it is found.
void print_origins(const std::vector<flyte::Origin>& origins, const SourceSet& sources,
                   std::string& out) {
  std::string_view separator = "";
  for (const flyte::Origin& origin : origins) {
    fmt::format_to(std::back_inserter(out), "{}\n        {}: {{\"file\": ", separator,
                   json_string(origin.pointer));
    separator = ",";
    if (origin.node) {
      const Span span = origin.node.span();
      const SourceFile& file = sources.file(span);
      out += json_string(file.path()) + ", \"range\": {\"start\": ";
      print_position(file, span.begin, out);
      out += ", \"end\": ";
      print_position(file, span.end, out);
      out += '}';
    } else {
      out += "null, \"range\": null";
    }
    fmt::format_to(std::back_inserter(out), ", \"key\": {}}}", json_string(origin.key));
  }
  if (!origins.empty()) out += "\n      ";
}

/// The pod as an item of the document's list.
[[nodiscard]] std::string item_text(const flyte::CompiledPod& pod, const SourceSet& sources) {
  const std::string flat =
      escape_hidden(pod_json(pod, sources).dump(2, ' ', false, Json::error_handler_t::replace));
  std::string text;
  for (std::string_view rest = flat; !rest.empty();) {
    text += "\n    ";
    text += take_part(rest, '\n');
  }
  text.resize(text.size() - std::string_view("\n    }").size());
  text += ",\n      \"origin\": {";
  if (pod.error.empty()) print_origins(pod.origins, sources, text);
  return text + "}\n    }";
}

/// The origin of an item.
struct Comment {
  std::string text;
  Node node;  ///< Null if it is in no file.
};
using Comments = std::unordered_map<std::string, Comment>;  // by JSON pointer into the pod

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

/// One line, whatever the text contains.
[[nodiscard]] std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return printable(text);
}

/// Prints block YAML; the comment of a pointer ends the first line of its value.
class Printer {
 public:
  Printer(const Comments& comments, PodText& out)
      : comments_(comments), out_(out.text), origins_(out.origins) {}

  void print_fields(const Json& object, std::size_t indent) {
    for (auto field = object.begin(); field != object.end(); ++field) {
      out_.append(indent, ' ');
      print_field(field.key(), field.value(), indent, nullptr);
    }
  }

 private:
  /// `comment` belongs to a list's item and precedes the field's own.
  void print_field(const std::string& key, const Json& value, std::size_t indent,
                   const Comment* comment) {
    const std::size_t outer = pointer_.size();
    pointer_ += '/';
    pointer_ += escape_pointer_segment(key);
    if (value.is_null()) {
      const Comment* const own = own_comment();
      fmt::format_to(std::back_inserter(out_), "# {}: computed, {}\n", one_line(key),
                     own == nullptr ? "" : own->text);
    } else {
      append_scalar(key, out_);
      out_ += ':';
      print_value(value, indent + 2, comment == nullptr ? own_comment() : comment);
    }
    pointer_.resize(outer);
  }

  /// The rest of a line that begins with a key or a dash, and the lines below it.
  void print_value(const Json& value, std::size_t indent, const Comment* comment) {
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

  /// A mapping begins on the line of its dash, which has the item's comment.
  void print_item(const Json& item, std::size_t indent) {
    if (!item.is_object() || item.empty()) {
      print_value(item, indent, own_comment());
      return;
    }
    for (auto field = item.begin(); field != item.end(); ++field) {
      const bool is_first = field == item.begin();
      out_.append(is_first ? 1 : indent, ' ');
      print_field(field.key(), field.value(), indent, is_first ? own_comment() : nullptr);
    }
  }

  [[nodiscard]] const Comment* own_comment() const {
    const auto found = comments_.find(pointer_);
    return found == comments_.end() ? nullptr : &found->second;
  }

  void end_line(const Comment* comment) {
    if (comment != nullptr) {
      if (comment->node) origins_.emplace_back(out_.size(), comment->node);
      out_ += "  # ";
      out_ += comment->text;
    }
    out_ += '\n';
  }

  const Comments& comments_;
  std::string& out_;
  std::vector<std::pair<std::size_t, Node>>& origins_;
  std::string pointer_;  // of what is being printed
};

[[nodiscard]] std::string place_text(Node node, const SourceSet& sources) {
  if (!node) return "built in";
  const SourceFile& file = sources.file(node.span());
  const Position at = file.position(node.span().begin);
  return fmt::format("{}:{}:{}", file.path(), at.line, at.column);
}

void print_pod(const flyte::CompiledPod& pod, const Comments& comments, PodText& out) {
  Json metadata = {{"name", pod.task.empty() ? "task" : pod.task}};
  const flyte::ConfigValue labels = flyte::pod_labels_value(pod);
  if (!labels.is_empty()) metadata["labels"] = json_of(labels);
  Json document = {{"apiVersion", "v1"}, {"kind", "Pod"}};
  document["metadata"] = std::move(metadata);
  document["spec"] = json_of(flyte::pod_spec_value(pod), Unknown::null);
  Printer(comments, out).print_fields(document, 0);
}

/// The origin of what is in no file.
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
    comments["/spec" + origin.pointer] = {one_line(fmt::format("{}, {}", origin.key, place)),
                                          origin.node};
  }
  return comments;
}

void print_document(const flyte::CompiledPod& pod, const SourceSet& sources, PodText& out) {
  const std::string name = one_line(pod.task.empty() ? "task" : pod.task);
  out.text += fmt::format("---\n# task {}{}, Flyte {}{}\n", name, pod.assumed ? " (assumed)" : "",
                          pod.version == FlyteVersion::v2 ? "2" : "1",
                          pod.source.empty() ? "" : ", " + one_line(pod.source));
  if (pod.error.empty()) return print_pod(pod, origin_comments(pod, sources), out);
  out.text += fmt::format("# rejected by Flyte ({}): {}\n", pod.error_stage, one_line(pod.error));
  if (pod.error_node) {
    out.text += fmt::format("#   at {}\n", one_line(place_text(pod.error_node, sources)));
  }
}

}  // namespace

void emit_compiled_json(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs) {
  const auto text_of = [&](std::size_t i) { return item_text(*pods[i], sources); };
  const std::vector<std::string> texts = parallel_map(pods.size(), jobs, text_of);
  out << "{\n  \"version\": 1,\n  \"pods\": [";
  for (std::size_t i = 0; i < texts.size(); ++i) out << (i == 0 ? "" : ",") << texts[i];
  out << (texts.empty() ? "" : "\n  ") << "]\n}\n";
}

void emit_compiled_yaml(const std::vector<const flyte::CompiledPod*>& pods,
                        const SourceSet& sources, std::ostream& out, unsigned jobs) {
  const auto text_of = [&](std::size_t i) {
    PodText made;
    print_document(*pods[i], sources, made);
    return std::move(made.text);
  };
  for (const std::string& text : parallel_map(pods.size(), jobs, text_of)) out << text;
}

PodText compiled_yaml(const std::vector<const flyte::CompiledPod*>& pods,
                      const SourceSet& sources) {
  PodText made;
  for (const flyte::CompiledPod* pod : pods) print_document(*pod, sources, made);
  return made;
}

CompiledPod report_pod(const flyte::CompiledPod& pod, const SourceSet& sources) {
  CompiledPod shown;
  shown.task = pod.assumed ? pod.task + " (assumed)" : pod.task;
  shown.flyte_version = pod.version == FlyteVersion::v2 ? "2" : "1";
  shown.error = pod.error;
  PodText made;
  if (pod.error.empty()) print_pod(pod, origin_comments(pod, sources), made);
  shown.yaml = std::move(made.text);
  return shown;
}

}  // namespace gpulint
