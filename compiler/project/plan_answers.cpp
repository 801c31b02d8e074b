#include "compiler/project/plan_answers.h"

#include <algorithm>

namespace gpulint {
namespace {

/// Calls `visit` with each list of named texts.
void each_list(auto& content, const auto& visit) {
  visit(content.nodes);
  for (auto& [what, objects] : content.objects) visit(objects);
  for (auto& [kind, definitions] : content.definitions) visit(definitions);
}

}  // namespace

ContentReader PlanAnswers::keeping(const ContentReader& read) {
  const auto holds = [this, &read](FileId file, const ReleaseSource& source) {
    const bool is_held = read.releases.holds(file, source);
    const std::lock_guard lock(mutex_);
    std::set<FileId>& holders = holders_[source];
    if (is_held) holders.insert(file);
    return is_held;
  };
  return {.content = keep(&OfFile::content, read.content),
          .values = keep(&OfFile::values, read.values),
          .needs = keep(&OfFile::needs, read.needs),
          .releases = {keep(&OfFile::sources, read.releases.sources), holds}};
}

bool PlanAnswers::is_alike(FileContent before, FileContent now) const {
  std::set<std::string> repeated;
  for (const auto& [file, answers] : files_) {
    if (file == before.file || !answers.content) continue;
    each_list(*answers.content, [&](const NamedTexts& texts) {
      for (const auto& [name, hash] : texts) repeated.insert(name);
    });
  }
  for (FileContent* const content : {&before, &now}) {
    std::set<std::string> own;
    each_list(*content, [&](const NamedTexts& texts) {
      for (const auto& [name, hash] : texts) {
        if (!own.insert(name).second) repeated.insert(name);
      }
    });
  }
  for (FileContent* const content : {&before, &now}) {
    each_list(*content, [&](NamedTexts& texts) {
      for (auto& [name, hash] : texts) {
        if (!repeated.contains(name)) hash = 0;
      }
    });
  }
  return before == now;
}

bool PlanAnswers::still_hold(const ContentReader& read, FileId file) const {
  const auto is_held = [&](const auto& asked) {
    return read.releases.holds(file, asked.first) == asked.second.contains(file);
  };
  if (!std::ranges::all_of(holders_, is_held)) return false;
  const auto found = files_.find(file);
  if (found == files_.end()) return true;
  const OfFile& before = found->second;
  const auto is_same = [&](const auto& answer, const auto& again) {
    return !answer || *answer == again(file);
  };
  if (!is_same(before.values, read.values) || !is_same(before.needs, read.needs) ||
      !is_same(before.sources, read.releases.sources)) {
    return false;
  }
  return is_same(before.content, read.content) || is_alike(*before.content, read.content(file));
}

}  // namespace gpulint
