#include "compiler/check/policies.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/engine/reporter.h"
#include "compiler/ir/scalar.h"
#include "compiler/model/objects.h"
#include "rules/support/queries.h"

namespace gpulint {
namespace {

/// A pattern of the configuration; matches everything if it is not set.
class Pattern {
 public:
  Pattern() = default;
  explicit Pattern(Node written) {
    if (!written.is_scalar()) return;
    text_ = written.text();
    compiled_ = std::make_unique<RE2>(text_, RE2::Quiet);
  }
  [[nodiscard]] bool is_given() const { return compiled_ != nullptr; }
  [[nodiscard]] const std::string& text() const { return text_; }
  /// A bad pattern, which the configuration's reader rejects, matches nothing.
  [[nodiscard]] bool matches(std::string_view value) const {
    return compiled_->ok() &&
           RE2::FullMatch(re2::StringPiece(value.data(), value.size()), *compiled_);
  }

 private:
  std::string text_;
  std::unique_ptr<RE2> compiled_;
};

/// `metadata.labels.team` in parts.
[[nodiscard]] std::vector<std::string> split_path(std::string_view path) {
  constexpr std::size_t most_parts = 32;
  std::vector<std::string> parts;
  while (!path.empty() && parts.size() < most_parts) {
    std::string_view part = take_part(path, '.');
    for (const std::string_view all : {"[]", "[*]"}) {
      if (part.ends_with(all)) part.remove_suffix(all.size());
    }
    if (!part.empty() && part != "*") parts.emplace_back(part);
  }
  return parts;
}

/// What is at a path: a value, or the last node of the path before a missing key.
struct Place {
  Node node;
  bool is_missing = false;
};

/// Follows a path through mappings and lists.
class PathReader {
 public:
  explicit PathReader(const std::vector<std::string>& parts) : parts_(parts) {}

  [[nodiscard]] std::vector<Place> read(Node root) && {
    visit(root, 0);
    return std::move(places_);
  }

 private:
  void visit(Node node, std::size_t part) {
    constexpr std::size_t most_places = 10'000;  // aliases may repeat lists within lists
    if (node.is_opaque() || places_.size() >= most_places) return;
    if (node.is_sequence()) {
      const std::vector<Node> items = node.items();
      if (items.empty()) places_.push_back({node, true});
      for (const Node item : items) {
        if (!item.is_sequence()) visit(item, part);
      }
      return;
    }
    if (part == parts_.size()) {
      places_.push_back({node, node.is_null()});
      return;
    }
    std::string key = fmt::format(
        "{}", fmt::join(parts_.begin() + static_cast<std::ptrdiff_t>(part), parts_.end(), "."));
    for (std::size_t end = parts_.size(); end > part; --end) {
      if (const Node value = node.get(key)) return visit(value, end);
      key.resize(key.size() - std::min(key.size(), parts_[end - 1].size() + 1));
    }
    places_.push_back({node, true});
  }

  const std::vector<std::string>& parts_;
  std::vector<Place> places_;
};

/// One of `require` and `forbid`.
struct Requirement {
  Node node;
  std::string path;
  std::vector<std::string> parts;
  Pattern pattern;
  std::vector<std::string> values;

  explicit Requirement(Node written)
      : node(written),
        path(written.get("path").text()),
        parts(split_path(path)),
        pattern(written.get("pattern")) {
    const Node list = written.get("values");
    for (const Node value : list.is_scalar() ? std::vector{list} : list.items()) {
      values.emplace_back(value.text());
    }
  }

  [[nodiscard]] bool is_about_existence() const { return !pattern.is_given() && values.empty(); }
  [[nodiscard]] bool holds(std::string_view value) const {
    const bool is_listed = values.empty() || std::ranges::find(values, value) != values.end();
    return is_listed && (!pattern.is_given() || pattern.matches(value));
  }
};

/// A scalar as the API server reads it.
[[nodiscard]] std::string value_text(Node scalar) {
  const auto read = read_kubernetes_scalar(scalar);
  return read ? read->text : std::string(scalar.text());
}

/// A policy with compiled patterns.
class PolicyMatcher {
 public:
  explicit PolicyMatcher(const Policy& policy)
      : policy_(policy),
        kind_(policy.node.at("match", "kind")),
        name_(policy.node.at("match", "name")),
        requests_gpu_(policy.node.at("match", "requestsGpu")),
        require_(policy.node.get("require")),
        forbid_(policy.node.get("forbid")) {
    for (const auto& [key, value] : policy.node.at("match", "labels").fields()) {
      labels_.emplace_back(std::string(key.text()), Pattern(value));
    }
  }

