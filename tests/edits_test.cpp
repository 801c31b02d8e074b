// After any edits, findings and fixes are those of a fresh run: over projects, incidents and cases
// of rules whose documents are files of their own. GPULINT_EDITS: how many times as many edits;
// GPULINT_SEED: those of an earlier run.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/pipeline.h"
#include "frontend/stream.h"

namespace {

using namespace gpulint;
namespace fs = std::filesystem;

constexpr std::size_t largest_project = 400'000;  // bytes
constexpr int edits_of_project = 8;
constexpr int edits_of_case = 4;
constexpr std::size_t one_case_in = 12;

[[nodiscard]] unsigned variable(const char* name, unsigned otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::stoul(text));
}

[[nodiscard]] std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files of a folder, in memory.
[[nodiscard]] Overlay project_in(const fs::path& folder) {
  Overlay files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder);
    if (entry.is_regular_file()) files.emplace("/" + name, DecodedBytes(read(entry.path())));
  }
  return files;
}

/// Each document of a case is a file.
[[nodiscard]] Overlay project_of(const fs::path& path) {
  const std::string text = read(path);
  Overlay files;
  for (const DocumentText& part : split_stream(text)) {
    files.emplace(fmt::format("/part-{}.yaml", files.size()),
                  DecodedBytes(text.substr(part.begin, part.end - part.begin)));
  }
  return files;
}

/// Everything that a finding says, by line.
[[nodiscard]] std::string describe(const Project& project,
                                   const std::vector<Diagnostic>& findings) {
  std::string text;
  const auto add = [&](Span span, const auto& what) {
    text += fmt::format("  {} {}-{} {}\n", project.sources.file(span).path(), span.begin, span.end,
                        what);
  };
  for (const Diagnostic& finding : findings) {
    text += fmt::format("{} {} {}\n", finding.rule->id, to_string(finding.severity), finding.path);
    add(finding.span, finding.message);
    add(finding.span, finding.help);
    for (const std::string& further : finding.further) add(finding.span, further);
    for (const Label& label : finding.related) add(label.span, label.message);
    if (!finding.fix) continue;
    text += fmt::format("  {}: {}\n", to_string(finding.fix->safety), finding.fix->title);
    for (const Edit& edit : finding.fix->edits) add(edit.span, edit.text);
  }
  return text;
}

class RandomEdits {
 public:
  RandomEdits(Overlay files, unsigned seed) : first_(std::move(files)), random_(seed) {
    for (const auto& [path, text] : first_) paths_.push_back(path);
  }

  [[nodiscard]] const std::string& choose() { return paths_[random_() % paths_.size()]; }

  /// One edit of a text: of a digit, a line or a word, or many at once.
  [[nodiscard]] std::string edit(const std::string& path, std::string text) {
    const std::string& other = first_.at(choose()).text;
    const std::size_t at = text.empty() ? 0 : random_() % text.size();
    const std::size_t line = text.rfind('\n', at) == text.npos ? 0 : text.rfind('\n', at) + 1;
    const std::size_t next =
        std::min(text.find('\n', at), text.size() - (text.empty() ? 0 : 1)) + 1;
    switch (random_() % 8) {
      case 0:
        return text.erase(line, next - line);
      case 1:
        return text.insert(line, text.substr(line, next - line));
      case 2:
        return text + "---\n" + other;
      case 3:
        return random_() % 4 == 0 ? std::string() : first_.at(path).text;
      case 4:
        return replace_word(std::move(text), at, word_at(other, random_() % (other.size() + 1)));
      default: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != text.npos) text[digit] = static_cast<char>('0' + random_() % 10);
        return text;
      }
    }
  }

 private:
  static constexpr const char* ends = " \n\"':,{}[]";

  [[nodiscard]] static std::string word_at(const std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_not_of(ends, at);
    if (begin == text.npos) return "x";
    return text.substr(begin, text.find_first_of(ends, begin) - begin);
  }

  [[nodiscard]] static std::string replace_word(std::string text, std::size_t at,
                                                const std::string& word) {
    const std::size_t begin = text.find_first_not_of(ends, at);
    if (begin == text.npos) return text;
    return text.replace(begin, std::min(text.find_first_of(ends, begin), text.size()) - begin,
                        word);
  }

  Overlay first_;
  std::vector<std::string> paths_;
  std::minstd_rand random_;
};

