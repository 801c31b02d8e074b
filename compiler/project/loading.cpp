#include "compiler/project/loading.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/parallel.h"
#include "compiler/base/progress.h"
#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/pools/find_pools.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/project/boundary.h"
#include "compiler/project/config_file.h"
#include "compiler/project/definitions.h"
#include "compiler/project/file_content.h"
#include "compiler/project/file_traits.h"
#include "compiler/project/input_files.h"
#include "compiler/project/inputs_read.h"
#include "compiler/project/kustomize_files.h"
#include "compiler/project/python_joins.h"
#include "compiler/project/scope.h"
#include "compiler/project/scopes.h"
#include "compiler/project/task_declarations.h"
#include "frontend/embedded.h"
#include "frontend/relevance.h"
#include "frontend/variable_defaults.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

/// Named files up to this size are parsed completely, so their syntax errors are reported.
constexpr std::size_t read_whole_up_to_bytes = 1U << 20U;

/// Documents that one thread parses at a time.
constexpr std::size_t documents_per_turn = 32;

/// A document that is not parsed yet.
struct UnreadDocument {
  FileId file = 0;
  bool read_always = false;
  bool was_walked = false;
  bool is_definition = false;
  DocumentText text;
};

/// Whether a document is JSON with comments, as in tsconfig.json, and not of Kubernetes.
[[nodiscard]] bool is_other_json(const Document& document, const SourceFile& file) {
  if (document.errors.empty() || !file.path().ends_with(".json")) return false;
  const std::string_view text = file.text(document.span);
  return text.find("apiVersion") == std::string_view::npos &&
         text.find("\"kind\"") == std::string_view::npos;
}

[[nodiscard]] std::string_view text_of(const SourceFile& file, const DocumentText& text) {
  return file.text().substr(text.begin, text.end - text.begin);
}

using Documents = std::vector<std::unique_ptr<Document>>;

class Loader {
 public:
  Loader(const Request& request, Loading& loading, Progress* progress)
      : request_(request),
        loading_(loading),
        disk_(*loading.project->files),
        project_(*loading.project),
        progress_(progress),
        inputs_(loading.inputs),
        kustomize_files_(loading.kustomize_files),
        tasks_(loading.tasks),
        other_python_(loading.other_python) {}

  void read() {
    load_config();
    load_inputs();
  }

  void parse() {
    parse_inputs();
    load_tasks();
    refuse_unknown_keys();
  }

  [[nodiscard]] ScopePlans group() {
    ScopePlans plans = plan();
    project_.not_compared = std::move(plans.not_compared);
    read_shared_nodes(plans.shared_nodes);
    allow_defaults(plans.scopes);
    return plans;
  }

  void analyze(ScopePlans plans) {
    loading_.errors_of_files = project_.errors.size();
    make_scopes(std::move(plans));
    add_errors_of_scopes();
  }

