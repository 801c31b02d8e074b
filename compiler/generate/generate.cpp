#include "compiler/generate/generate.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/flyte/assume.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/read_config.h"
#include "compiler/generate/demand.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

using flyte::LoadedRelease;

/// The configuration below the block, and how to merge the block over it.
class Base {
 public:
  Base(const Scope& scope, bool bare) : scope_(scope), bare_(bare) { choose(); }

  [[nodiscard]] const LoadedRelease& loaded() const { return loaded_; }
  [[nodiscard]] const generate::Shape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// The release with one more layer; nullopt if the layers are not available (manifests).
  [[nodiscard]] std::optional<LoadedRelease> with_layer(const Document& layer) const {
    if (loaded_.source == LoadedRelease::Source::manifests) return std::nullopt;
    Node top = root(layer);
    for (const std::string& parent : shape_.parents) top = top.get(parent);
    if (shape_.chart != FlyteChart::unknown) {
      flyte::HelmRelease release;
      release.chart = shape_.chart;
      release.version = loaded_.version;
      release.layers = layers_;
      if (!shape_.parents.empty()) release.subchart = shape_.parents.back();
      release.layers.push_back(top);
      return with_templates(flyte::load_release(release));
    }
    std::vector<flyte::ConfigFile> files;
    for (const Document* document : loaded_.documents) files.push_back(read(*document));
    files.push_back(read(layer));
    return with_templates(flyte::load_files(files, loaded_.version));
  }

 private:
  [[nodiscard]] LoadedRelease with_templates(LoadedRelease loaded) const {
    loaded.propeller.pod_templates = loaded_.propeller.pod_templates;
    return loaded;
  }

  [[nodiscard]] static flyte::ConfigFile read(const Document& document) {
    flyte::ReadConfig config = flyte::read_go_yaml(document);
    return {"", std::move(config.value), std::move(config.problems)};
  }

  void choose() {
    const LoadedRelease* found = nullptr;
    for (const flyte::Installation& installation : scope_.flyte.installations) {
      const LoadedRelease& other = installation.loaded;
      if (!other.has_propeller || other.documents.empty()) continue;
      if (found == nullptr) {
        found = &other;
      } else {
        notes_.push_back(
            "several Flyte installations among the inputs: only the first one is used");
      }
    }
    if (found == nullptr) {
      make_new();
      loaded_.propeller.pod_templates = flyte::find_base_pod_templates(scope_.corpus.documents);
      return;
    }
    loaded_ = *found;
    shape_.chart = bare_ ? FlyteChart::unknown : loaded_.chart;
    if (loaded_.source != LoadedRelease::Source::values) return;
    for (const Document* document : loaded_.documents) {
      const flyte::FlyteDocument known = flyte::recognize(*document);
      const Node top = known.kind == flyte::DocumentKind::none ? root(*document) : known.root;
      layers_.push_back(top);
      if (top != root(*document) && top != known.values) set_parents(known);
    }
  }

  /// The keys of parent charts, outermost first.
  void set_parents(const flyte::FlyteDocument& known) {
    shape_.parents.clear();
    for (Node at = known.root; at.key() && at != known.values; at = at.parent()) {
      shape_.parents.insert(shape_.parents.begin(), std::string(at.key().text()));
    }
  }

  /// No configuration exists yet.
  void make_new() {
    FlyteVersion version = scope_.settings.flyte_version;
    if (version == FlyteVersion::unknown) version = FlyteVersion::v1;
    shape_.chart = scope_.settings.flyte_chart;
    if (shape_.chart == FlyteChart::unknown && !bare_) {
      shape_.chart = version == FlyteVersion::v2 ? FlyteChart::binary : FlyteChart::core;
      notes_.push_back(
          fmt::format("no Flyte configuration among the inputs: these are values of "
                      "{} (--chart or --bare choose another form)",
                      flyte::chart_name(shape_.chart)));
    }
    if (bare_) shape_.chart = FlyteChart::unknown;
    if (shape_.chart == FlyteChart::unknown) {
      loaded_ = flyte::load_files({}, version);
      return;
    }
    if (shape_.chart == FlyteChart::core) version = FlyteVersion::v1;
    flyte::HelmRelease release;
    release.chart = shape_.chart;
    release.version = version;
    loaded_ = flyte::load_release(release);
  }

  const Scope& scope_;
  bool bare_;
  LoadedRelease loaded_;
  generate::Shape shape_;
  std::vector<Node> layers_;
  std::vector<std::string> notes_;
};

[[nodiscard]] std::string names_of(const std::vector<flyte::Task>& tasks) {
  constexpr std::size_t shown = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(tasks.size(), shown); ++i) names.push_back(tasks[i].name);
  const std::string text =
      fmt::format("task{} {}", tasks.size() == 1 ? "" : "s", fmt::join(names, ", "));
  return tasks.size() <= shown ? text : fmt::format("{} and {} more", text, tasks.size() - shown);
}

