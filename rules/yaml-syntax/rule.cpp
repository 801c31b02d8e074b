#include "compiler/engine/rule.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "compiler/ir/kubernetes_json.h"

namespace gpulint::rules::yaml_syntax {
namespace {

/// Whether Kubernetes, Helm or Flyte read the document, by its keys or the name of its file.
[[nodiscard]] bool is_read_by_go(const SourceSet& sources, const Document& document) {
  const Node top = root(document);
  if (document.host != nullptr || top.get("apiVersion") || top.get("kind")) return true;
  if (flyte::recognize(document).kind != flyte::DocumentKind::none) return true;
  const std::string_view path = sources.file(document.span).path();
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("values") || name.starts_with("kustomization.") || name == "Chart.yaml";
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

void check_syntax(const Corpus& corpus, const Document& document, Reporter& reporter) {
  for (const SyntaxError& error : document.errors) {
    const bool is_dialect = error.kind == SyntaxError::Kind::dialect;
    if (error.kind != SyntaxError::Kind::syntax && !is_dialect) continue;
    if (is_dialect && !is_read_by_go(*corpus.sources, document)) continue;
    const bool is_mark = corpus.sources->text(error.span) == byte_order_mark;
    reporter.report_span(error.span, {}, "not valid YAML: {}", error.message)
        .help("{}. Otherwise gpulint does not check this document",
              is_mark ? "remove the invisible character at the start of the text"
                      : "correct the syntax at or before the marked place");
  }
}

/// Whether the document was read completely and has the fields of a Kubernetes object.
[[nodiscard]] bool is_manifest(const Document& document) {
  const bool is_read = document.errors.empty() && !document.is_template &&
                       !document.has_masked_placeholders && document.host == nullptr;
  const Node top = root(document);
  return is_read && (top.get("apiVersion") || (top.get("kind") && top.get("metadata")));
}

/// Whether a plain key may be invalid in JSON: null in all its spellings, `<<`, `.inf`, `.nan`.
[[nodiscard]] bool may_be_no_key(std::string_view text) {
  return text.size() <= 4 && (text.size() < 2 || text == "<<" || text.starts_with('.') ||
                              text == "null" || text == "Null" || text == "NULL");
}

/// A quick test whether JSON may have no form for the node.
[[nodiscard]] bool may_lack_json(const Document& document, const NodeData& node) {
  if (node.kind == NodeKind::alias || node.properties != UINT32_MAX) return true;
  const bool is_key = node.parent != no_node && node.key == no_node &&
                      document.nodes[node.parent].kind == NodeKind::mapping;
  if (node.kind != NodeKind::scalar) return is_key;
  if (node.style != Style::plain) return false;
  if (is_key) return may_be_no_key(node.text);
  return node.text.size() <= 5 && node.text.find('.') != std::string_view::npos;
}

/// Reports YAML that Kubernetes cannot convert into JSON.
void check_json(const Document& document, Reporter& reporter) {
  const bool may_lack = std::ranges::any_of(
      document.nodes, [&](const NodeData& node) { return may_lack_json(document, node); });
  if (!may_lack) return;
  const KubernetesJson json = to_kubernetes_json(document);
  if (!json.error || !json.error->node) return;
  reporter.report(json.error->node, "Kubernetes cannot read this document: {}", json.error->message)
      .help(
          "correct the marked text. Otherwise kubectl and Helm reject the document, because they "
          "cannot convert the document to JSON");
}

/// Reports text after `---`, where kubectl accepts only a comment.
void check_separators(const SourceFile& file, Reporter& reporter) {
  const std::string_view text = file.text();
  constexpr std::string_view marker = "---";
  for (std::size_t at = text.find(marker); at < text.size(); at = text.find(marker, at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    const std::size_t begin = at + marker.size();
    const std::size_t first = text.find_first_not_of(" \t\r\f\v", begin);
    if (first == std::string_view::npos || text[first] == '\n' || text[first] == '#') continue;
    const std::size_t end = std::min(text.find_first_of("\r\n", first), text.size());
    const Span where{file.id(), static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)};
    reporter.report_span(where, {}, "kubectl accepts only a comment after `---` on the same line")
        .help("move the text after `---` to the next line");
    return;
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::set<FileId> manifests;
  std::set<FileId> broken;
  for (const Document* document : corpus.written) {
    check_syntax(corpus, *document, reporter);
    if (!document->errors.empty() && document->host == nullptr) broken.insert(document->file);
    if (!is_manifest(*document)) continue;
    manifests.insert(document->file);
    check_json(*document, reporter);
  }
  for (const FileId file : manifests) {
    if (!broken.contains(file)) check_separators(corpus.sources->file(file), reporter);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "reading"}, .check = check, .depends_on = DependsOn::file};

}  // namespace gpulint::rules::yaml_syntax
