// What fixing may never do, on every YAML file at hand and on files broken at random: the corpus
// (../shared/corpus, skipped aloud where it is not there) and every rule case.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/driver/check.h"
#include "compiler/driver/fix.h"
#include "compiler/driver/options.h"
#include "compiler/driver/project.h"
#include "compiler/engine/fixer.h"
#include "compiler/ir/node.h"
#include "frontend/yaml_parser.h"

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
  const std::vector<fs::path> files = yaml_files(GPULINT_SHARED_DIR "/corpus");
  if (files.empty()) WARN("skipped: no corpus in " GPULINT_SHARED_DIR);
  return files;
}

[[nodiscard]] Options fix_options() {
  const char* const words[] = {"gpulint",        "fix", "--no-config", "--jobs", "1",
                               "--unsafe-fixes", name};
  return *parse_options(std::size(words), words).options;
}

[[nodiscard]] std::vector<std::unique_ptr<Document>> parse(const SourceFile& file) {
  return parse_file(file);
}

[[nodiscard]] std::size_t count_errors(const std::vector<std::unique_ptr<Document>>& documents) {
  std::size_t count = 0;
  for (const auto& document : documents) count += document->errors.size();
  return count;
}

/// Where a byte of the old text stands in the new one; nothing inside of what was replaced.
[[nodiscard]] std::optional<std::uint32_t> moved(std::uint32_t at, const std::vector<Edit>& edits) {
  std::int64_t shift = 0;
  for (const Edit& edit : edits) {
    if (edit.span.end <= at) {
      shift += std::int64_t(edit.text.size()) - std::int64_t(edit.span.size());
    } else if (edit.span.begin <= at) {
      return std::nullopt;
    }
  }
  return static_cast<std::uint32_t>(std::int64_t(at) + shift);
}

[[nodiscard]] bool touches(Span span, const std::vector<Edit>& edits) {
  return std::ranges::any_of(edits, [&](const Edit& edit) {
    return edit.span.begin <= span.end && span.begin <= edit.span.end;
  });
}

/// Every scalar, key or value, by where it begins.
[[nodiscard]] std::map<std::uint32_t, Node> scalars_of(
    const std::vector<std::unique_ptr<Document>>& documents) {
  std::map<std::uint32_t, Node> found;
  for (const auto& document : documents) {
    for (NodeIndex i = 0; i < document->nodes.size(); ++i) {
      const Node node(*document, i);
      if (node.is_scalar() && !node.span().empty()) found.emplace(node.span().begin, node);
    }
  }
  return found;
}

/// Scalars that no edit touches are the same after it, and stand in the same collection.
void check_untouched(const SourceFile& before, const SourceFile& after,
                     const std::vector<Edit>& edits) {
  const auto old_documents = parse(before);
  const auto new_documents = parse(after);
  if (count_errors(old_documents) > 0) return;
  const auto now = scalars_of(new_documents);
  for (const auto& [begin, node] : scalars_of(old_documents)) {
    if (touches(node.span(), edits)) continue;
    const auto place = moved(begin, edits);
    if (!place) continue;
    const auto same = now.find(*place);
    CAPTURE(before.text(node.span()), before.position(begin).line);
    REQUIRE(same != now.end());
    CHECK(same->second.text() == node.text());
    if (!node.key() || touches(node.key().span(), edits)) continue;
    CHECK(same->second.key().text() == node.key().text());
  }
}

[[nodiscard]] std::vector<std::string> comments_of(const SourceFile& file) {
  std::vector<std::string> comments;
  for (const auto& document : parse(file)) {
    for (const Span span : document->comments) {
      const std::string text(file.text(span));
      // Suppressions that silence nothing are what gpulint itself removes.
      if (text.find("gpulint:") == std::string::npos) comments.push_back(text);
    }
  }
  std::ranges::sort(comments);
  return comments;
}

[[nodiscard]] std::map<std::string_view, std::ptrdiff_t> count_errors_by_rule(
    const std::vector<Diagnostic>& findings) {
  std::map<std::string_view, std::ptrdiff_t> counts;
  for (const Diagnostic& finding : findings) {
    if (finding.severity == Severity::error) ++counts[finding.rule->id];
  }
  return counts;
}

/// A document of no kind, or fields at no place, say nothing; put right, they may say wrong things.
[[nodiscard]] bool uncovers(const Diagnostic& finding) {
  static constexpr std::string_view rules[] = {"kind-spelling",
                                               "misplaced-resources",
                                               "misplaced-flyte-key",
                                               "unknown-flyte-key",
                                               "removed-api-version",
                                               "duplicate-key",
                                               "alpha-affinity-annotation",
                                               "unknown-gpu-resource",
                                               "alpha-nvidia-gpu",
                                               "non-string-value",
                                               "flyte-value-type",
                                               "lost-toleration-entry",
                                               "invalid-toleration",
                                               "device-plugin-config"};
  return finding.fix && std::ranges::find(rules, finding.rule->id) != std::end(rules);
}

/// All laws on one text. Returns whether anything was fixed.
bool check_laws(const std::string& text) {
  const Options options = fix_options();
  const auto project = load_project(options, {{name, text}});
  const std::vector<Diagnostic> findings = check_project(*project, options);
  const bool is_fixable =
      std::ranges::any_of(findings, [](const Diagnostic& finding) { return bool(finding.fix); });
  if (!is_fixable) return false;
  const SourceFile before(0, name, text);
  const auto plan = plan_fixes(findings, Safety::unsafe).edits;
  for (const auto& [id, edits] : plan) {
    if (project->sources.file(id).path() != name) continue;
    const SourceFile after(0, name, apply_edits(text, edits));
    CAPTURE(after.text());
    check_untouched(before, after, edits);
  }
  const FixOutcome outcome =
      fix_inputs(options, [](const Project&, const Diagnostic&) { return true; }, {{name, text}});
  const auto fixed = outcome.files.find(name);
  if (fixed == outcome.files.end()) return false;
  CAPTURE(fixed->second.after);
  const SourceFile after(0, name, fixed->second.after);
  CHECK(count_errors(parse(after)) <= count_errors(parse(before)));
  if (count_errors(parse(before)) == 0) {
    const auto old_comments = comments_of(before);
    const auto new_comments = comments_of(after);
    CHECK(std::ranges::includes(new_comments, old_comments));
  }
  const FixOutcome again =
      fix_inputs(options, [](const Project&, const Diagnostic&) { return true; },
                 {{name, fixed->second.after}});
  CHECK(again.files.empty());
  if (std::ranges::none_of(findings, uncovers)) {
    auto allowed = count_errors_by_rule(findings);
    for (const auto& [rule, count] : count_errors_by_rule(outcome.remaining)) {
      CAPTURE(rule);
      CHECK(count <= allowed[rule]);
    }
  }
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
    const auto documents = parse(file);
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
  if (!corpus().empty()) CHECK(fixed > 0);
  fmt::print("fixed files of the corpus: {}\n", fixed);
}

TEST_CASE("Fixing what was broken at random breaks no law") {
  std::vector<fs::path> files = yaml_files(GPULINT_SOURCE_DIR "/rules");
  std::ranges::move(corpus(), std::back_inserter(files));
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