void write_title(const LoadedRelease& loaded, const std::vector<flyte::Task>& tasks,
                 const generate::Solution& solution, generate::Shape& shape) {
  const std::string_view chart = flyte::chart_name(shape.chart);
  shape.title.push_back(
      fmt::format("{} of Flyte {} for the {}.",
                  chart.empty() ? "Configuration" : fmt::format("Values for the chart {}", chart),
                  loaded.version == FlyteVersion::v2 ? 2 : 1, names_of(tasks)));
  if (!loaded.documents.empty()) {
    shape.title.push_back(chart.empty()
                              ? "Add this file to the existing configuration."
                              : "Add this file to the existing values, as a further --values.");
  }
  const auto add = [&](std::string_view what, const auto& task) {
    shape.title.push_back(fmt::format("{}: task {}: {}{}{}", what, task.task, task.message,
                                      task.advice.empty() ? "" : "; ", task.advice));
  };
  for (const generate::Unsolved& task : solution.unsolved) add("Not solved", task);
  for (const generate::OpenTask& task : solution.open) add("Not certain", task);
}

/// Reads the text back and runs it; an Error names a task that should fit and does not.
[[nodiscard]] std::optional<Error> prove(const std::string& text, const Base& base,
                                         const generate::Problem& problem,
                                         const std::vector<generate::Unsolved>& unsolved) {
  const SourceFile file(0, "generated.yaml", text);
  const auto documents = parse_file(file);
  if (documents.empty() || !documents.front()->errors.empty()) {
    return Error{"the generated configuration is not valid YAML; nothing is printed"};
  }
  const auto loaded = base.with_layer(*documents.front());
  if (!loaded) return std::nullopt;
  if (!loaded->propeller.problems.empty()) {
    return Error{fmt::format("Flyte would reject the generated configuration: {}",
                             loaded->propeller.problems.front().message)};
  }
  std::set<std::string> excepted;
  for (const generate::Unsolved& task : unsolved) excepted.insert(task.task);
  for (const flyte::Task& task : problem.tasks) {
    if (excepted.contains(task.name)) continue;
    const Ternary fits = try_task(problem, loaded->propeller, loaded->platform, task);
    if (fits != Ternary::no) continue;
    return Error{
        fmt::format("task `{}` would fit no node with the generated configuration", task.name)};
  }
  return std::nullopt;
}

}  // namespace

Result<Generated> generate_for_scope(const Scope& scope, bool bare) {
  const Base base(scope, bare);
  const LoadedRelease& loaded = base.loaded();
  Generated result;
  result.notes = base.notes();
  if (!loaded.propeller.problems.empty()) {
    return Error{fmt::format("Flyte rejects the existing configuration: {}",
                             loaded.propeller.problems.front().message)};
  }
  std::vector<flyte::Task> tasks = flyte::declared_tasks(scope.settings, loaded.version);
  Cluster cluster = scope.corpus.cluster;
  if (tasks.empty()) {
    tasks = cluster.pools.empty() ? flyte::assumed_tasks(cluster, loaded.propeller)
                                  : generate::assumed_tasks(cluster, loaded.version);
    result.notes.push_back(
        "no task is declared (--task, --tasks): solved for an assumed task for each kind of GPU");
  }
  if (cluster.pools.empty()) {
    if (cluster.provider == Provider::unknown) {
      return Error{"no nodes among the inputs, and no --provider to assume nodes from"};
    }
    cluster = generate::assumed_cluster(cluster.provider, tasks, loaded.propeller);
  }
  // the admission plugin may only be likely: tolerations in the block work with and without it
  const bool is_declared = admission_of(scope.settings) == ExtendedResourceToleration::on;
  const generate::Problem problem{
      .cluster = &cluster,
      .config = &loaded.propeller,
      .platform = &loaded.platform,
      .tasks = tasks,
      .admission = is_declared ? ExtendedResourceToleration::on : ExtendedResourceToleration::off,
      .runtime_classes = &scope.corpus.runtime_classes};
  const generate::Solution solution = generate::solve(problem);
  generate::Shape shape = base.shape();
  write_title(loaded, tasks, solution, shape);
  result.text = generate::to_yaml(solution, problem, shape);
  result.unsolved = solution.unsolved;
  result.open = solution.open;
  result.is_empty = line_count(solution.block) == 0 && solution.block.limits.empty();
  if (const auto error = prove(result.text, base, problem, solution.unsolved)) return *error;
  return result;
}

namespace {

[[nodiscard]] bool knows_nodes(const Scope& scope) {
  return !scope.corpus.cluster.pools.empty() || scope.corpus.cluster.provider != Provider::unknown;
}

}  // namespace

GeneratedConfig generate_for_project(const Project& project, bool bare) {
  GeneratedConfig config;
  for (const Scope& scope : project.scopes) {
    if (!knows_nodes(scope)) continue;
    Result<Generated> generated = generate_for_scope(scope, bare);
    if (!generated.ok()) {
      config.error = generated.error();
      return config;
    }
    if (!config.text.empty()) config.text += "---\n";
    if (!scope.name.empty()) config.text += fmt::format("# Scope {}.\n", scope.name);
    config.text += generated.value().text;
    config.scopes.push_back(std::move(generated).value());
  }
  if (config.scopes.empty()) {
    config.error = Error{"no nodes among the inputs, and no --provider to assume nodes from"};
  }
  return config;
}

}  // namespace gpulint
