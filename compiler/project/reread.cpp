#include "compiler/project/reread.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/edit/fixer.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/project/task_declarations.h"
#include "frontend/embedded.h"
#include "frontend/python/parse.h"
#include "frontend/relevance.h"
#include "frontend/stream.h"
#include "frontend/variable_defaults.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

/// Whether text of the document is on the line of its `---`. Parsed alone, it would lose that text.
[[nodiscard]] bool begins_behind_marker(const SourceFile& file, const Document& document) {
  const std::string_view before = file.text().substr(0, document.span.begin);
  const std::string_view text = file.text(document.span);
  return before.substr(before.rfind('\n') + 1).starts_with("---") &&
         !trim(text.substr(0, text.find('\n'))).empty();
}

/// The edits inside a document.
[[nodiscard]] std::span<const Edit> edits_of(const Document& document,
                                             std::span<const Edit> edits) {
  const auto begin = std::ranges::lower_bound(edits, document.span.begin, {},
                                              [](const Edit& edit) { return edit.span.begin; });
  auto end = begin;
  while (end != edits.end() && end->span.end <= document.span.end) ++end;
  return {begin, end};
}

/// Rebuilds the documents of one file: edited ones are parsed again, the others are reused.
class FileReader {
 public:
  FileReader(const SourceFile& file, std::span<const Edit> edits, bool groups_pods,
             const Substitutes& substitutes, const std::set<const Document*>& left_out,
             Rereading& result, std::vector<const Document*>& documents)
      : file_(file),
        edits_(edits),
        groups_pods_(groups_pods),
        substitutes_(substitutes),
        left_out_(left_out),
        result_(result),
        documents_(documents) {}

  void read(const std::vector<std::unique_ptr<Document>>& before) {
    const auto edited = edited_documents(file_, before, edits_);
    if (!edited) return parse_all(before);
    bool is_kept = true;  // the last root document, and its embedded documents
    for (const auto& document : before) {
      if (document->host == nullptr) {
        const bool is_edited = edited->contains(document.get());
        is_kept = !is_edited && !left_out_.contains(document.get());
        if (is_edited) parse(document->index, document->span, edits_of(*document, edits_));
      }
      if (is_kept) documents_.push_back(document.get());
    }
  }

 private:
  void parse(std::uint32_t index, Span span, std::span<const Edit> edits) {
    std::vector<Edit> moved(edits.begin(), edits.end());
    for (Edit& edit : moved) {
      edit.span.begin -= span.begin;
      edit.span.end -= span.begin;
    }
    const SourceFile& added = add(apply_edits(file_.text(span), moved));
    for (DocumentText text : split_stream(added.text())) {
      text.index += index;
      parse(added, text);
    }
  }

  /// Parses the whole file again, because edits are between documents.
  void parse_all(const std::vector<std::unique_ptr<Document>>& before) {
    const auto roots =
        std::ranges::count_if(before, [](const auto& each) { return each->host == nullptr; });
    const bool was_read_whole =
        static_cast<std::size_t>(roots) == split_stream(file_.text()).size();
    const SourceFile& added = add(apply_edits(file_.text(), edits_));
    for (const DocumentText& text : split_stream(added.text())) {
      const std::string_view piece = added.text().substr(text.begin, text.end - text.begin);
      if (!was_read_whole && !may_concern_gpus(piece)) continue;
      parse(added, text);
      if (was_read_whole || !is_related_template(*result_.documents.back(), piece)) continue;
      result_.documents.pop_back();
      documents_.pop_back();
    }
  }

  const SourceFile& add(std::string text) {
    return result_.sources.file(
        result_.sources.add(file_.path(), std::move(text), file_.encoding()));
  }

  void parse(const SourceFile& file, const DocumentText& text) {
    const std::size_t begin = result_.documents.size();
    PodsAlike::Counts alike;  // the counts do not change
    result_.documents.push_back(
        parse_document(file, text, {true, groups_pods_ ? &alike : nullptr}));
    use_variable_defaults(*result_.documents.back(), substitutes_);
    auto embedded = embedded_documents(*result_.documents.back(), file);
    for (const auto& each : embedded) use_variable_defaults(*each, substitutes_);
    std::ranges::move(embedded, std::back_inserter(result_.documents));
    for (std::size_t i = begin; i < result_.documents.size(); ++i) {
      documents_.push_back(result_.documents[i].get());
    }
  }

  const SourceFile& file_;
  std::span<const Edit> edits_;  // sorted and disjoint
  bool groups_pods_;
  const Substitutes& substitutes_;
  const std::set<const Document*>& left_out_;
  Rereading& result_;
  std::vector<const Document*>& documents_;
};

