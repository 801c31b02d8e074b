#include "rules/duplicate-key/separator.h"

#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/layout.h"
#include "rules/duplicate-key/merge.h"

namespace gpulint::rules::duplicate_key {
namespace {

/// Whether the keys are those of an object: both that name its type, and others.
[[nodiscard]] bool is_object(const std::set<std::string_view>& keys) {
  return keys.contains("apiVersion") && keys.contains("kind") && keys.size() > 2;
}

}  // namespace

std::vector<Node> objects_run_together(Node mapping) {
  if (mapping.parent() || mapping.style() != Style::block) return {};
  std::vector<Node> begins;
  std::set<std::string_view> keys;
  bool has_repeated = false;  // another key before the types: where the object begins is unknown
  for (const auto& [key, value] : mapping.entries()) {
    const bool is_new = keys.insert(key.text()).second;
    if (!is_new && (key.text() == "apiVersion" || key.text() == "kind")) {
      if (!is_object(keys) || has_repeated) return {};
      keys = {key.text()};
      begins.push_back(key);
    } else if (!is_new) {
      has_repeated = true;
    }
  }
  return is_object(keys) ? begins : std::vector<Node>{};
}

void report_missing_separator(const Corpus& corpus, Reporter& reporter, Node key, Node first) {
  const Layout layout(*corpus.sources, key);
  const std::uint32_t line = comments_above(layout, key).begin;
  const SourceFile& file = corpus.sources->file(key.document()->file);
  std::vector<Edit> edits;
  if (layout.editable() && key.document()->host == nullptr) {
    edits.push_back({layout.span(line, line), fmt::format("---{}", layout.line_break())});
  }
  reporter.report(key, "`---` is missing before line {}", file.position(key.span().begin).line)
      .related(first, "the first object begins here")
      .help("kubectl and Helm read one object here and keep the last value of each key")
      .fix(Safety::unsafe, "insert `---`", std::move(edits));
}

}  // namespace gpulint::rules::duplicate_key
