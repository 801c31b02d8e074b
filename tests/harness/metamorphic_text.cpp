#include "tests/harness/metamorphic_text.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "compiler/base/source_file.h"
#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/metamorphic_tree.h"
#include "tests/harness/yaml_tree.h"

namespace gpulint::test {
namespace {

constexpr std::string_view comment = "# nvidia.com/gpu: \"0.5\" # {key: value}";

constexpr std::string_view service = R"(apiVersion: v1
kind: Service
metadata:
  name: unrelated-frontend
spec:
  selector: {app.kubernetes.io/name: unrelated-frontend}
  ports:
  - port: 80
)";

constexpr std::string_view definition = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
)";

constexpr std::string_view values = R"(replicaCount: 1
image:
  repository: nginx
  tag: "1.27"
service: {type: ClusterIP, port: 80}
resources: {}
nodeSelector: {}
tolerations: []
)";

/// Where scalars go on over line breaks, as pairs of offsets.
[[nodiscard]] std::vector<Span> long_scalars(const SourceFile& file) {
  std::vector<Span> spans;
  for (const auto& document : parse_file(file)) {
    if (!document->errors.empty() || document->is_template) return {file.whole()};
    walk(root(*document), [&](Node node) {
      const bool has_breaks = file.text(node.span()).find('\n') != std::string_view::npos;
      if (node.is_scalar() && has_breaks) spans.push_back(node.span());
    });
  }
  return spans;
}

/// Calls `add(out, line)` for each line (without its break) whose end is not inside of a scalar.
[[nodiscard]] std::string change_lines(
    const std::string& text, const std::function<void(std::string&, std::string_view)>& add) {
  const SourceFile file(0, "input.yaml", text);
  const std::vector<Span> scalars = long_scalars(file);
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool is_inside = std::ranges::any_of(
        scalars, [&](Span span) { return span.begin <= end && begin <= span.end; });
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (is_inside) {
      out += line;
    } else {
      add(out, line);
    }
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

[[nodiscard]] bool is_marker(std::string_view line) {
  return line.starts_with("---") || line.starts_with("...") || line.starts_with('%');
}

[[nodiscard]] bool ends_line(const std::string& text) { return text.ends_with('\n'); }

[[nodiscard]] bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Objects of JSON one behind the other. Kubernetes takes them for a stream only where the very
/// first character is a brace: nothing may stand before it.
[[nodiscard]] bool is_stream_of_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') return false;
  return parse_file(SourceFile(0, "input.yaml", text)).size() > 1;
}

/// More than comments and blank lines, behind which no document ends.
[[nodiscard]] bool holds_document(std::string_view text) {
  for (std::size_t at = 0; at < text.size();
       at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    const std::size_t first = text.find_first_not_of(" \t\r", at);
    if (first < text.size() && text[first] != '#' && text[first] != '\n') return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> with_crlf(const std::string& text) {
  if (text.find('\r') != std::string::npos) return std::nullopt;
  std::string out;
  for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return out;
}

std::optional<std::string> with_byte_order_mark(const std::string& text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.starts_with(mark) || is_stream_of_json(text)) return std::nullopt;
  return std::string(mark) + text;
}

std::optional<std::string> with_leading_marker(const std::string& text) {
  const auto holds = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (is_stream_of_json(text)) return std::nullopt;
  if (is_marker(text) || holds("\n---") || holds("\n...") || holds("\n%")) return std::nullopt;
  return "---\n" + text;
}

std::optional<std::string> with_trailing_marker(const std::string& text) {
  if (!ends_line(text) || !holds_document(text)) return std::nullopt;
  return text + "...\n";
}

std::optional<std::string> without_final_newline(const std::string& text) {
  if (!ends_line(text)) return std::nullopt;
  return text.substr(0, text.size() - (text.ends_with("\r\n") ? 2 : 1));
}

std::optional<std::string> with_comment_lines(const std::string& text) {
  if (is_stream_of_json(text)) return std::nullopt;
  return change_lines(text, [](std::string& out, std::string_view line) {
    // A line of blanks may belong to the literal above.
    if (!is_marker(line) && !is_blank(line)) out.append(comment).append("\n");
    out += line;
  });
}

std::optional<std::string> with_end_comments(const std::string& text) {
  if (is_stream_of_json(text)) return std::nullopt;
  return change_lines(text, [](std::string& out, std::string_view line) {
    const bool has_return = line.ends_with('\r');
    if (has_return) line.remove_suffix(1);
    out += line;
    if (!is_blank(line) && !is_marker(line)) out.append(" ").append(comment);
    if (has_return) out += '\r';
  });
}

std::optional<std::string> with_blank_lines(const std::string& text) {
  const auto holds = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  if (holds("|+") || holds(">+")) return std::nullopt;  // blank lines behind it belong to it
  return change_lines(text, [](std::string& out, std::string_view line) {
    if (!is_marker(line) && !is_blank(line)) out += "\n  \n";
    out += line;
  });
}

std::optional<std::string> indented_by_two(const std::string& text) {
  const SourceFile file(0, "input.yaml", text);
  for (const auto& document : parse_file(file)) {
    if (!document->errors.empty() || document->is_template) return std::nullopt;
  }
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (!is_marker(line) && line != "\n") out += "  ";
    out += line;
    begin = end;
  }
  return out;
}

std::optional<std::string> with_documents_before(const std::string& text) {
  if (!holds_objects(text)) return std::nullopt;
  return std::string(service) + "---\n" + std::string(definition) + "---\n" + text;
}

std::optional<std::string> with_documents_behind(const std::string& text) {
  if (!holds_objects(text) || !ends_line(text)) return std::nullopt;
  return text + "---\n" + std::string(definition) + "---\n" + std::string(service);
}

std::optional<std::string> with_empty_documents(const std::string& text) {
  if (!holds_objects(text) || !ends_line(text)) return std::nullopt;
  return "---\n# nothing\n---\n\n---\n" + text + "---\n# nothing\n---\n";
}

Inputs unrelated_files() {
  return {{"unrelated-service.yaml", std::string(service)},
          {"unrelated-definition.yaml", std::string(definition)},
          {"unrelated-values.yaml", std::string(values)},
          {"unrelated-notes.yaml", "# nothing but words\n"},
          {"unrelated-empty.yaml", ""}};
}

}  // namespace gpulint::test
