#include "compiler/project/stream_origins.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/project/input_files.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {
namespace {

constexpr std::string_view source_mark = "# Source: ";
constexpr auto path_annotations = std::to_array<std::string_view>(
    {"internal.config.kubernetes.io/path", "config.kubernetes.io/path"});
constexpr std::string_view origin_annotation = "config.kubernetes.io/origin";

/// Whether a file is standard input or the shell's `<(command)`.
[[nodiscard]] bool is_piped(const Request& request, const SourceFile& file) {
  const std::string& path = file.path();
  return overlay_name(request, file) == "-" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/") || path == "/dev/stdin";
}

[[nodiscard]] const Document* document_at(const Project& project, Span place) {
  if (place.file >= project.documents.size()) return nullptr;
  const Span begin{place.file, place.begin, place.begin};
  for (const auto& document : project.documents[place.file]) {
    if (document->host == nullptr && document->span.contains(begin)) return document.get();
  }
  return nullptr;
}

[[nodiscard]] std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// The file in the last `# Source:` above the content. Templates without output also write theirs.
[[nodiscard]] std::string_view source_comment(std::string_view text) {
  std::string_view source;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with(source_mark)) source = line.substr(source_mark.size());
    if (!line.empty() && line.front() != '#' && line != "---") break;
  }
  return source;
}

/// The value of `path: deploy.yaml` in the lines that kustomize writes.
[[nodiscard]] std::string_view path_in_origin(std::string_view text) {
  constexpr std::string_view key = "path: ";
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line.starts_with(key)) return line.substr(key.size());
  }
  return {};
}

[[nodiscard]] std::string_view annotated_file(Node object) {
  const Node annotations = object.at("metadata", "annotations");
  for (const std::string_view key : path_annotations) {
    if (const std::string_view path = annotations.get(key).text(); !path.empty()) return path;
  }
  return path_in_origin(annotations.get(origin_annotation).text());
}

[[nodiscard]] Node object_in(Node object, Span place) {
  if (!object.get("kind").text().ends_with("List")) return object;
  for (const Node item : object.get("items").items()) {
    if (item.span().contains(place)) return object_in(item, place);
  }
  return object;
}

[[nodiscard]] std::optional<StreamOrigin> find_origin(const Project& project, Span place) {
  const Document* const document = document_at(project, place);
  if (document == nullptr) return std::nullopt;
  const Node whole = root(*document).resolved();
  const Node object = object_in(whole, {place.file, place.begin, place.begin});
  const Span span = object == whole ? document->span : object.span();
  std::string_view file = annotated_file(object);
  if (file.empty()) file = source_comment(project.sources.text(document->span));
  if (file.empty()) return std::nullopt;
  return StreamOrigin{span, std::string(file)};
}

}  // namespace

Node object_at(const Project& project, Span place) {
  const Document* const document = document_at(project, place);
  if (document == nullptr) return {};
  return object_in(root(*document).resolved(), {place.file, place.begin, place.begin});
}

std::vector<StreamOrigin> find_origins(const Project& project, const Request& request,
                                       const std::vector<Diagnostic>& findings) {
  std::map<Span, std::string> known;
  const auto add = [&](Span place) {
    if (!is_piped(request, project.sources.file(place))) return;
    if (auto origin = find_origin(project, place)) known.try_emplace(origin->span, origin->file);
  };
  for (const Diagnostic& finding : findings) {
    add(finding.span);
    for (const Label& label : finding.related) add(label.span);
  }
  std::vector<StreamOrigin> origins;
  for (auto& [span, file] : known) origins.push_back({span, file});
  return origins;
}

}  // namespace gpulint