  [[nodiscard]] bool applies_to(const KubernetesObject& object, bool requests_gpu) const {
    if (!object.kind.is_known()) return false;
    if (kind_.is_given() && !kind_.matches(object.kind.value())) return false;
    if (name_.is_given() && !name_.matches(object_name(object.node))) return false;
    if (requests_gpu_ && value_text(requests_gpu_) != (requests_gpu ? "true" : "false")) {
      return false;
    }
    return std::ranges::all_of(labels_, [&](const auto& label) {
      const Node value = object.node.at("metadata", "labels").get(label.first);
      return value.is_scalar() && label.second.matches(value_text(value));
    });
  }

  void check(const KubernetesObject& object, Reporter& reporter) const {
    if (require_.node) {
      for (const Place& place : PathReader(require_.parts).read(object.node)) {
        check_required(object, place, reporter);
      }
    }
    if (!forbid_.node) return;
    for (const Place& place : PathReader(forbid_.parts).read(object.node)) {
      if (!place.is_missing) check_forbidden(place.node, reporter);
    }
  }

 private:
  void check_required(const KubernetesObject& object, const Place& place,
                      Reporter& reporter) const {
    const Node at = place.node;
    if (place.is_missing) {
      report(at == object.node ? name_of(object) : at, reporter,
             fmt::format("`{}` is missing", require_.path), fmt::format("add `{}`", require_.path));
    } else if (require_.is_about_existence()) {
      return;
    } else if (!at.is_scalar()) {
      report(at, reporter, fmt::format("`{}` is not a single value", require_.path),
             fmt::format("write a single value in `{}`", require_.path));
    } else if (const std::string value = value_text(at); !require_.holds(value)) {
      const std::string demanded = demand();
      report(at, reporter, fmt::format("`{}` is `{}`, but must {}", require_.path, value, demanded),
             fmt::format("change `{}`, which must {}", require_.path, demanded));
    }
  }

  void check_forbidden(Node at, Reporter& reporter) const {
    if (forbid_.is_about_existence()) {
      report(at, reporter, fmt::format("a policy forbids `{}`", forbid_.path),
             fmt::format("remove `{}`", forbid_.path));
    } else if (at.is_scalar() && forbid_.holds(value_text(at))) {
      report(at, reporter, fmt::format("`{}` may not be `{}`", forbid_.path, value_text(at)),
             fmt::format("change `{}`, which must not be `{}`", forbid_.path, value_text(at)));
    }
  }

  /// At the value if it is a scalar, else at its key: an object is too much to underline.
  void report(Node at, Reporter& reporter, const std::string& seen,
              const std::string& advice) const {
    const std::string& message = policy_.message.empty() ? seen : policy_.message;
    Finding finding = at.is_scalar() ? reporter.report(at, "{}", message)
                                     : reporter.report_key(at, "{}", message);
    if (!policy_.message.empty()) finding.help("{}", advice);
  }

  [[nodiscard]] std::string demand() const {
    if (require_.pattern.is_given()) {
      return fmt::format("match `{}`", require_.pattern.text());
    }
    return fmt::format("be {}`{}`", require_.values.size() == 1 ? "" : "one of ",
                       fmt::join(require_.values, "`, `"));
  }

  [[nodiscard]] static Node name_of(const KubernetesObject& object) {
    const Node name = object.node.at("metadata", "name");
    return name.is_scalar() ? name : object.kind.node();
  }

  const Policy& policy_;
  Pattern kind_;
  Pattern name_;
  Node requests_gpu_;
  std::vector<std::pair<std::string, Pattern>> labels_;
  Requirement require_;
  Requirement forbid_;
};

using Objects = std::set<std::pair<const Document*, NodeIndex>>;

[[nodiscard]] Objects objects_that_request_gpus(const Corpus& corpus) {
  Objects objects;
  for (const Workload& workload : corpus.workloads) {
    if (!requests_gpu(workload.pod)) continue;
    objects.emplace(workload.object.document(), workload.object.index());
  }
  return objects;
}

}  // namespace

std::vector<Diagnostic> check_policies(const Corpus& corpus, const std::deque<Policy>& policies) {
  std::vector<Diagnostic> findings;
  if (policies.empty()) return findings;
  const Objects gpu_objects = objects_that_request_gpus(corpus);
  for (const Policy& policy : policies) {
    const PolicyMatcher matcher(policy);
    Reporter reporter(policy.info);
    for (const KubernetesObject& object : corpus.objects) {
      const bool requests_gpu = gpu_objects.contains({object.node.document(), object.node.index()});
      if (matcher.applies_to(object, requests_gpu)) matcher.check(object, reporter);
    }
    std::ranges::move(reporter.take(), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace gpulint
