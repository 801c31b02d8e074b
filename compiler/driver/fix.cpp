#include "compiler/driver/fix.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/driver/check.h"
#include "compiler/engine/fixer.h"
#include "frontend/yaml_parser.h"

namespace gpulint {
namespace {

constexpr int max_rounds = 10;

[[nodiscard]] std::size_t count_syntax_errors(const std::string& path, const std::string& text) {
  const SourceFile file(0, path, text);
  std::size_t count = 0;
  for (const auto& document : parse_file(file)) count += document->errors.size();
  return count;
}

[[nodiscard]] bool still_parses(const SourceFile& before, const std::string& after) {
  return count_syntax_errors(before.path(), after) <=
         count_syntax_errors(before.path(), std::string(before.text()));
}

/// Fixes until a round changes nothing.
class Rounds {
 public:
  Rounds(const Options& options, const FixChooser& wanted, Overlay texts)
      : options_(options), wanted_(wanted), overlay_(std::move(texts)) {}

  [[nodiscard]] FixOutcome run() && {
    for (int round = 0;; ++round) {
      outcome_.project = load_project(options_, overlay_);
      if (round == 0) keep_standard_input();
      outcome_.remaining = check_project(*outcome_.project, options_);
      if (round == max_rounds || !apply_round()) break;
    }
    return std::move(outcome_);
  }

 private:
  /// It can be read only once; later rounds take it from here.
  void keep_standard_input() {
    if (std::ranges::find(options_.paths, "-") == options_.paths.end()) return;
    const SourceSet& sources = outcome_.project->sources;
    for (FileId id = 0; id < sources.size(); ++id) {
      if (sources.file(id).path() == stdin_name(options_)) {
        overlay_[sources.file(id).path()] = sources.file(id).text();
      }
    }
  }

  [[nodiscard]] std::vector<Diagnostic> wanted_fixes() const {
    std::vector<Diagnostic> chosen;
    for (const Diagnostic& finding : outcome_.remaining) {
      if (!finding.fix) continue;
      if (finding.fix->safety == Safety::unsafe && !options_.unsafe_fixes) continue;
      if (wanted_(*outcome_.project, finding)) chosen.push_back(finding);
    }
    return chosen;
  }

  [[nodiscard]] bool apply_round() {
    const FixPlan plan = plan_fixes(wanted_fixes(), Safety::unsafe);
    bool changed = false;
    for (const auto& [id, edits] : plan.edits) {
      const SourceFile& file = outcome_.project->sources.file(id);
      if (broken_.contains(file.path())) continue;
      std::string after = apply_edits(file.text(), edits);
      if (after == file.text()) continue;
      if (!still_parses(file, after)) {
        broken_.insert(file.path());
        continue;
      }
      const auto [at, is_new] = outcome_.files.try_emplace(file.path());
      if (is_new) at->second.before = file.text();
      at->second.after = after;
      overlay_[file.path()] = std::move(after);
      changed = true;
    }
    if (changed) outcome_.applied += plan.applied;
    return changed;
  }

  const Options& options_;
  const FixChooser& wanted_;
  Overlay overlay_;
  std::set<std::string> broken_;
  FixOutcome outcome_;
};

}  // namespace

FixOutcome fix_inputs(const Options& options, const FixChooser& wanted, Overlay texts) {
  return Rounds(options, wanted, std::move(texts)).run();
}

}  // namespace gpulint
