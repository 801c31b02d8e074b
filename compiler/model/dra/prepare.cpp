#include <algorithm>

#include "compiler/model/dra/allocate.h"

namespace gpulint::dra {

bool Search::select(const Prepared& request, const Candidate& candidate, bool& failed) {
  const Device& device = *candidate.device;
  if (device.is_open) {
    is_open_ = true;
    return true;
  }
  for (const Selectors* selectors :
       {&request.device_class->selectors, &request.wanted->selectors}) {
    for (const auto& selector : *selectors) {
      const cel::Match match = selector.cel->match(device.variable);
      if (match.verdict == cel::Verdict::no) return false;
      if (match.verdict == cel::Verdict::open) is_open_ = true;
      if (match.verdict != cel::Verdict::error) continue;
      failed = true;
      why_ = "the selector `" + selector.cel->text() + "` fails on device " + device.name + ": " +
             match.text;
      return false;
    }
  }
  if (!candidate.slice->chooses_per_device) return true;
  const std::optional<bool> chosen = chooses(device.nodes, node_);
  if (!chosen) is_open_ = true;
  return chosen.value_or(true);
}

bool Search::is_selectable(Prepared& request, const Candidate& candidate, bool& failed) {
  Selected& known = request.selected[candidate.index];
  if (known != Selected::unknown) return known == Selected::yes;
  const bool selects = select(request, candidate, failed);
  if (!failed) known = selects ? Selected::yes : Selected::no;
  return selects;
}

bool Search::prepare_all(const Wanted& wanted, Prepared& prepared) {
  for (const Pool& pool : gathered_.pools) {
    if (pool.is_incomplete || pool.is_invalid) {
      why_ = "all devices are requested, but the pool " + pool.name + " is incomplete or invalid";
      return false;
    }
  }
  for (const Candidate& candidate : candidates_) {
    bool failed = false;
    const bool selects = is_selectable(prepared, candidate, failed);
    if (failed) return false;
    if (!selects) continue;
    const CapacityAnswer capacity = take_capacity(*candidate.device, wanted.capacity, {});
    if (capacity.kind == CapacityAnswer::Kind::error) {
      why_ = "a requested capacity exceeds the scheduler's arithmetic";
      return false;
    }
    if (capacity.kind == CapacityAnswer::Kind::fits) prepared.all.push_back(candidate);
  }
  prepared.count = static_cast<std::int64_t>(prepared.all.size());
  return true;
}

bool Search::prepare_wanted(const Wanted& wanted, Prepared& prepared) {
  prepared.wanted = &wanted;
  prepared.selected.resize(candidates_.size());
  prepared.device_class = inventory_.find_class(wanted.device_class);
  if (prepared.device_class == nullptr && inventory_.has_all_classes()) {
    why_ = "the device class " + wanted.device_class + " does not exist";
    return false;
  }
  // its devices may belong to a driver whose slices are also missing here
  if (prepared.device_class == nullptr) {
    gives_up_ = true;
    return false;
  }
  if (prepared.device_class->is_open) is_open_ = true;
  prepared.count = wanted.count;
  return !wanted.all || prepare_all(wanted, prepared);
}

/// False: an error, which needs no search.
bool Search::prepare() {
  prepared_.resize(claims_.size());
  result_.resize(claims_.size());
  constraints_.resize(claims_.size());
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    std::int64_t least = 0;
    prepared_[i].resize(claims_[i].requests.size());
    for (std::size_t j = 0; j < claims_[i].requests.size(); ++j) {
      const Request& request = claims_[i].requests[j];
      prepared_[i][j].resize(request.alternatives.size());
      std::int64_t fewest = INT64_MAX;
      for (std::size_t k = 0; k < request.alternatives.size(); ++k) {
        if (!prepare_wanted(request.alternatives[k], prepared_[i][j][k])) return false;
        fewest = std::min(fewest, prepared_[i][j][k].count);
      }
      if (fewest > most_devices - least) {
        why_ = "a claim can receive at most 32 devices";
        return false;
      }
      least += fewest;
    }
    for (const Constraint& constraint : claims_[i].constraints) {
      constraints_[i].emplace_back(constraint);
    }
  }
  return true;
}

}  // namespace gpulint::dra
