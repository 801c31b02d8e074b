#include "compiler/driver/reread.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/model/lower.h"
#include "frontend/embedded.h"
#include "frontend/relevance.h"
#include "frontend/stream.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

void copy_sources(const Project& project, const Scope& scope, SourceSet& sources) {
  std::set<FileId> wanted(scope.files.begin(), scope.files.end());
  for (const auto& document : project.config_documents) wanted.insert(document->file);
  for (FileId id = 0; id < project.sources.size(); ++id) {
    const SourceFile& file = project.sources.file(id);
    sources.add(file.path(), wanted.contains(id) ? std::string(file.text()) : std::string(),
                file.encoding());
  }
}

/// Puts the documents of one file together: what differs is parsed, the rest stays as it is.
class FileReader {
 public:
  FileReader(const Project& project, FileId id, Rereading& result,
             std::vector<const Document*>& documents)
      : old_text_(project.sources.file(id).text()),
        old_documents_(project.documents[id]),
        result_(result),
        documents_(documents) {
    for (std::size_t i = 0; i < old_documents_.size(); ++i) {
      if (old_documents_[i]->host == nullptr) roots_.emplace(old_documents_[i]->index, i);
    }
  }

  void read(const SourceFile& file) {
    const std::vector<DocumentText> before = split_stream(old_text_);
    const std::vector<DocumentText> after = split_stream(file.text());
    const bool was_read_whole = roots_.size() == before.size();
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::string_view text = text_of(after[i], file.text());
      if (before.size() == after.size() && text == text_of(before[i], old_text_)) {
        keep(before[i].index);
      } else if (was_read_whole || may_concern_gpus(text)) {
        parse(file, after[i]);
      }
    }
  }

 private:
  [[nodiscard]] static std::string_view text_of(const DocumentText& document,
                                                std::string_view stream) {
    return stream.substr(document.begin, document.end - document.begin);
  }

  /// The document, unless it was left unread, and those embedded in it.
  void keep(std::uint32_t index) {
    const auto root = roots_.find(index);
    if (root == roots_.end()) return;
    std::size_t at = root->second;
    do {
      documents_.push_back(old_documents_[at++].get());
    } while (at < old_documents_.size() && old_documents_[at]->host != nullptr);
  }

  void parse(const SourceFile& file, const DocumentText& text) {
    const std::size_t begin = result_.documents.size();
    result_.documents.push_back(parse_document(file, text));
    auto embedded = embedded_documents(*result_.documents.back(), file);
    std::ranges::move(embedded, std::back_inserter(result_.documents));
    for (std::size_t i = begin; i < result_.documents.size(); ++i) {
      documents_.push_back(result_.documents[i].get());
    }
  }

  std::string_view old_text_;
  const std::vector<std::unique_ptr<Document>>& old_documents_;
  std::map<std::uint32_t, std::size_t> roots_;  // where those of the stream are, by their index
  Rereading& result_;
  std::vector<const Document*>& documents_;
};

}  // namespace

std::unique_ptr<Rereading> reread(const Project& project, const Scope& scope,
                                  const std::map<FileId, std::string>& texts) {
  auto result = std::make_unique<Rereading>();
  copy_sources(project, scope, result->sources);
  std::vector<const Document*> documents;
  for (const FileId id : scope.files) {
    const auto changed = texts.find(id);
    if (changed == texts.end()) {
      for (const auto& document : project.documents[id]) documents.push_back(document.get());
      continue;
    }
    const SourceFile& file = project.sources.file(id);
    const FileId added = result->sources.add(file.path(), changed->second, file.encoding());
    FileReader(project, id, *result, documents).read(result->sources.file(added));
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
