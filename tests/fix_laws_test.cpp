// What fixing may never do, on every YAML file at hand and on files broken at random: the corpus
// (skipped where GPULINT_SHARED_DIR does not have it) and every rule case.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/check/run.h"
#include "compiler/driver/options.h"
#include "compiler/edit/fixer.h"
#include "compiler/engine/registry.h"
#include "compiler/fix/fix.h"
#include "compiler/ir/node.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "frontend/yaml_parser.h"
#include "tests/harness/edit_laws.h"
#include "tests/harness/golden.h"

namespace {

using namespace gpulint;
namespace fs = std::filesystem;

constexpr const char* name = "input.yaml";
/// Mutants of a short run; the environment variable GPULINT_MUTANTS says otherwise.
constexpr unsigned default_mutants = 600;
constexpr std::size_t largest_input = 60'000;

[[nodiscard]] std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[nodiscard]] std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".yaml" || extension == ".yml")) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

[[nodiscard]] std::vector<fs::path> corpus() {
  std::vector<fs::path> files = yaml_files(test::shared_folder("corpus"));
  REQUIRE_FALSE(files.empty());
  return files;
}

[[nodiscard]] Options fix_options() {
  const char* const words[] = {"gpulint",        "fix", "--no-config", "--jobs", "1",
                               "--unsafe-fixes", name};
  return *parse_options(std::size(words), words).options;
}

[[nodiscard]] bool take_all(const Project&, const Diagnostic&) { return true; }

/// Rules whose flaw hides others: what cannot be read, is not read, or stands in no place says
/// nothing; put right, it may say wrong things. What a pod asks for is held against nodes only
/// where its selector reaches some, and against their sum only where its tolerations let it in. To
/// other rules, a pod without a limit of GPUs requests none, a refused pool makes no node, and a
/// name that nothing has leads nowhere.
[[nodiscard]] bool uncovers(std::string_view rule) {
  static constexpr std::string_view rules[] = {"accelerator-table-lost",
                                               "alpha-gpu-api",
                                               "device-plugin-config",
                                               "duplicate-key",
                                               "flyte-value-type",
                                               "gpu-limit-missing",
                                               "invalid-toleration",
                                               "kind-spelling",
                                               "lost-toleration-entry",
                                               "misplaced-flyte-key",
                                               "misplaced-resources",
                                               "misspelt-reference",
                                               "non-string-value",
                                               "ray-param-type",
                                               "invalid-node-pool",
                                               "relies-on-extended-resource-toleration",
                                               "removed-api-version",
                                               "toleration-value-mismatch",
                                               "undefined-mig-config",
                                               "unknown-chart-key",
                                               "unknown-flyte-key",
                                               "unknown-gpu-label",
                                               "unknown-gpu-resource",
                                               "unknown-mig-profile",
                                               "unmatched-node-selector",
                                               "untolerated-taint"};
  return std::ranges::find(rules, rule) != std::end(rules);
}

/// Whether the rule reports only what no other finding reports.
[[nodiscard]] bool comes_last(std::string_view id) {
  const RegisteredRule* const found = find_rule(id);
  return found != nullptr && found->rule->check_after != nullptr;
}

/// Whether the edits remove the comment with the line below it, and both are also elsewhere: of two
/// equal entries one goes, with its comments.
[[nodiscard]] bool has_copy(std::string_view comment, const SourceFile& before,
                            const std::vector<Edit>& edits, const SourceFile& after) {
  return std::ranges::any_of(edits, [&](const Edit& edit) {
    const std::string_view removed = before.text(edit.span);
    const std::size_t at = removed.find(comment);
    if (at == std::string_view::npos) return false;
    const std::size_t end = removed.find('\n', at + comment.size() + 1);
    return after.text().find(removed.substr(at, end - at)) != std::string_view::npos;
  });
}

/// The text after one round of all fixes, and the laws that hold for each round.
[[nodiscard]] std::string fix_once(const std::string& text, const std::vector<Edit>& edits) {
  const SourceFile before(0, name, text);
  const SourceFile after(0, name, apply_edits(text, edits));
  CAPTURE(after.text());
  const test::Reading was = test::read_around(before);
  const test::Reading is = test::read_around(after);
  CHECK(is.errors <= was.errors);
  if (was.errors == 0) {
    std::vector<std::string> lost = test::lost_comments(was, is);
    std::erase_if(
        lost, [&](const std::string& comment) { return has_copy(comment, before, edits, after); });
    CHECK(lost == std::vector<std::string>{});
    CHECK(test::stray_changes(before, after, edits) == std::vector<std::string>{});
  }
  return std::string(after.text());
}