struct Counts {
  int followed = 0;
  int loaded = 0;
  int with_findings = 0;
};

void check_edits(const Overlay& texts, int edits, unsigned seed, Counts& counts) {
  if (texts.empty()) return;
  Request request;
  request.paths = {"."};
  request.groups_pods = true;
  request.preview = true;
  MemoryFiles files(texts);
  auto live = std::make_unique<LiveCheck>(request, files);
  (void)live->findings();
  RandomEdits random(texts, seed);
  Overlay now = texts;
  for (int i = 0; i < edits; ++i) {
    const std::string& path = random.choose();
    std::string text = random.edit(path, now.at(path).text);
    now.at(path) = DecodedBytes(text);
    files.set(path, now.at(path));
    const SourceSet& sources = live->project().sources;
    FileId id = 0;
    while (id < sources.size() && "/" + sources.file(id).path() != path) ++id;
    if (id < sources.size() && live->edit(id, text)) {
      ++counts.followed;
    } else {
      live = std::make_unique<LiveCheck>(request, files);
      ++counts.loaded;
    }
    (void)live->findings();
    while (live->verify_next()) {
    }
    const std::vector<Diagnostic> found = live->findings();
    const auto fresh = load_project(request, files);
    INFO(path << " is now:\n" << text);
    REQUIRE(describe(live->project(), found) == describe(*fresh, check_project(*fresh, request)));
    REQUIRE(live->project().errors == fresh->errors);
    REQUIRE(live->project().document_count == fresh->document_count);
    if (!found.empty()) ++counts.with_findings;
  }
}

/// Too few edits that are followed would prove nothing.
void expect_enough(const Counts& counts) {
  UNSCOPED_INFO(fmt::format("{} followed, {} loaded, {} with findings", counts.followed,
                            counts.loaded, counts.with_findings));
  CHECK(counts.followed * 2 > counts.loaded);
  CHECK(counts.with_findings * 2 > counts.followed);
}

}  // namespace

TEST_CASE("After edits of projects and incidents, findings are those of a fresh run") {
  const unsigned seed = variable("GPULINT_SEED", 1);
  std::vector<fs::path> folders = {GPULINT_SOURCE_DIR "/testdata/quickstart"};
  for (const char* const parent : {"projects", "incidents", "kustomize"}) {
    for (const auto& entry :
         fs::directory_iterator(fs::path(GPULINT_SOURCE_DIR) / "testdata" / parent)) {
      if (entry.is_directory()) folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  Counts counts;
  for (const fs::path& folder : folders) {
    const Overlay files = project_in(folder);
    std::size_t size = 0;
    for (const auto& [path, text] : files) size += text.text.size();
    if (size > largest_project) continue;
    INFO(folder);
    check_edits(files, edits_of_project * static_cast<int>(variable("GPULINT_EDITS", 1)), seed,
                counts);
  }
  expect_enough(counts);
}

TEST_CASE("After edits of cases in files, findings are those of a fresh run") {
  const unsigned seed = variable("GPULINT_SEED", 1);
  std::vector<fs::path> cases;
  for (const auto& entry : fs::recursive_directory_iterator(GPULINT_SOURCE_DIR "/rules")) {
    if (entry.path().extension() == ".yaml" && entry.path().parent_path().filename() == "cases") {
      cases.push_back(entry.path());
    }
  }
  std::ranges::sort(cases);
  std::minstd_rand random(seed);
  std::ranges::shuffle(cases, random);
  cases.resize(cases.size() / one_case_in);
  Counts counts;
  for (const fs::path& path : cases) {
    INFO(path);
    check_edits(project_of(path), edits_of_case * static_cast<int>(variable("GPULINT_EDITS", 1)),
                seed, counts);
  }
  expect_enough(counts);
}
