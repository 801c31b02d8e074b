#include "compiler/check/check.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/diagnostic.h"
#include "compiler/base/glob.h"
#include "compiler/check/policies.h"
#include "compiler/check/run.h"
#include "compiler/check/suppression.h"
#include "compiler/check/unrendered_charts.h"
#include "compiler/engine/registry.h"
#include "compiler/ir/python.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/release_layers.h"
#include "compiler/model/scope/build_scope_model.h"
#include "compiler/project/config_paths.h"
#include "compiler/project/owner_chains.h"
#include "compiler/project/path_in_config.h"
#include "compiler/project/project.h"
#include "frontend/limits.h"

namespace gpulint {
namespace {

/// The parts of a setting's entry that may be rewritten; the rest does not belong to the chart.
struct SettingPlace {
  Span entry;
  Span path;
  Span value;
};

[[nodiscard]] std::set<FileId> edited_files(const std::vector<Diagnostic>& findings) {
  std::set<FileId> files;
  for (const Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    for (const Edit& edit : finding.fix->edits) files.insert(edit.span.file);
  }
  return files;
}

/// Those of the files that are edited.
[[nodiscard]] std::vector<SettingPlace> find_settings(const Scope& scope,
                                                      const std::set<FileId>& files) {
  std::vector<SettingPlace> found;
  for (const Document* document : scope.corpus.documents) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    if (!files.contains(document->span.file)) continue;
    for (const Node release : find_releases(root(*document))) {
      for (const ReleaseLayer& layer : release_layers(release)) {
        if (layer.kind != ReleaseLayer::Kind::setting) continue;
        found.push_back({layer.node.entry_span(), layer.path_node.span(), layer.value_node.span()});
      }
    }
  }
  return found;
}

[[nodiscard]] bool is_unfit(const Edit& edit, const std::vector<SettingPlace>& settings) {
  if (edit.text.find("forceString") != std::string_view::npos) return false;
  return std::ranges::any_of(settings, [&](const SettingPlace& setting) {
    return edit.span.overlaps(setting.entry) && !setting.path.contains(edit.span) &&
           !setting.value.contains(edit.span);
  });
}

void explain_encoded(const Scope& scope, std::vector<Diagnostic>& findings) {
  for (const Document* document : scope.corpus.documents) {
    if (!is_encoded(*document)) continue;
    for (Diagnostic& finding : findings) {
      if (finding.span != document->span) continue;
      finding.fix.reset();
      finding.add_help(
          "decode the value with `base64 -d` and correct it. Or move the value to `stringData`, "
          "which `gpulint fix` can edit");
    }
  }
}

/// Drops fixes in documents larger than any YAML: a cluster exported them, people do not edit them,
/// and each trial of a fix would take their size in memory again.
void drop_edits_of_large(const Scope& scope, std::vector<Diagnostic>& findings) {
  for (const Document* document : scope.corpus.documents) {
    if (document->span.size() <= limits::yaml_document_bytes) continue;
    for (Diagnostic& finding : findings) {
      const bool is_there =
          finding.fix && std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
            return document->span.contains(edit.span);
          });
      if (is_there) finding.fix.reset();
    }
  }
}

/// Drops fixes for values that are not in the file as Helm has them: fixes that would change the
/// surroundings of the value or path of a setting (`parameters`, `set`). For base64 in a Secret the
/// help says why there is no fix. Only rules about Python edit Python sources.
void drop_unfit_edits(const Scope& scope, std::vector<Diagnostic>& findings) {
  explain_encoded(scope, findings);
  drop_edits_of_large(scope, findings);
  const std::set<FileId> files = edited_files(findings);
  if (files.empty()) return;
  const std::vector<SettingPlace> settings = find_settings(scope, files);
  for (Diagnostic& finding : findings) {
    const auto unfit = [&](const Edit& edit) {
      // edits are YAML, except for those of rules about Python
      const bool is_python = python::is_source(scope.corpus.sources->file(edit.span).path());
      return is_python ? finding.rule->category != "python" : is_unfit(edit, settings);
    };
    if (finding.fix && std::ranges::any_of(finding.fix->edits, unfit)) finding.fix.reset();
  }
}

