// The same things written otherwise get the same verdicts: every rule case, and every file of the
// corpus (skipped where GPULINT_SHARED_DIR does not have it), the incidents and the defects in
// which something is found, under every transform of harness/metamorphic.h.
#include "tests/harness/metamorphic.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/ir/node.h"
#include "compiler/pipeline.h"
#include "compiler/project/project.h"
#include "tests/harness/case_runner.h"
#include "tests/harness/golden.h"
#include "tests/harness/yaml_tree.h"

namespace {

using namespace gpulint;
using test::Inputs;
using test::InputText;
using test::Transform;
namespace fs = std::filesystem;

/// Inputs that belong together.
struct Subject {
  std::string name;
  fs::path folder;  // where it runs
  Options options;  // all but the names of files
  Inputs inputs;
  bool names_files = false;    // arguments, gpulint.yaml or a chart know files by their names
  bool is_kustomized = false;  // a kustomization names them
};

[[nodiscard]] Options options_of(std::vector<std::string> words) {
  words.insert(words.end(), {"--jobs", "1"});
  return test::parse_arguments(words);
}

[[nodiscard]] Subject subject_of(const test::RuleCase& rule_case) {
  const fs::path input = rule_case.input;
  const bool is_folder = fs::is_directory(input);
  Subject subject{.name = fs::relative(input, GPULINT_SOURCE_DIR "/rules"),
                  .folder = is_folder ? input : input.parent_path(),
                  .options = {},
                  .inputs = {}};
  std::vector<std::string> words = test::case_arguments(rule_case);
  if (const auto at = std::ranges::find(words, "--select"); at != words.end()) {
    words.erase(at, at + 2);
  }
  const auto end = std::ranges::find(words, "--");
  for (auto at = std::next(end); at != words.end(); ++at) {
    subject.inputs.push_back({*at, test::read_file(subject.folder / *at)});
  }
  words.erase(end, words.end());
  subject.options = options_of(words);
  const auto holds = [&](std::string_view name) {
    return std::ranges::any_of(subject.inputs,
                               [&](const InputText& file) { return file.name.ends_with(name); });
  };
  const bool has_arguments = words != std::vector<std::string>{"--no-config", "--preview"};
  subject.names_files = is_folder && (has_arguments || holds("Chart.yaml"));
  subject.is_kustomized = holds("kustomization.yaml");
  return subject;
}

[[nodiscard]] std::vector<Subject> subjects_below(const fs::path& root) {
  const std::string folder = root.filename();
  std::vector<Subject> subjects;
  const Options options = options_of({"--no-config", "--preview"});
  constexpr std::size_t largest = 60'000;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    if (extension != ".yaml" && extension != ".yml") continue;
    std::string text = test::read_file(entry.path());
    if (text.size() > largest) continue;
    subjects.push_back({.name = folder / fs::relative(entry.path(), root),
                        .folder = fs::temp_directory_path(),
                        .options = options,
                        .inputs = {{entry.path().filename(), std::move(text)}}});
  }
  std::ranges::sort(subjects, {}, &Subject::name);
  return subjects;
}

[[nodiscard]] std::string without(std::string text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
    text.erase(at, word.size());
  }
  return text;
}

/// What a finding speaks of, wherever that stands: the object, in a List or not, and the key path
/// in it.
[[nodiscard]] std::string place_of(const Project& project, const Diagnostic& finding) {
  if (finding.span.file >= project.documents.size()) return finding.path;  // a file of tasks
  Node object;
  for (const auto& document : project.documents[finding.span.file]) {
    const Span span = document->span;
    if (document->host == nullptr && span.begin <= finding.span.begin &&
        finding.span.begin <= span.end) {
      object = root(*document);
    }
  }
  std::string path = finding.path;
  if (object.get("kind").text() == "List") {
    for (std::size_t i = 0; const Node item : object.get("items").items()) {
      const std::string prefix = fmt::format("items[{}]", i++);
      const Span span = item.span();
      if (finding.span.begin < span.begin || finding.span.begin > span.end) continue;
      if (path.starts_with(prefix)) path.erase(0, std::min(path.size(), prefix.size() + 1));
      object = item;
      break;
    }
  }
  const std::string place = fmt::format("{}/{}/{} {}", object.get("kind").text(),
                                        object.at("metadata", "namespace").text(),
                                        object.at("metadata", "name").text(), path);
  return without(place, test::renaming_mark);
}