[[nodiscard]] bool is_written(Span span, const std::vector<Span>& places) {
  return std::ranges::any_of(
      places, [&](Span place) { return place.begin < span.end && span.begin < place.end; });
}

/// Where something is removed something is written, too, but for the second of two equal keys:
/// around it comes to light what it hid.
void drop_removals(std::vector<Span>& places) {
  std::erase_if(places, [](Span place) { return place.empty(); });
}

/// What all rounds of fixing make of a text.
struct Outcome {
  std::string text;
  std::vector<Diagnostic> findings;  // that remain
  RuleCounts before;
  std::set<std::string_view> fixing;  // rules
  std::vector<Span> written;
};

/// Fixes a text, or only what hides other flaws.
[[nodiscard]] Outcome fix_rounds(const std::string& text, bool only_uncovering) {
  const Options options = fix_options();
  Outcome outcome;
  outcome.text = text;
  constexpr int most_rounds = 10;
  for (int round = 0; round <= most_rounds; ++round) {
    const auto project = load_project(options, {{name, outcome.text}});
    outcome.findings = check_project(*project, options);
    if (round == 0) outcome.before = count_by_rule(outcome.findings, Severity::warning);
    std::vector<Diagnostic> chosen = outcome.findings;
    std::erase_if(chosen, [&](const Diagnostic& finding) {
      return !finding.fix || (only_uncovering && !uncovers(finding.rule->id));
    });
    const FixPlan plan = plan_round(project->sources, chosen);
    if (plan.edits.empty()) break;
    CHECK(round < most_rounds);
    for (const Diagnostic& finding : chosen) outcome.fixing.insert(finding.rule->id);
    REQUIRE(plan.edits.size() == 1);
    const std::vector<Edit>& edits = plan.edits.begin()->second;
    outcome.written =
        test::written_places(SourceFile(0, name, outcome.text), edits, outcome.written);
    outcome.text = fix_once(outcome.text, edits);
  }
  return outcome;
}

[[nodiscard]] std::ptrdiff_t total(const RuleCounts& counts) {
  std::ptrdiff_t sum = 0;
  for (const auto& [rule, count] : counts) sum += count;
  return sum;
}

/// Of each rule no more findings than allowed. More may come to light where a fix has more of the
/// file read, but only at places that no fix wrote, or in place of what that fix mended: a name
/// that is right now and that no node offers.
void check_findings(const Outcome& outcome, const RuleCounts& allowed) {
  std::vector<Span> written = outcome.written;
  if (outcome.fixing.contains("duplicate-key")) drop_removals(written);
  RuleCounts counts = count_by_rule(outcome.findings, Severity::warning);
  if (std::ranges::any_of(outcome.fixing, uncovers)) {
    for (const Diagnostic& finding : outcome.findings) {
      if (!is_written(finding.span, written)) --counts[finding.rule->id];
    }
    if (total(counts) <= total(outcome.before)) return;
  } else {
    for (const Diagnostic& finding : outcome.findings) {
      const bool was_hidden = comes_last(finding.rule->id) && !is_written(finding.span, written);
      if (was_hidden) --counts[finding.rule->id];
    }
  }
  for (const auto& [rule, count] : counts) {
    const auto most = allowed.find(rule);
    CAPTURE(rule, outcome.fixing, outcome.text);
    CHECK(count <= (most == allowed.end() ? 0 : most->second));
  }
}

/// What may be found after fixing: what was found before, and what comes to light when only that is
/// fixed which hides other flaws.
[[nodiscard]] RuleCounts allowed_findings(const std::string& text, const Outcome& outcome) {
  RuleCounts allowed = outcome.before;
  if (std::ranges::none_of(outcome.fixing, uncovers)) return allowed;
  Outcome uncovered = fix_rounds(text, true);
  // What the other fixes mend may stand in what these wrote: a name mended, then its missing limit.
  const RuleCounts left = count_by_rule(outcome.findings, Severity::warning);
  std::erase_if(uncovered.findings,
                [&](const Diagnostic& finding) { return !left.contains(finding.rule->id); });
  check_findings(uncovered, uncovered.before);
  for (const auto& [rule, count] : count_by_rule(uncovered.findings, Severity::warning)) {
    allowed[rule] = std::max(allowed[rule], count);
  }
  return allowed;
}