/// Drops fixes in files that were not UTF-8, because their bytes differ from the offsets of edits.
/// Consequences are found with these fixes (run.h), so this runs after them.
void drop_edits_of_transcoded(const SourceSet& sources, std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    const auto is_there = [&](const Edit& edit) {
      const SourceFile::Encoding encoding = sources.file(edit.span).encoding();
      // edits of rendered text are carried over to values
      return encoding != SourceFile::Encoding::utf8 && encoding != SourceFile::Encoding::rendered;
    };
    if (finding.fix && std::ranges::any_of(finding.fix->edits, is_there)) finding.fix.reset();
  }
}

/// Findings of the user's own rules in one scope.
[[nodiscard]] std::vector<Diagnostic> run_policies(const Config& config, const Scope& scope,
                                                   const Selection& selection) {
  std::vector<Diagnostic> findings = check_policies(scope.corpus, config.policies);
  const auto is_out = [&](const Diagnostic& finding) {
    const auto policy = std::ranges::find_if(
        config.policies, [&](const Policy& each) { return &each.info == finding.rule; });
    const bool is_elsewhere = policy->scope && &config.scopes[*policy->scope] != scope.config;
    return is_elsewhere || !selection.enabled(*finding.rule);
  };
  std::erase_if(findings, is_out);
  for (Diagnostic& finding : findings) {
    finding.severity = selection.severity(*finding.rule, finding.severity);
  }
  return findings;
}

void drop_ignored_paths(const Project& project, const ScopeConfig& scope,
                        std::vector<Diagnostic>& findings) {
  if (scope.per_file_ignores.empty()) return;
  std::erase_if(findings, [&](const Diagnostic& finding) {
    const std::string path = path_in_config(*project.files, project.config.config,
                                            project.sources.file(finding.span).path());
    return std::ranges::any_of(scope.per_file_ignores, [&](const PathIgnore& ignore) {
      return glob_matches(ignore.glob, path) &&
             std::ranges::any_of(ignore.rules, [&](const std::string& name) {
               return names_rule(name, *finding.rule);
             });
    });
  });
}

/// Keeps findings that involve a requested file. Without `in_tree`, drops those at workloads of the
/// repository around it, because only some of these are read.
void drop_context_only(const Project& project, bool in_tree, std::vector<Diagnostic>& findings) {
  if (project.context_only.empty()) return;
  std::set<FileId> other_workloads;
  for (const Scope& scope : project.scopes) {
    for (const Workload& workload : scope.corpus.workloads) {
      const FileId file = workload.object.span().file;
      if (!in_tree && project.context_only.contains(file)) other_workloads.insert(file);
    }
  }
  const auto is_aside = [&](Span span) {
    return project.context_only.contains(span.file) ||
           project.sources.file(span).path() == project.config_path;
  };
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return project.context_only.contains(finding.span.file) &&
           (other_workloads.contains(finding.span.file) ||
            std::ranges::all_of(finding.related, is_aside, &Label::span));
  });
}

/// Drops fixes that edit files outside the request.
void drop_fixes_elsewhere(const Project& project, std::vector<Diagnostic>& findings) {
  if (project.context_only.empty() && project.referenced.empty()) return;
  for (Diagnostic& finding : findings) {
    if (!finding.fix) continue;
    const auto elsewhere = std::ranges::find_if(finding.fix->edits, [&](const Edit& edit) {
      return project.context_only.contains(edit.span.file) ||
             project.referenced.contains(edit.span.file);
    });
    if (elsewhere == finding.fix->edits.end()) continue;
    finding.add_help(fmt::format("{}. `gpulint fix` edits {} only if you name the file",
                                 finding.fix->title, project.sources.file(elsewhere->span).path()));
    finding.fix.reset();
  }
}

/// Ids and categories of all rules and policies.
[[nodiscard]] std::vector<std::string_view> rule_names(const Config& config) {
  std::vector<std::string_view> names;
  for (const RegisteredRule& rule : all_rules()) {
    names.insert(names.end(), {rule.rule->info.id, rule.rule->info.category});
  }
  for (const Policy& policy : config.policies) names.emplace_back(policy.id);
  return names;
}

