#include "compiler/fix/fix.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "compiler/edit/fixer.h"
#include "compiler/ir/node.h"
#include "compiler/ir/python.h"
#include "frontend/embedded.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

constexpr int max_rounds = 10;

[[nodiscard]] std::size_t count_repeated_keys(const Document& document) {
  std::size_t count = 0;
  walk(root(document), [&](Node mapping) {
    if (!mapping.is_mapping()) return;
    std::set<std::string_view> keys;
    for (const Node::Entry& entry : mapping.entries()) {
      if (entry.key.is_scalar() && !keys.insert(entry.key.text()).second) ++count;
    }
  });
  return count;
}

/// Syntax errors, and duplicate keys, also those in strings that contain YAML.
struct Faults {
  std::size_t errors = 0;
  std::size_t repeated_keys = 0;
};

[[nodiscard]] Faults count_faults(const std::string& path, const std::string& text) {
  const SourceFile file(0, path, text);
  Faults faults;
  if (python::is_source(path)) return faults;  // edits replace one literal by another
  for (const auto& document : parse_file(file)) {
    faults.errors += document->errors.size();
    faults.repeated_keys += count_repeated_keys(*document);
    for (const auto& inner : embedded_documents(*document, file)) {
      faults.repeated_keys += count_repeated_keys(*inner);
    }
  }
  return faults;
}

/// Fewer duplicate keys do not outweigh a syntax error; fewer errors may reveal more keys.
[[nodiscard]] bool is_no_worse(const SourceFile& file, const std::string& text) {
  const Faults before = count_faults(file.path(), std::string(file.text()));
  const Faults after = count_faults(file.path(), text);
  if (after.errors != before.errors) return after.errors < before.errors;
  return after.repeated_keys <= before.repeated_keys;
}

/// The files that the plan's edits break.
[[nodiscard]] std::set<FileId> broken_files(const SourceSet& sources, const FixPlan& plan) {
  std::set<FileId> broken;
  for (const auto& [id, edits] : plan.edits) {
    const SourceFile& file = sources.file(id);
    if (!is_no_worse(file, apply_edits(file.text(), edits))) broken.insert(id);
  }
  return broken;
}

[[nodiscard]] bool edits_any(const Diagnostic& finding, const std::set<FileId>& files) {
  return finding.fix && std::ranges::any_of(finding.fix->edits, [&](const Edit& edit) {
           return files.contains(edit.span.file);
         });
}

/// Adds to `kept` the fixes that break no file together with it: all, or in halves.
void add_harmless(const SourceSet& sources, std::span<const Diagnostic> fixes,
                  std::vector<Diagnostic>& kept) {
  const std::size_t before = kept.size();
  kept.insert(kept.end(), fixes.begin(), fixes.end());
  if (broken_files(sources, plan_fixes(kept, Safety::unsafe)).empty()) return;
  kept.resize(before);
  if (fixes.size() < 2) return;
  add_harmless(sources, fixes.first(fixes.size() / 2), kept);
  add_harmless(sources, fixes.subspan(fixes.size() / 2), kept);
}

/// Applies fixes until a round changes nothing.
class Rounds {
 public:
  Rounds(const Request& request, const FixChooser& wanted, Overlay texts, const CheckInputs& check)
      : request_(request), wanted_(wanted), overlay_(std::move(texts)), check_(check) {}

  [[nodiscard]] FixOutcome run() && {
    for (int round = 0;; ++round) {
      CheckedProject checked = check_(overlay_);
      outcome_.project = std::move(checked.project);
      outcome_.remaining = std::move(checked.findings);
      if (round == 0) keep_standard_input();
      if (round == max_rounds || !apply_round()) break;
    }
    outcome_.project->original_stdin = std::move(original_stdin_);
    return std::move(outcome_);
  }

 private:
  /// Standard input can be read only once; later rounds use this copy.
  void keep_standard_input() {
    original_stdin_ = outcome_.project->original_stdin;
    const SourceSet& sources = outcome_.project->sources;
    for (FileId id = 0; id < sources.size(); ++id) {
      if (overlay_name(request_, sources.file(id)) == "-") replace(sources.file(id));
    }
  }

  void replace(const SourceFile& file) { replace(file, std::string(file.text())); }
  void replace(const SourceFile& file, std::string text) {
    overlay_[overlay_name(request_, file)] = DecodedBytes(std::move(text), file.encoding());
  }

  [[nodiscard]] std::vector<Diagnostic> wanted_fixes() const {
    std::vector<Diagnostic> chosen;
    for (const Diagnostic& finding : outcome_.remaining) {
      if (!finding.fix) continue;
      if (finding.fix->safety == Safety::unsafe && !request_.unsafe_fixes) continue;
      if (wanted_(*outcome_.project, finding)) chosen.push_back(finding);
    }
    return chosen;
  }

  [[nodiscard]] bool apply_round() {
    const FixPlan plan = plan_round(outcome_.project->sources, wanted_fixes());
    bool changed = false;
    for (const auto& [id, edits] : plan.edits) {
      const SourceFile& file = outcome_.project->sources.file(id);
      std::string after = apply_edits(file.text(), edits);
      if (after == file.text()) continue;
      const auto [at, is_new] = outcome_.files.try_emplace(file.path());
      if (is_new) at->second.before = file.text();
      at->second.after = after;
      replace(file, std::move(after));
      changed = true;
    }
    if (changed) outcome_.applied += plan.applied;
    return changed;
  }

  const Request& request_;
  const FixChooser& wanted_;
  Overlay overlay_;
  const CheckInputs& check_;
  std::string original_stdin_;
  FixOutcome outcome_;
};

}  // namespace

FixPlan plan_round(const SourceSet& sources, const std::vector<Diagnostic>& findings) {
  FixPlan plan = plan_fixes(findings, Safety::unsafe);
  const std::set<FileId> broken = broken_files(sources, plan);
  if (broken.empty()) return plan;
  std::vector<Diagnostic> suspected;
  std::vector<Diagnostic> kept;
  std::ranges::partition_copy(
      findings, std::back_inserter(suspected), std::back_inserter(kept),
      [&](const Diagnostic& finding) { return edits_any(finding, broken); });
  add_harmless(sources, suspected, kept);
  return plan_fixes(kept, Safety::unsafe);
}

FixOutcome fix_in_rounds(const Request& request, const FixChooser& wanted, Overlay texts,
                         const CheckInputs& check) {
  return Rounds(request, wanted, std::move(texts), check).run();
}

}  // namespace gpulint