  [[nodiscard]] std::optional<std::vector<std::size_t>> edit(FileId id, std::string text) {
    const auto input = std::ranges::find(inputs_, id, &InputFile::id);
    if (input == inputs_.end() || request_.renderer != nullptr) return std::nullopt;
    if (project_.sources.file(id).encoding() != SourceFile::Encoding::utf8) return std::nullopt;
    const std::optional<FileTraits> before = traits_of(project_, *kustomize_files_, id);
    // the old scopes point into the old documents
    const auto old_file = project_.sources.replace(id, std::move(text));
    const Documents old_documents = std::exchange(project_.documents[id], {});
    project_.document_count -= split_stream(old_file->text()).size();
    if (!before || !read_again(*input)) return std::nullopt;
    if (traits_of(project_, *kustomize_files_, id) != before) return std::nullopt;
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < project_.scopes.size(); ++i) {
      const Scope& scope = project_.scopes[i];
      if (!std::ranges::binary_search(scope.files, id)) continue;
      project_.scopes.replace(
          i, analyze_scope(ScopePlan(scope), documents_of(scope.files), project_.sources,
                           project_.nodes_shared_by(scope), project_.facts, depth(), scope.jobs,
                           scope.corpus.api == nullptr ? nullptr : &scope));
      changed.push_back(i);
    }
    for (const auto& document : old_documents) project_.facts.forget(*document);
    project_.errors.resize(loading_.errors_of_files);
    add_errors_of_scopes();
    return changed;
  }

 private:
  void load_config() {
    const std::string path = find_config_file(disk_, request_);
    if (path.empty()) return;
    if (request_.config.empty() && !request_.allow_outside && disk_.status(path).is_link &&
        leaves(disk_, path, boundary_of(disk_, fs::path(path).parent_path()))) {
      project_.errors.push_back(
          fmt::format("{}: a link leads out of its repository; not read (--allow-outside or "
                      "--config permits it)",
                      path));
      return;
    }
    const auto id = read(path);
    if (!id) return;
    ConfigFile config = read_config_file(project_.sources.file(*id));
    project_.config = std::move(config.reading);
    project_.config_path = path;
    project_.facts.declare(project_.config.config.top.settings.kinds);
    project_.config_documents = std::move(config.documents);
    std::ranges::move(config.errors, std::back_inserter(project_.errors));
  }

  [[nodiscard]] std::optional<FileId> read(const std::string& path) {
    const Result<FileId> id = read_source(path, request_, disk_, project_.sources);
    if (id.ok()) return id.value();
    project_.errors.push_back(id.error().message);
    return std::nullopt;
  }

  /// Parses the new text of an input. False if other files may be grouped in another way.
  [[nodiscard]] bool read_again(InputFile& input) {
    const SourceFile& file = project_.sources.file(input.id);
    const bool whole = reads_whole(input);
    for (const DocumentText& text : split_stream(file.text())) {
      parse(to_read(input, whole, text), project_.documents[input.id]);
      ++project_.document_count;
    }
    const bool is_alike =
        project_.pods_alike.total() == 0 &&
        (input.origin == InputOrigin::walked && is_blank(input.id)) == input.is_blank &&
        loading_.answers.still_hold(content_reader(), input.id);
    if (is_alike && loading_.read_whole.contains(input.id)) read_whole(input.id);
    return is_alike;
  }

  void add_errors_of_scopes() {
    if (runs_rules() || places()) {
      std::string unread = describe_unread_values(project_, request_);
      if (!unread.empty()) project_.errors.push_back(std::move(unread));
    }
    if (runs_rules()) {
      std::ranges::move(refuse_tasks(project_.scopes, request_),
                        std::back_inserter(project_.errors));
    }
  }

  void load_inputs() {
    Inputs inputs = read_inputs(request_, project_.config.config, disk_, project_.sources);
    inputs_ = std::move(inputs.files);
    project_.own_outputs = std::move(inputs.own_outputs);
    project_.original_stdin = std::move(inputs.original_stdin);
    project_.excluded = std::move(inputs.excluded);
    project_.outside = std::move(inputs.outside);
    other_python_ = std::move(inputs.other_python);
    std::ranges::move(inputs.errors, std::back_inserter(project_.errors));
    if (request_.renderer != nullptr) {
      project_.rendered =
          render_inputs(request_, project_.config.config, disk_, inputs_, project_.sources);
      std::ranges::copy(project_.rendered.errors, std::back_inserter(project_.errors));
    }
    for (const InputFile& input : inputs_) {
      project_.inputs.push_back(input.id);
      const bool is_named =
          input.origin == InputOrigin::named && !(input.was_found && holds_tasks(input.id));
      if (is_named) project_.named.push_back(input.id);
      if (!input.is_checked) project_.context_only.insert(input.id);
      if (input.is_referenced) project_.referenced.insert(input.id);
      if (!input.place.empty()) project_.places.emplace(input.id, input.place);
    }
  }

  void parse_inputs() {
    kustomize_files_.emplace(project_.sources, inputs_);
    project_.flux_variables =
        FluxVariables(project_.sources, project_.inputs, *kustomize_files_, project_.places);
    const auto split = parallel_map(inputs_.size(), request_.jobs, [&](std::size_t i) {
      const FileId id = inputs_[i].id;
      return holds_tasks(id) ? std::vector<DocumentText>()
                             : split_stream(project_.sources.file(id).text());
    });
    project_.python =
        read_python_inputs(project_.sources, inputs_, other_python_, disk_, request_.jobs);
    std::vector<UnreadDocument> unread;
    std::vector<UnreadDocument> definitions;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const bool whole = reads_whole(inputs_[i]);
      for (const DocumentText& text : split[i]) {
        const UnreadDocument document = to_read(inputs_[i], whole, text);
        (document.is_definition ? definitions : unread).push_back(document);
      }
    }
    project_.document_count = unread.size() + definitions.size();
    project_.documents.resize(project_.sources.size());
    parse_all(unread);
    choose_definitions(definitions);
    if (!definitions.empty()) {
      parse_all(definitions);
      restore_order(definitions);
    }
    for (InputFile& input : inputs_) {
      input.is_blank = input.origin == InputOrigin::walked && is_blank(input.id);
    }
  }

  /// Whether all documents of an input are parsed. `place` and `why` need every workload. User
  /// policies and checks for old API versions need every object.
  [[nodiscard]] bool reads_whole(const InputFile& input) const {
    const SourceFile& file = project_.sources.file(input.id);
    const bool is_wanted = input.origin != InputOrigin::walked || is_named_like_chart(file.path());
    return (is_wanted && file.text().size() <= read_whole_up_to_bytes) || places() ||
           needs_all_objects();
  }

  [[nodiscard]] UnreadDocument to_read(const InputFile& input, bool whole,
                                       const DocumentText& text) const {
    const bool waits = !whole && is_definition(text_of(project_.sources.file(input.id), text));
    return {input.id, whole, input.origin == InputOrigin::walked, waits, text};
  }

  void parse_all(const std::vector<UnreadDocument>& unread) {
    const std::size_t turns = (unread.size() + documents_per_turn - 1) / documents_per_turn;
    std::vector<Documents> parsed(turns);
    begin_phase(progress_, "reading", turns);
    parallel_for(turns, request_.jobs, [&](std::size_t turn) {
      const std::size_t end = std::min(unread.size(), (turn + 1) * documents_per_turn);
      for (std::size_t i = turn * documents_per_turn; i < end; ++i) parse(unread[i], parsed[turn]);
      advance(progress_);
    });
    for (Documents& documents : parsed) {
      for (auto& document : documents) {
        project_.documents[document->file].push_back(std::move(document));
      }
    }
  }

  /// Definitions are parsed after the other documents of their files.
  void restore_order(const std::vector<UnreadDocument>& definitions) {
    for (const UnreadDocument& definition : definitions) {
      std::ranges::stable_sort(project_.documents[definition.file], {},
                               [](const auto& document) { return document->span.begin; });
    }
  }

  /// Keeps the definitions of the resources that were read.
  void choose_definitions(std::vector<UnreadDocument>& definitions) const {
    if (definitions.empty()) return;
    std::set<std::string> kinds;
    for (const Documents& documents : project_.documents) {
      for (const auto& document : documents) {
        add_custom_kinds(project_.facts.of(*document).objects, kinds);
      }
    }
    for (UnreadDocument& definition : definitions) {
      const std::string kind =
          defined_kind(text_of(project_.sources.file(definition.file), definition.text));
      definition.read_always = kind.empty() || kinds.contains(kind);
    }
  }

  [[nodiscard]] bool holds_tasks(FileId id) const {
    return is_python_or_package(project_.sources.file(id));
  }

  /// Parses all documents of a joined file: pods without GPUs also run on the nodes.
  void read_whole(FileId id) {
    const SourceFile& file = project_.sources.file(id);
    if (file.text().size() > read_whole_up_to_bytes || holds_tasks(id)) return;
    loading_.read_whole.insert(id);
    Documents documents;
    for (const DocumentText& text : split_stream(file.text())) {
      parse({id, true, true, false, text}, documents);
    }
    for (const auto& before : project_.documents[id]) project_.facts.forget(*before);
    project_.documents[id] = std::move(documents);
  }

  /// Whether no document of the file was parsed for its own content.
  [[nodiscard]] bool is_blank(FileId id) const {
    if (holds_tasks(id)) return !has_tasks_or_remarks(project_.python.at(id));
    const std::string_view text = project_.sources.file(id).text();
    const auto is_for_others = [&](const std::unique_ptr<Document>& document) {
      const Span span = document->span;
      return kustomize_files_->needs(id, text) &&
             !may_concern_gpus(text.substr(span.begin, span.size()));
    };
    return std::ranges::all_of(project_.documents[id], is_for_others);
  }

  /// Whether policies, kinds or rules need objects that do not mention GPUs.
  [[nodiscard]] bool needs_all_objects() const {
    if (!project_.config.config.policies.empty()) return true;
    const Config& config = project_.config.config;
    const auto& kinds = config.top.settings.kinds;
    const bool may_name_any =
        kinds != nullptr &&
        std::ranges::any_of(kinds->rows(), [](auto& kind) { return !kind.references.empty(); });
    return may_name_any || request_.all_objects || config.top.settings.looks_beyond_gpus ||
           std::ranges::any_of(config.scopes, [](const ScopeConfig& scope) {
             return scope.settings.looks_beyond_gpus;
           });
  }

  void parse(const UnreadDocument& unread, Documents& documents) const {
    const SourceFile& file = project_.sources.file(unread.file);
    const std::string_view text = text_of(file, unread.text);
    const bool is_wanted = unread.read_always || kustomize_files_->needs(unread.file, text);
    const bool is_for_values = !is_wanted && (unread.is_definition || !may_concern_gpus(text));
    if (is_for_values && !may_hold_encoded_values(text)) return;
    PodsAlike::Counts alike;
    auto document =
        parse_document(file, unread.text, {true, request_.groups_pods ? &alike : nullptr});
    const Substitutes substitutes = project_.substitutes_of(unread.file);
    use_variable_defaults(*document, substitutes);
    project_.pods_alike.add(*document, alike);
    if (unread.was_walked && is_other_json(*document, file)) return;
    if (!is_wanted && is_related_template(*document, text)) return;
    documents.push_back(std::move(document));
    const Document& host = *documents.back();
    Documents inner = embedded_documents(host, file);
    for (const auto& each : inner) use_variable_defaults(*each, substitutes);
    if (is_for_values && inner.empty()) return documents.pop_back();
    std::ranges::move(inner, std::back_inserter(documents));
  }

  /// Reads the tasks of --tasks. Their documents live as long as the project.
  void load_tasks() {
    if (request_.tasks_file.empty()) return;
    const auto id = read(request_.tasks_file);
    if (!id) return;
    const SourceFile& file = project_.sources.file(*id);
    for (auto& document : parse_file(file)) {
      for (const SyntaxError& error : document->errors) {
        const Position at = file.position(error.span.begin);
        project_.errors.push_back(
            fmt::format("{}:{}:{}: {}", file.path(), at.line, at.column, error.message));
      }
      if (document->errors.empty()) read_tasks(root(*document), file);
      project_.config_documents.push_back(std::move(document));
    }
  }

  void read_tasks(Node root, const SourceFile& file) {
    const auto entries = flyte::task_entries(root);
    if (!entries) {
      project_.errors.push_back(fmt::format(
          "{}: expected a list of tasks, or a mapping with the list `tasks`", file.path()));
      return;
    }
    std::ranges::copy(*entries, std::back_inserter(tasks_));
    find_unknown_task_keys(root, project_.config.problems);
  }

  /// `check` reports unknown keys as findings. For other commands they are errors, because an
  /// answer without these settings would be wrong.
  void refuse_unknown_keys() {
    if (runs_rules()) return;
    for (const ConfigProblem& problem : project_.config.problems) {
      if (problem.kind != ConfigProblem::Kind::unknown_key) continue;
      project_.errors.push_back(describe(problem, project_.sources));
    }
  }

  [[nodiscard]] std::vector<const Document*> documents_of(const std::vector<FileId>& files) const {
    std::vector<const Document*> documents;
    for (const FileId id : files) {
      for (const auto& document : project_.documents[id]) documents.push_back(document.get());
    }
    return documents;
  }

  /// Adds the shared nodes to a scope with workloads or a Flyte release.
  void add_shared_nodes(ScopePlan& plan, const std::vector<FileId>& shared) const {
    if (!plan.runs_on_shared_nodes || shared.empty()) return;
    const std::vector<const Document*> documents = documents_of(plan.files);
    const bool has_workloads =
        std::ranges::any_of(documents,
                            [this](const Document* document) {
                              return !project_.facts.of(*document).workloads.empty();
                            }) ||
        has_release(documents, plan.settings);
    if (!has_workloads) return;
    std::ranges::copy(shared, std::back_inserter(plan.files));
    std::ranges::sort(plan.files);
    const auto repeated = std::ranges::unique(plan.files);
    plan.files.erase(repeated.begin(), repeated.end());
  }

  [[nodiscard]] bool has_release(const std::vector<const Document*>& documents,
                                 const Settings& settings) const {
    return !flyte::find_releases(documents, project_.sources, settings).empty();
  }

  /// Allows Flyte's defaults for tasks if no file configures Flyte, unless gpulint.yaml names
  /// values that are missing. `compile` and `generate` choose the defaults themselves.
  void allow_defaults(std::vector<ScopePlan>& plans) const {
    if (!runs_rules() && !places()) return;
    const auto has_tasks = [](const ScopePlan& plan) {
      return !plan.settings.tasks.empty() || !plan.settings.task_specs.empty();
    };
    const auto is_configured = [&](const ScopePlan& plan) {
      return has_release(documents_of(plan.files), plan.settings);
    };
    if (std::ranges::none_of(plans, has_tasks) || std::ranges::any_of(plans, is_configured)) return;
    for (ScopePlan& plan : plans) {
      plan.may_run_on_defaults = has_tasks(plan) && plan.settings.values_layers.empty();
    }
  }

  /// LimitRanges also give GPUs to pods that do not mention any.
  [[nodiscard]] bool has_limit_ranges(const std::vector<FileId>& files) const {
    return std::ranges::any_of(files, [&](FileId file) {
      return std::ranges::any_of(project_.documents[file], [&](const auto& document) {
        const auto& objects = project_.facts.of(*document).objects;
        return std::ranges::any_of(objects, [](const KubernetesObject& object) {
          return object.kind.equals("LimitRange");
        });
      });
    });
  }

  [[nodiscard]] bool places() const { return request_.purpose == Purpose::place; }
  [[nodiscard]] Depth depth() const {
    if (runs_rules()) return Depth::checked;
    return places() ? Depth::placed : Depth::compiled;
  }
  [[nodiscard]] bool runs_rules() const { return request_.purpose == Purpose::check; }

  /// Whether each node is needed, instead of one node of each class.
  [[nodiscard]] bool shows_nodes() const { return !runs_rules() || request_.shows_every_node; }

  [[nodiscard]] ContentReader content_reader() const {
    return {[this](FileId file) { return read_content(project_, file); },
            [this](FileId file) { return read_values_chart(project_, file); },
            [this](FileId file) { return read_needs(project_, file); },
            {[this](FileId file) { return read_release_sources(project_, file); },
             [this](FileId file, const ReleaseSource& source) {
               return holds_object(project_, file, source);
             }}};
  }

  [[nodiscard]] ScopePlans plan() {
    const ContentReader read = content_reader();
    ScopePlans plans =
        plan_scopes(project_.config.config, request_, project_.sources, inputs_, *kustomize_files_,
                    disk_, loading_.follows_edits ? loading_.answers.keeping(read) : read);
    const std::set<FileId> built = kustomize_files_->built_by_kustomize();
    for (ScopePlan& plan : plans.scopes) {
      if (!plan.joined_nodes.empty() || !plan.joined_objects.empty() ||
          has_limit_ranges(plan.files)) {
        std::ranges::for_each(plan.files, [this](FileId file) { read_whole(file); });
      }
      std::ranges::copy(tasks_, std::back_inserter(plan.settings.tasks));
      plan.settings.task_specs = request_.tasks;
      plan.settings.kustomizations = kustomize_files_->all().size();
      plan.settings.built_files = built;
    }
    if (project_.config.config.joins && !request_.no_join) {
      join_python_tasks([this](const auto& files) { return documents_of(files); }, project_,
                        plans.scopes);
    }
    drop_context_scopes(plans.scopes);
    const std::vector<std::string> node_files = files_with_nodes(project_, plans.scopes);
    for (ScopePlan& plan : plans.scopes) {
      plan.settings.node_files = node_files;
      add_tasks(task_files(project_.python, plan.files), project_.sources, documents_of(plan.files),
                plan.settings);
    }
    return plans;
  }

  /// Removes scopes of files that others are only compared with.
  void drop_context_scopes(std::vector<ScopePlan>& plans) const {
    if (project_.context_only.empty()) return;
    std::erase_if(plans, [this](const ScopePlan& plan) {
      return !plan.files.empty() && std::ranges::all_of(plan.files, [this](FileId file) {
        return project_.context_only.contains(file);
      });
    });
  }

  void read_shared_nodes(const std::vector<FileId>& files) {
    std::vector<Node> roots;
    for (const Document* document : documents_of(files)) {
      if (!holds_only_nodes(*document)) continue;
      project_.shared_nodes.documents.insert(document);
      roots.push_back(root(*document));
    }
    std::vector<NodePool> nodes = find_pools(roots);
    project_.shared_nodes.kinds =
        shows_nodes() ? NodeClasses{std::move(nodes), {}} : find_node_classes(std::move(nodes));
  }

  void make_scopes(ScopePlans plans) {
    const std::size_t count = plans.scopes.size();
    const unsigned jobs = count == 1 ? request_.jobs : 1;  // several scopes run in parallel
    begin_phase(progress_, "compiling and placing", count);
    std::vector<std::unique_ptr<const Scope>> scopes(count);
    parallel_for(count, request_.jobs, [&](std::size_t i) {
      ScopePlan& plan = plans.scopes[i];
      add_shared_nodes(plan, plans.shared_nodes);
      const std::vector<const Document*> documents = documents_of(plan.files);
      const SharedNodes& nodes = project_.nodes_shared_by(plan);
      scopes[i] = analyze_scope(std::move(plan), documents, project_.sources, nodes, project_.facts,
                                depth(), jobs);
      advance(progress_);
    });
    project_.scopes = Scopes(std::move(scopes));
  }

  const Request& request_;
  Loading& loading_;
  const FileSystem& disk_;
  Project& project_;
  Progress* progress_;
  std::vector<InputFile>& inputs_;
  std::optional<KustomizeFiles>& kustomize_files_;
  std::vector<Node>& tasks_;
  std::vector<std::string>& other_python_;
};

}  // namespace

std::unique_ptr<Loading> read_files(const Request& request, const FileSystem& files) {
  auto loading = std::make_unique<Loading>();
  loading->project->files = &files;
  loading->project->sources.set_folder(files.current_folder());
  Loader(request, *loading, nullptr).read();
  return loading;
}

void parse_files(Loading& loading, const Request& request, Progress* progress) {
  Loader(request, loading, progress).parse();
}

ScopePlans group_files(Loading& loading, const Request& request) {
  return Loader(request, loading, nullptr).group();
}

void analyze_scopes(Loading& loading, ScopePlans plans, const Request& request,
                    Progress* progress) {
  Loader(request, loading, progress).analyze(std::move(plans));
}

std::optional<std::vector<std::size_t>> edit_file(Loading& loading, const Request& request,
                                                  FileId file, std::string text) {
  return Loader(request, loading, nullptr).edit(file, std::move(text));
}

}  // namespace gpulint