[[nodiscard]] std::vector<Suppression> read_suppressions(const Project& project, FileId id) {
  std::vector<const Document*> documents;
  for (const auto& document : project.documents[id]) documents.push_back(document.get());
  const auto python = project.python.find(id);
  if (python != project.python.end() && python->second.outline) {
    documents.push_back(python->second.outline.get());
  }
  return read_suppressions(project.sources.file(id), documents);
}

/// Findings that the user sees; a suppressed finding must not hide another.
[[nodiscard]] std::vector<Diagnostic> visible_roots(const Project& project, const Scope& scope,
                                                    const std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> roots = possible_causes(findings);
  drop_ignored_paths(project, *scope.config, roots);
  std::set<FileId> files;
  for (const Diagnostic& root : roots) files.insert(root.span.file);
  for (const FileId id : files) {
    std::vector<Suppression> suppressions = read_suppressions(project, id);
    apply_suppressions(suppressions, roots);
  }
  return roots;
}

void suppress(const Project& project, const Selection& selection,
              std::vector<Diagnostic>& findings) {
  const RegisteredRule* unused = find_rule("unused-suppression");
  const std::vector<std::string_view> names = rule_names(project.config.config);
  std::vector<Diagnostic> silenced;
  for (FileId id = 0; id < project.documents.size(); ++id) {
    const bool is_read = !project.documents[id].empty() || project.python.contains(id);
    const bool is_elsewhere = project.context_only.contains(id) || project.rendered.contains(id);
    if (!is_read || is_elsewhere) continue;
    std::vector<Suppression> suppressions = read_suppressions(project, id);
    std::ranges::move(apply_suppressions(suppressions, findings), std::back_inserter(silenced));
    // with a selection, unused suppressions are unknown: unselected rules did not run
    if (unused == nullptr || !selection.select.empty()) continue;
    if (!selection.enabled(unused->rule->info)) continue;
    std::ranges::move(
        report_unused(suppressions, project.sources.file(id), unused->rule->info, names),
        std::back_inserter(findings));
  }
  drop_silenced_by_owner(project, silenced, findings);
}

[[nodiscard]] bool stands_in(const std::vector<FileId>& files, const Diagnostic& finding) {
  const auto is_there = [&](Span span) {
    return std::ranges::find(files, span.file) != files.end();
  };
  return is_there(finding.span) || std::ranges::any_of(finding.related, is_there, &Label::span);
}

/// Adds why files were compared that were not named together.
void tell_joins(const Project& project, const Scope& scope, std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    const auto is_elsewhere = [&](const Label& label) {
      return label.span.file != finding.span.file;
    };
    const bool is_across = std::ranges::any_of(finding.related, is_elsewhere);
    const bool is_placed = finding.rule->category == "placement";
    if ((is_across || is_placed) && stands_in(scope.joined_nodes, finding)) {
      const std::string& nodes = project.sources.file(scope.joined_nodes.front()).path();
      finding.add_help(
          fmt::format("the nodes are from {}, which is nearest in the directory tree", nodes));
    } else if (is_across && stands_in(scope.joined_objects, finding)) {
      const auto label = std::ranges::find_if(finding.related, is_elsewhere);
      const std::string& other = project.sources.file(label->span).path();
      finding.add_help(fmt::format(
          "this file was checked together with {}, which is near in the directory tree", other));
    }
  }
}

/// Adds that an amount of a Python task is a default, which a variable of the environment replaces.
void tell_defaults(const Project& project, std::vector<Diagnostic>& findings) {
  for (Diagnostic& finding : findings) {
    std::set<std::string_view> told;
    const auto tell = [&](const Span& span) {
      const auto tasks = project.python.find(span.file);
      if (tasks == project.python.end()) return;
      const auto variable = tasks->second.variables.find(span);
      if (variable == tasks->second.variables.end() || !told.insert(variable->second).second)
        return;
      finding.add_help(
          fmt::format("the amount is only a default, which the environment variable `{}` can "
                      "change",
                      variable->second));
    };
    tell(finding.span);
    for (const Label& label : finding.related) tell(label.span);
  }
}

