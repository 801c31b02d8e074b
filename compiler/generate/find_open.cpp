#include "compiler/generate/find_open.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/generate/advise.h"
#include "compiler/generate/label_advice.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint::generate {
namespace {

/// What is not known of one task and the nodes of one class.
class Doubts {
 public:
  Doubts(const Ground& ground, const Trial& trial, std::size_t task, std::size_t node_class)
      : ground_(ground), class_(node_class) {
    const Demand& demand = ground.demands()[task];
    const flyte::AcceleratorSettings settings =
        flyte::accelerator_settings(trial.config(), demand.accelerator);
    look_at_label(settings.device_label.value_or(""), demand.device);
    look_at_label(settings.partition_label.value_or(""), demand.partition);
    has_unstated_label_ = !texts_.empty();
    const Assessment assessment = assess(trial.prepared(task), ground.classes()[node_class]);
    for (const Reason& reason : assessment.reasons) {
      look_at(reason);
    }
    if (ground.classes()[node_class].karpenter) add("Karpenter has yet to choose a machine");
    if (texts_.empty()) add("the declaration of the nodes leaves it open");
  }

  [[nodiscard]] bool has_unstated_label() const { return has_unstated_label_; }
  [[nodiscard]] std::string text() const {
    return fmt::format("open for {}: {}", describe(ground_.pool(class_)), fmt::join(texts_, ", "));
  }
  [[nodiscard]] const std::string& advice() const { return advice_; }

 private:
  void add(std::string text) {
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(std::move(text));
  }

  void look_at_label(const std::string& key, const std::string& value) {
    if (key.empty() || value.empty() || lists(ground_.pool(class_), key, value)) return;
    add(fmt::format("nothing says that its nodes carry `{}={}`", key, value));
    if (advice_.empty()) advice_ = advise_label("its nodes", key, value);
  }

  void look_at(const Reason& reason) {
    if (reason.holds != Ternary::unknown) return;
    switch (reason.kind) {
      case ReasonKind::insufficient_resource:
        return look_at_amount(reason);
      case ReasonKind::node_affinity:
      case ReasonKind::node_affinity_error:
      case ReasonKind::node_selector:
        if (!has_unstated_label_) add("its nodes may not carry the labels that the pod requires");
        return;
      case ReasonKind::untolerated_taint:
        return add(fmt::format("its nodes may have the taint `{}`", reason.detail));
      case ReasonKind::unschedulable:
        return add("its nodes may be cordoned");
      case ReasonKind::unallocated_claims:
        return add("its nodes may lack the devices that the pod claims");
    }
  }

  void look_at_amount(const Reason& reason) {
    const auto most = most_of(ground_.pool(class_), reason.detail);
    add(most && *most > 0
            ? fmt::format("its machines have {} `{}` unless they are partitioned or shared", *most,
                          reason.detail)
            : fmt::format("how many `{}` its nodes offer is not said", reason.detail));
  }

  const Ground& ground_;
  std::size_t class_;
  std::vector<std::string> texts_;
  std::string advice_;
  bool has_unstated_label_ = false;
};

/// The class about which least is in doubt, and least of it is a label.
[[nodiscard]] std::optional<std::size_t> nearest_class(const Ground& ground, const Trial& trial,
                                                       std::size_t task) {
  std::optional<std::size_t> best;
  std::tuple<bool, bool, std::size_t> least;
  for (std::size_t c = 0; c < ground.classes().size(); ++c) {
    if (ground.is_meant(task, c) == Ternary::no) continue;
    if (ground.fits(trial, task, c) == Ternary::no) continue;
    const std::tuple<bool, bool, std::size_t> doubt{
        Doubts(ground, trial, task, c).has_unstated_label(),
        has_accelerators(ground.pool(c)) != Ternary::yes,
        assess(trial.prepared(task), ground.classes()[c]).reasons.size()};
    if (best && doubt >= least) continue;
    best = c;
    least = doubt;
  }
  return best;
}

}  // namespace

std::vector<OpenTask> find_open(const Ground& ground, const Block& block) {
  std::vector<OpenTask> open;
  const Trial trial(ground.problem(), ground.demands(), block);
  for (std::size_t task = 0; task < ground.demands().size(); ++task) {
    const Service service = ground.serve(trial, task);
    const bool is_open = service.fit == Service::Fit::open || service.fit == Service::Fit::likely;
    if (!is_open || service.is_misplaced) continue;
    const auto nearest = nearest_class(ground, trial, task);
    if (!nearest) continue;
    const Doubts doubts(ground, trial, task, *nearest);
    open.push_back({ground.demands()[task].task->name, doubts.text(), doubts.advice(),
                    service.fit == Service::Fit::likely});
  }
  return open;
}

}  // namespace gpulint::generate