/// All laws on one text. Returns whether anything was fixed.
bool check_laws(const std::string& text) {
  const Outcome outcome = fix_rounds(text, false);
  check_findings(outcome, allowed_findings(text, outcome));
  if (outcome.text == text) return false;
  CAPTURE(outcome.text);
  CHECK(fix_inputs(fix_options(), take_all, {{name, outcome.text}}).files.empty());
  return true;
}

/// Breaks one entry of a mapping: deletes, doubles, re-cases or re-indents it.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }

  [[nodiscard]] std::string mutate(const std::string& text) {
    const SourceFile file(0, name, text);
    std::vector<Span> keys;
    std::vector<Span> entries;
    const auto documents = parse_file(file);
    for (const auto& document : documents) {
      for (NodeIndex i = 0; i < document->nodes.size(); ++i) {
        const Node node(*document, i);
        if (!node.key() || node.key().span().empty()) continue;
        keys.push_back(node.key().span());
        entries.push_back(node.entry_span());
      }
    }
    if (keys.empty()) return text;
    const std::size_t chosen = below(keys.size());
    const std::size_t begin = text.rfind('\n', keys[chosen].begin) + 1;
    std::size_t end = text.find('\n', std::max(entries[chosen].end, keys[chosen].end));
    end = end == std::string::npos ? text.size() : end + 1;
    return change(text, keys[chosen], begin, end);
  }

 private:
  [[nodiscard]] std::string change(const std::string& text, Span key, std::size_t begin,
                                   std::size_t end) {
    const std::string lines = text.substr(begin, end - begin);
    switch (below(5)) {
      case 0:
        return text.substr(0, begin) + text.substr(end);
      case 1:
        return text.substr(0, end) + (lines.ends_with('\n') ? "" : "\n") + lines + text.substr(end);
      case 2:
        return recased(text, key);
      case 3:
        return text.substr(0, begin) + "  " + text.substr(begin);
      default:
        return text.substr(0, begin) + indented(lines) + text.substr(end);
    }
  }

  /// One letter of the key in the other case.
  [[nodiscard]] std::string recased(std::string text, Span key) {
    char& letter = text[key.begin + below(key.size())];
    if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) letter ^= 0x20;
    return text;
  }

  [[nodiscard]] static std::string indented(const std::string& lines) {
    std::string result;
    for (std::size_t begin = 0; begin < lines.size();) {
      std::size_t end = lines.find('\n', begin);
      end = end == std::string::npos ? lines.size() : end + 1;
      result += "  " + lines.substr(begin, end - begin);
      begin = end;
    }
    return result;
  }

  std::mt19937 random_;
};

[[nodiscard]] unsigned mutant_count() {
  const char* const said = std::getenv("GPULINT_MUTANTS");
  return said == nullptr ? default_mutants : static_cast<unsigned>(std::strtoul(said, nullptr, 10));
}

}  // namespace

TEST_CASE("Fixing the corpus breaks no law") {
  std::size_t fixed = 0;
  for (const fs::path& path : corpus()) {
    const std::string text = read(path);
    if (text.size() > largest_input) continue;
    CAPTURE(path);
    if (check_laws(text)) ++fixed;
  }
  CHECK(fixed > 0);
  fmt::print("fixed files of the corpus: {}\n", fixed);
}

TEST_CASE("Fixing what was broken at random breaks no law") {
  std::vector<fs::path> files = yaml_files(GPULINT_SOURCE_DIR "/rules");
  std::ranges::move(yaml_files(GPULINT_SHARED_DIR "/corpus"), std::back_inserter(files));
  const unsigned count = mutant_count();
  std::size_t fixed = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    Mutator mutator(seed);
    const fs::path path = files[mutator.below(files.size())];
    std::string text = read(path);
    if (text.size() > largest_input) continue;
    for (std::size_t i = 1 + mutator.below(3); i > 0; --i) text = mutator.mutate(text);
    CAPTURE(seed, path, text);
    if (check_laws(text)) ++fixed;
  }
  CHECK(fixed > 0);
  fmt::print("fixed mutants: {} of {}\n", fixed, count);
}