/// Adds the findings of one rule about gpulint.yaml itself, which belongs to no scope.
template <class Report>
void add_of_config(std::string_view id, const Project& project, const Selection& selection,
                   std::vector<Diagnostic>& findings, Report report) {
  const RegisteredRule* rule = find_rule(id);
  if (rule == nullptr || !selection.enabled(rule->rule->info)) return;
  for (Diagnostic& finding : report(project, rule->rule->info)) {
    finding.severity = selection.severity(*finding.rule, finding.severity);
    findings.push_back(std::move(finding));
  }
}

}  // namespace

Selection select_rules(const ScopeConfig& config, const Request& request) {
  Selection selection = config.selection;
  if (!request.select.empty()) selection.select = request.select;
  std::ranges::copy(request.ignore, std::back_inserter(selection.ignore));
  selection.preview = selection.preview || request.preview;
  return selection;
}

CheckedScope check_files(const Project& project, const Scope& scope, const Selection& selection) {
  return {project, scope, selection,
          run_file_rules(scope.corpus, all_rules(), selection, scope.jobs)};
}

CheckedScope check_edited_files(const Project& project, const Scope& scope,
                                const Selection& selection, const std::set<FileId>& edited,
                                const std::vector<Diagnostic>& before) {
  if (is_kustomized(scope.corpus)) return check_files(project, scope, selection);
  std::vector<const Document*> documents;
  for (const FileId file : edited) {
    for (const auto& document : project.documents[file]) documents.push_back(document.get());
  }
  const Corpus corpus{build_scope_model(project.sources, scope.settings, std::move(documents), {},
                                        scope.jobs, &project.facts)};
  return {project, scope, selection,
          run_file_rules_again(corpus, edited, before, all_rules(), selection, scope.jobs)};
}

ScopeFindings check_scope(const CheckedScope& checked, const Consequences* known) {
  const Scope& scope = checked.scope;
  ScopeFindings result;
  std::vector<Diagnostic>& findings = result.findings;
  findings =
      run_scope_rules(scope.corpus, checked.of_files, all_rules(), checked.selection, scope.jobs);
  drop_unfit_edits(scope, findings);
  const std::vector<Diagnostic> roots = visible_roots(checked.project, scope, findings);
  result.is_settled = known == nullptr || roots.empty();
  if (!result.is_settled) {
    result.consequences = *known;
  } else {
    result.consequences = find_consequences(checked, roots, findings);
  }
  std::erase_if(findings, [&](const Diagnostic& finding) {
    return is_about_placement(finding) &&
           result.consequences.contains({finding.rule->id, finding.message});
  });
  drop_edits_of_transcoded(checked.project.sources, findings);
  return result;
}

std::vector<Diagnostic> complete_findings(const CheckedScope& checked,
                                          std::vector<Diagnostic> findings) {
  const Project& project = checked.project;
  std::ranges::move(run_policies(project.config.config, checked.scope, checked.selection),
                    std::back_inserter(findings));
  tell_joins(project, checked.scope, findings);
  tell_defaults(project, findings);
  drop_ignored_paths(project, *checked.scope.config, findings);
  return findings;
}

std::vector<Diagnostic> merge_findings(const Project& project, const Request& request,
                                       std::vector<std::vector<Diagnostic>> found) {
  const ScopeConfig& top = project.config.config.top;
  std::vector<Diagnostic> findings;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(findings));
  const Selection selection = select_rules(top, request);
  add_of_config(
      "unknown-config-key", project, selection, findings,
      [](const auto& of, const auto& rule) { return report_unknown_keys(of.config, rule); });
  add_of_config("unmatched-config-path", project, selection, findings, report_unmatched_paths);
  if (request.renderer == nullptr) fold_unrendered_charts(project, selection, findings);
  drop_unrendered_files(project, findings);
  drop_ignored_paths(project, top, findings);
  drop_context_only(project, request.in_tree, findings);
  drop_fixes_elsewhere(project, findings);
  sort_and_merge(findings);
  suppress(project, selection, findings);
  sort_and_merge(findings);
  return findings;
}

}  // namespace gpulint