/// What a transform moves in the findings of a rule: they must still be there, as many and as
/// severe, but may stand elsewhere and name something else.
struct Moved {
  std::string_view transform;  // begins so
  std::string_view rule;
  std::string_view why;
};
constexpr Moved moved[] = {
    {"keys", "impossible-mig-layout", "stands at the first of the entries that do not go together"},
    {"keys", "multiple-mig-in-container", "stands at the first of the devices"},
    {"keys", "misplaced-flyte-key", "names the first of the keys that stand in the wrong place"},
    {"keys", "misspelt-reference", "lists what is there in the order of the file"},
    {"documents reversed", "no-node-fits", "of nodes equally near the first is named"},
    {"documents reversed", "unguarded-gpu-nodes", "of several nodes the first is named"},
    {"documents reversed", "unmatched-node-selector", "of several workloads the first is named"},
    {"in a List", "yaml-syntax", "text that cannot be read has no key path"}};

[[nodiscard]] bool is_moved(const Transform& transform, std::string_view rule) {
  return std::ranges::any_of(moved, [&](const Moved& one) {
    return transform.name.starts_with(one.transform) && rule == one.rule;
  });
}

/// The verdicts on inputs, sorted: one line each, as far as the transform keeps them.
[[nodiscard]] std::vector<std::string> verdicts_on(const Subject& subject, const Inputs& inputs,
                                                   const Transform& transform) {
  Options options = subject.options;
  Overlay overlay;
  for (const InputText& input : inputs) {
    options.paths.push_back(input.name);
    overlay[input.name] = input.text;
  }
  const auto project = load_project(options, overlay);
  std::vector<std::string> verdicts;
  const bool keeps_places = transform.keeps == Transform::Keeps::places;
  for (const Diagnostic& finding : check_project(*project, options)) {
    std::string verdict = fmt::format("{} {}", to_string(finding.severity), finding.rule->id);
    if (!is_moved(transform, finding.rule->id)) {
      // "`---` is missing before line 8": the line depends on the writing.
      const std::string said = finding.message.substr(0, finding.message.find(" before line "));
      verdict += ": " + without(said, test::renaming_mark);
      if (keeps_places) verdict += " | " + place_of(*project, finding);
    }
    verdicts.push_back(std::move(verdict));
  }
  for (const std::string& error : project->errors) verdicts.push_back("cannot run: " + error);
  std::ranges::sort(verdicts);
  if (!keeps_places) {
    const auto rest = std::ranges::unique(verdicts);
    verdicts.erase(rest.begin(), rest.end());
  }
  return verdicts;
}

/// Differences that are known flaws of the program. `witness` must differ still: when it does not,
/// the flaw is mended, and the entry goes.
struct Known {
  std::string_view transform;
  std::string_view words;    // that the verdicts hold which differ
  std::string_view witness;  // subject
  std::string_view why;
};
constexpr std::array<Known, 0> known{};  // none is known

/// Transforms of which this is the same are compared with the same verdicts.
[[nodiscard]] std::string kind_of_comparison(const Transform& transform) {
  std::string kind = transform.keeps == Transform::Keeps::places ? "places" : "words";
  for (const Moved& one : moved) {
    if (transform.name.starts_with(one.transform)) kind += fmt::format(", {}", one.rule);
  }
  return kind;
}

struct Counts {
  std::size_t subjects = 0;
  std::size_t compared = 0;
  std::size_t not_applicable = 0;
  std::size_t left_for_long_run = 0;
  std::size_t known = 0;  // compared, and different as known
};

[[nodiscard]] std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

/// GPULINT_METAMORPHIC=all compares everything; else one comparison in `sampled`.
[[nodiscard]] bool compares_all() { return std::getenv("GPULINT_METAMORPHIC") != nullptr; }
constexpr std::uint64_t sampled = 6;

/// GPULINT_SUBJECT compares the subjects alone whose names hold it, such as
/// `taint/cases/two-lists`.
[[nodiscard]] bool is_asked_about(const Subject& subject) {
  const char* const part = std::getenv("GPULINT_SUBJECT");
  return part == nullptr || subject.name.find(part) != std::string::npos;
}

