#include "compiler/engine/rule.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/dra/dra.h"
#include "rules/misspelt-reference/find_references.h"
#include "rules/support/placement_causes.h"
#include "rules/support/typos.h"

namespace gpulint::rules::misspelt_reference {
namespace {

using Places = std::map<std::string, Node, std::less<>>;

/// The classes that claims and templates name, each with its first place.
[[nodiscard]] Places named_classes(const Corpus& corpus) {
  Places places;
  for (const KubernetesObject& object : corpus.objects) {
    for (const DeviceRequest& request : read_device_requests(object)) {
      const Field<std::string>& name = request.device_class;
      if (name.is_known()) places.try_emplace(name.value(), name.node());
    }
  }
  return places;
}

/// Reports DeviceClasses with a misspelt name: no claim names them, and claims name a similar class
/// of NVIDIA that is not among the objects.
void check_misnamed_classes(const Corpus& corpus, Reporter& reporter) {
  const NamedObjects objects(corpus.objects);
  const Names& classes = objects.names("DeviceClass");
  if (classes.empty()) return;
  const Places named = named_classes(corpus);
  for (const auto& [name, place] : classes) {
    const auto meant = suggest_device_class(name);
    if (!meant || named.contains(name) || has_name(classes, *meant)) continue;
    const auto user = named.find(*meant);
    if (user == named.end()) continue;
    reporter
        .report(place, "DeviceClass `{}` is unused, but claims use the missing DeviceClass `{}`",
                name, *meant)
        .severity(Severity::warning)
        .related(user->second, "a claim uses the missing DeviceClass here")
        .help(
            "rename the DeviceClass. Otherwise the claim is never allocated. If NVIDIA's DRA "
            "driver creates `{}`, keep the name `{}`",
            *meant, place.text())
        .fix(Safety::unsafe, fmt::format("rename the DeviceClass to `{}`", *meant),
             replace_string(*corpus.sources, place, *meant));
  }
}

/// The only target whose name differs by a slip; null if there is none or several.
[[nodiscard]] const Value<std::string>* find_meant(const Reference& reference) {
  const Value<std::string>* meant = nullptr;
  for (const Value<std::string>& target : reference.targets) {
    if (!is_slip_of(reference.name.value, target.value)) continue;
    if (meant != nullptr && meant->value != target.value) return nullptr;
    meant = &target;
  }
  return meant;
}

[[nodiscard]] std::string list_targets(const Reference& reference) {
  std::vector<std::string> names;
  for (const Value<std::string>& target : reference.targets) names.push_back(target.value);
  return list(names);
}

/// Reports a name that exists only in other namespaces.
void report_elsewhere(Reporter& reporter, const Reference& reference) {
  if (reference.certainty == Certainty::none) return;
  std::vector<std::string> spaces;
  for (const Value<std::string>& target : reference.targets) {
    spaces.push_back(target.value.substr(0, target.value.find('/')));
  }
  const bool is_one = spaces.size() == 1;
  const std::string other =
      reference.other_kind.empty()
          ? std::string()
          : fmt::format(", or create a {} with this name", reference.other_kind);
  reporter
      .report(reference.name.node, "{} `{}` is in namespace{} {}, not in `{}`", reference.kind,
              reference.name.value, is_one ? "" : "s", list(spaces), reference.home)
      .severity(Severity::warning)
      .related(reference.targets.front().node,
               fmt::format("{} existing {}", is_one ? "the" : "an", reference.kind))
      .help("create the {} in namespace `{}`{}. Otherwise {}", reference.kind, reference.home,
            other, reference.effect);
}

[[nodiscard]] std::string message_of(const Reference& reference, const Value<std::string>* meant) {
  if (!reference.message.empty()) return reference.message;
  std::string text = fmt::format("unknown {} `{}`", reference.kind, reference.name.value);
  if (meant != nullptr) {
    text += fmt::format("; did you mean `{}`?", meant->value);
  } else if (reference.targets.size() == 1) {
    text += fmt::format("; the only known one is `{}`", reference.targets.front().value);
  }
  return text;
}

[[nodiscard]] std::string help_of(const Reference& reference, const Value<std::string>* meant) {
  if (meant != nullptr) {
    return fmt::format("write `{}`. Otherwise {}", meant->value, reference.effect);
  }
  std::string text = reference.remedy.empty() ? fmt::format("create {} `{}`, or correct the name",
                                                            reference.kind, reference.name.value)
                                              : reference.remedy;
  constexpr std::string_view correct = "correct the name";
  const bool has_names = reference.targets.size() > 1 && reference.message.empty();
  if (has_names && text.ends_with(correct)) {
    text.resize(text.size() - correct.size());
    text += fmt::format("use a known name such as {}", list_targets(reference));
  }
  text += fmt::format(". Otherwise {}", reference.effect);
  return text;
}

void report(const Corpus& corpus, Reporter& reporter, const Reference& reference) {
  if (!reference.home.empty()) return report_elsewhere(reporter, reference);
  const std::string& name = reference.name.value;
  const Value<std::string>* const meant = find_meant(reference);
  const bool is_complete = reference.certainty == Certainty::complete;
  if (meant == nullptr && reference.certainty == Certainty::none) return;
  const bool is_one = meant != nullptr || reference.targets.size() == 1;
  // Names of gpulint's own lists are in no file.
  const Node place = meant == nullptr ? reference.targets.front().node : meant->node;
  Finding finding = reporter.report(reference.name.node, "{}", message_of(reference, meant));
  finding.related(place, fmt::format("{} existing {}", is_one ? "the" : "an", reference.kind))
      .help("{}", help_of(reference, meant));
  if (meant == nullptr && !is_complete) finding.severity(Severity::warning);
  if (meant == nullptr || reference.name.node.text() != name) return;
  finding.fix(is_complete ? Safety::safe : Safety::unsafe, fmt::format("write `{}`", meant->value),
              replace_string(*corpus.sources, reference.name.node, meant->value));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Reference& reference : find_references(corpus)) report(corpus, reporter, reference);
  check_misnamed_classes(corpus, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::safe},
                                 .check = check};

}  // namespace gpulint::rules::misspelt_reference
