#include "compiler/driver/reread.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "compiler/model/lower.h"
#include "frontend/embedded.h"
#include "frontend/relevance.h"
#include "frontend/stream.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

void copy_sources(const Project& project, const Scope& scope,
                  const std::map<FileId, std::string>& texts, SourceSet& sources) {
  std::set<FileId> wanted(scope.files.begin(), scope.files.end());
  for (const auto& document : project.config_documents) wanted.insert(document->file);
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const SourceFile& file = project.sources.file(id);
    std::string text;
    if (const auto changed = texts.find(id); changed != texts.end()) {
      text = changed->second;
    } else if (wanted.contains(id)) {
      text = file.text();
    }
    sources.add(file.path(), std::move(text), file.encoding());
  }
}

/// Whether every document of the file was kept, what concerns no GPUs included.
[[nodiscard]] bool was_read_whole(const Project& project, FileId id) {
  const auto kept = std::ranges::count_if(
      project.documents[id], [](const auto& document) { return document->host == nullptr; });
  return static_cast<std::size_t>(kept) == split_stream(project.sources.file(id).text()).size();
}

void parse_changed(const SourceFile& file, bool whole,
                   std::vector<std::unique_ptr<Document>>& documents) {
  for (const DocumentText& text : split_stream(file.text())) {
    if (!whole && !may_concern_gpus(file.text().substr(text.begin, text.end - text.begin)))
      continue;
    documents.push_back(parse_document(file, text));
    auto embedded = embedded_documents(*documents.back(), file);
    std::ranges::move(embedded, std::back_inserter(documents));
  }
}

}  // namespace

std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                  const std::map<FileId, std::string>& texts) {
  auto result = std::make_unique<Rereading>();
  copy_sources(project, scope, texts, result->sources);
  std::vector<const Document*> documents;
  for (const FileId id : scope.files) {
    if (!texts.contains(id)) {
      for (const auto& document : project.documents[id]) documents.push_back(document.get());
      continue;
    }
    const std::size_t begin = result->documents.size();
    parse_changed(result->sources.file(id), was_read_whole(project, id), result->documents);
    for (std::size_t i = begin; i < result->documents.size(); ++i) {
      documents.push_back(result->documents[i].get());
    }
  }
  result->scope.name = scope.name;
  result->scope.files = scope.files;
  result->scope.shared_nodes = scope.shared_nodes;
  result->scope.settings = scope.settings;
  result->scope.corpus = lower_scope(result->sources, result->scope, documents);
  analyze_corpus(result->scope);
  return result;
}

Corpus lower_scope(const SourceSet& sources, const Scope& scope,
                   const std::vector<const Document*>& documents) {
  std::vector<const Document*> own;
  std::vector<const Document*> nodes;
  for (const Document* document : documents) {
    const bool is_shared =
        std::ranges::find(scope.shared_nodes, document->file) != scope.shared_nodes.end();
    (is_shared && holds_only_nodes(*document) ? nodes : own).push_back(document);
  }
  return lower(sources, scope.settings, std::move(own), nodes);
}

void analyze_corpus(Scope& scope) {
  scope.flyte = flyte::analyze(scope.corpus);
  scope.corpus.flyte = &scope.flyte;
  for (const flyte::Installation& installation : scope.flyte.installations) {
    for (const flyte::CompiledPod& pod : installation.pods) {
      if (pod.error.empty()) scope.corpus.compiled.push_back(pod.workload);
    }
  }
  scope.api = review_objects(scope.corpus);
  scope.corpus.api = &scope.api;
  scope.diagnosis = diagnose(scope.corpus);
  scope.corpus.diagnosis = &scope.diagnosis;
}

}  // namespace gpulint