[[nodiscard]] std::vector<std::string> meanings(const Inputs& inputs) {
  std::vector<std::string> all;
  for (const InputText& input : inputs) {
    std::ranges::move(test::meaning_of(input.text), std::back_inserter(all));
  }
  return all;
}

[[nodiscard]] std::vector<std::string> missing_in(const std::vector<std::string>& these,
                                                  const std::vector<std::string>& those) {
  std::vector<std::string> missing;
  std::ranges::set_difference(these, those, std::back_inserter(missing));
  return missing;
}

[[nodiscard]] bool is_known(const Transform& transform, std::string_view verdict) {
  return std::ranges::any_of(known, [&](const Known& one) {
    return one.transform == transform.name && verdict.find(one.words) != std::string_view::npos;
  });
}

[[nodiscard]] bool is_witness(const Subject& subject, const Transform& transform) {
  return std::ranges::any_of(known, [&](const Known& one) {
    return one.transform == transform.name && one.witness == subject.name;
  });
}

/// Takes out what differs and is known to, and tells whether anything was.
[[nodiscard]] bool drop_known(const Transform& transform, std::vector<std::string>& differing) {
  return std::erase_if(differing, [&](const std::string& verdict) {
           return is_known(transform, verdict);
         }) > 0;
}

/// What yaml-syntax says of the writing itself may be gone where all is written anew.
void drop_writing(const Transform& transform, std::vector<std::string>& lost) {
  if (transform.writing == Transform::Written::as_it_was) return;
  std::erase_if(lost, [](const std::string& verdict) {
    return verdict.find(" yaml-syntax") != std::string::npos;
  });
}

/// Verdicts that depend on what a transform changes: they may be lost or found.
struct Dependent {
  std::string_view transform;
  std::string_view words;  // of the verdict
  std::string_view why;
};
constexpr Dependent dependent[] = {
    {"objects renamed", " misspelt-reference", "a slip of the old name is none of the new one"},
    {"objects renamed", " no-node-fits: the volume of ",
     "a claim has its StatefulSet's name and a number"},
    {"one file for each document", " unguarded-gpu-nodes", "one finding for each file"},
    {"one file for each document", " misspelt-reference", "a file is complete with what it names"},
    {"files joined", " misspelt-reference", "a file is complete with what it names"},
    {"in a List", " misspelt-reference: unknown DeviceClass", "what a cluster lists is complete"},
    {"List taken apart", " misspelt-reference: unknown DeviceClass",
     "what a cluster lists is complete"},
    {"List taken apart", " duplicate-key: ", "a missing `---` is one only outside of lists"},
    {"values defined under another key", ": `x-s", "the key that the transform adds"},
    {"merge keys", ": `x-s", "the key that the transform adds"}};

/// Returns whether any was taken out.
[[nodiscard]] bool drop_dependent(const Transform& transform, std::vector<std::string>& differing) {
  return std::erase_if(differing, [&](const std::string& verdict) {
           return std::ranges::any_of(dependent, [&](const Dependent& one) {
             return transform.name == one.transform && verdict.find(one.words) != std::string::npos;
           });
         }) > 0;
}

/// Whether the flaw is one of the writing: a missing `---` can only be seen between keys at the
/// start of a line, and text behind one only where the line begins with it.
[[nodiscard]] bool is_about_writing(const Subject& subject, const Transform& transform) {
  if (subject.name.find("/missing-separator") != std::string::npos) {
    return transform.writing != Transform::Written::as_it_was;
  }
  return subject.name.ends_with("/behind-the-separator.yaml") &&
         transform.name == "byte order mark";
}

/// Patches are meant for other files: neither they nor their bases can be put elsewhere.
[[nodiscard]] bool applies(const Subject& subject, const Transform& transform) {
  if (is_about_writing(subject, transform)) return false;
  if (transform.files == Transform::Files::other && subject.names_files) return false;
  return transform.meaning == Transform::Meaning::same || !subject.is_kustomized;
}