/// A Python source after its edits.
struct RereadPython {
  FileId id = 0;
  flyte::PythonTasks tasks;
};

[[nodiscard]] RereadPython reread_python(const SourceFile& file, std::span<const Edit> edits,
                                         Rereading& result) {
  const FileId id =
      result.sources.add(file.path(), apply_edits(file.text(), edits), file.encoding());
  const SourceFile& added = result.sources.file(id);
  return {id, flyte::read_python_tasks(python::parse(added), added)};
}

/// Replaces the Python tasks of the scope by its tasks after the edits.
void replace_tasks(const Project& project, const std::vector<const Document*>& documents,
                   std::map<FileId, RereadPython>& python, Rereading& result, ScopePlan& plan) {
  if (python.empty()) return;
  std::erase_if(plan.settings.tasks,
                [&](Node task) { return project.python.contains(task.span().file); });
  plan.settings.sdk_remarks.clear();
  TaskFiles files = task_files(project.python, plan.files);
  for (auto& [id, tasks] : files) {
    const auto after = python.find(id);
    if (after == python.end()) continue;
    id = after->second.id;
    tasks = &after->second.tasks;
  }
  add_tasks(files, result.sources, documents, plan.settings);
  for (auto& [before, after] : python) {
    if (after.tasks.document) result.documents.push_back(std::move(after.tasks.document));
  }
}

}  // namespace

std::optional<std::set<const Document*>> edited_documents(
    const SourceFile& file, const std::vector<std::unique_ptr<Document>>& documents,
    std::span<const Edit> edits) {
  std::set<const Document*> edited;
  std::size_t used = 0;
  for (const auto& document : documents) {
    if (document->host != nullptr) continue;
    const std::size_t own = edits_of(*document, edits).size();
    if (own == 0) continue;
    if (begins_behind_marker(file, *document)) return std::nullopt;
    used += own;
    edited.insert(document.get());
  }
  return used == edits.size() ? std::optional(std::move(edited)) : std::nullopt;
}

std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                  const std::map<FileId, std::vector<Edit>>& edits,
                                  const Extract& extract) {
  auto result = std::make_unique<Rereading>();
  result->sources = project.sources;
  std::vector<const Document*> documents;
  ScopePlan plan = scope;
  std::map<FileId, RereadPython> python;
  for (const FileId id : scope.files) {
    const auto changed = edits.find(id);
    const std::span<const Edit> own =
        changed == edits.end() ? std::span<const Edit>() : changed->second;
    const std::size_t first = documents.size();
    if (project.python.contains(id)) {
      if (own.empty()) continue;
      python.emplace(id, reread_python(project.sources.file(id), own, *result));
      result->edited.insert(id);
      continue;
    }
    const bool groups_pods = project.pods_alike.total() != 0;
    const Substitutes substitutes = project.substitutes_of(id);
    FileReader(project.sources.file(id), own, groups_pods, substitutes, extract.left_out, *result,
               documents)
        .read(project.documents[id]);
    if (own.empty()) continue;
    result->edited.insert(id);
    result->of_edited.insert(result->of_edited.end(),
                             documents.begin() + static_cast<std::ptrdiff_t>(first),
                             documents.end());
  }
  for (const Document* document : documents) {
    const bool is_kept = document->file < project.sources.size();
    if (is_kept && !extract.nodes->documents.contains(document)) {
      static_cast<void>(project.facts.of(*document));  // once for all trials
    }
  }
  replace_tasks(project, documents, python, *result, plan);
  const Scope* const reviewed = scope.corpus.api == nullptr ? nullptr : &scope;
  result->scope = analyze_scope(std::move(plan), documents, result->sources, *extract.nodes,
                                project.facts, Depth::checked, scope.jobs, reviewed);
  return result;
}

std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                  const std::map<FileId, std::vector<Edit>>& edits) {
  return reread(project, scope, edits, Extract{&project.nodes_shared_by(scope)});
}

std::optional<SharedNodes> merge_equal_nodes(const Scope& scope) {
  if (!scope.corpus.made.empty()) return std::nullopt;  // kustomize builds the Nodes
  SharedNodes merged;
  for (const Document* document : scope.corpus.documents) {
    if (holds_only_nodes(*document)) merged.documents.insert(document);
  }
  std::vector<NodePool> nodes;
  std::ranges::copy_if(
      scope.corpus.cluster.pools, std::back_inserter(nodes),
      [&](const NodePool& pool) { return merged.documents.contains(pool.node.document()); });
  const std::size_t count = nodes.size();
  merged.kinds = find_node_classes(std::move(nodes));
  if (count == 0 || merged.kinds.pools.size() * 2 > count) return std::nullopt;
  return merged;
}

}  // namespace gpulint