void compare(const Subject& subject, const Transform& transform, const auto& verdicts_before,
             Counts& counts) {
  const auto changed = applies(subject, transform) ? transform.apply(subject.inputs) : std::nullopt;
  if (!changed) {
    ++counts.not_applicable;
    return;
  }
  ++counts.compared;
  std::string text;
  for (const InputText& input : *changed) text += "# " + input.name + "\n" + input.text;
  INFO(transform.name << " of " << subject.name);
  INFO(text);
  if (transform.meaning == Transform::Meaning::same) {
    CHECK(meanings(subject.inputs) == meanings(*changed));
  }
  const auto& before = verdicts_before(transform);
  const auto after = verdicts_on(subject, *changed, transform);
  auto lost = missing_in(before, after);
  auto found = missing_in(after, before);
  const bool loses_known = drop_known(transform, lost);
  const bool differs_as_known = drop_known(transform, found) || loses_known;
  drop_writing(transform, lost);
  const bool loses_dependent = drop_dependent(transform, lost);
  // A slip of an object's name is another finding once the object is renamed, but no new one.
  if (loses_dependent || transform.name != "objects renamed") {
    static_cast<void>(drop_dependent(transform, found));
  }
  counts.known += differs_as_known ? 1 : 0;
  CHECK(lost == std::vector<std::string>{});
  CHECK(found == std::vector<std::string>{});
  if (is_witness(subject, transform)) {
    INFO("mended: take it out of `known`");
    CHECK(differs_as_known);
  }
}

void compare_all(const std::vector<Subject>& subjects, std::string_view what) {
  const fs::path here = fs::current_path();
  const std::vector<Transform> transforms = test::all_transforms();
  Counts counts;
  for (const Subject& subject : subjects) {
    if (!is_asked_about(subject)) continue;
    fs::current_path(subject.folder);
    ++counts.subjects;
    std::map<std::string, std::vector<std::string>> before;
    const auto verdicts_before = [&](const Transform& transform) -> const auto& {
      const auto [entry, is_new] = before.try_emplace(kind_of_comparison(transform));
      if (is_new) entry->second = verdicts_on(subject, subject.inputs, transform);
      return entry->second;
    };
    for (const Transform& transform : transforms) {
      const std::uint64_t hash = hash_of(subject.name + std::string(transform.name));
      const bool is_chosen = hash % sampled == 0 || is_witness(subject, transform);
      if (!compares_all() && !is_chosen) {
        ++counts.left_for_long_run;
        continue;
      }
      compare(subject, transform, verdicts_before, counts);
    }
  }
  fs::current_path(here);
  fmt::print(
      "{}: {} subjects, {} transforms; {} compared ({} differ as known), {} do not apply, {} left "
      "for the long run\n",
      what, counts.subjects, transforms.size(), counts.compared, counts.known,
      counts.not_applicable, counts.left_for_long_run);
  CHECK(counts.compared > counts.subjects);
}

/// Compares every file below a folder in which something is found.
void compare_folder(const fs::path& root) {
  const fs::path here = fs::current_path();
  std::vector<Subject> subjects = subjects_below(root);
  const Transform none{.name = {}, .apply = {}};
  std::erase_if(subjects, [&](const Subject& subject) {
    if (!is_asked_about(subject)) return true;
    fs::current_path(subject.folder);
    return verdicts_on(subject, subject.inputs, none).empty();
  });
  fs::current_path(here);
  REQUIRE((!subjects.empty() || std::getenv("GPULINT_SUBJECT") != nullptr));
  compare_all(subjects, root.filename().string());
}

}  // namespace

TEST_CASE("Rule cases get the same verdicts however they are written") {
  std::vector<Subject> subjects;
  for (const test::RuleCase& rule_case : test::find_rule_cases()) {
    if (!rule_case.holds_python()) subjects.push_back(subject_of(rule_case));
  }
  compare_all(subjects, "rule cases");
}

TEST_CASE("Incidents get the same verdicts however they are written") {
  compare_folder(GPULINT_SOURCE_DIR "/testdata/incidents");
}

TEST_CASE("Defects get the same verdicts however they are written") {
  compare_folder(GPULINT_SOURCE_DIR "/testdata/defects");
}

TEST_CASE("The corpus gets the same verdicts however it is written") {
  compare_folder(test::shared_folder("corpus"));
}
