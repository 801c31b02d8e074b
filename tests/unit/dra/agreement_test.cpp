// Kubernetes' structured allocator answered these questions (tests/dra): what gpulint allocates is
// the same, or open.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>

#include "compiler/model/dra/allocate.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/node_selection.h"
#include "tests/harness/recorded_answers.h"
#include "tests/unit/schedule/parsed.h"

namespace gpulint::test {
namespace {

using dra::Allocation;

[[nodiscard]] NodePool read_node(const nlohmann::json& json) {
  NodePool pool;
  pool.name = json["metadata"]["name"];
  pool.labels_complete = true;
  if (!json["metadata"].contains("labels")) return pool;
  for (const auto& [key, value] : json["metadata"]["labels"].items()) {
    pool.labels.push_back({key, PoolLabel::Known::exact, {value}, {}});
  }
  return pool;
}

[[nodiscard]] dra::NodeView view_of(const NodePool& pool, const NodeLabels& labels) {
  return {pool.name, [&](Node selector) -> std::optional<bool> {
            Ternary answer = Ternary::no;
            for (const SelectorTerm& term : read_node_selector(selector)) {
              answer = any_of(answer, matches(prepare_term(term), labels, {pool.name, false}));
            }
            if (answer == Ternary::unknown) return std::nullopt;
            return answer == Ternary::yes;
          }};
}

/// What gpulint says, in the words of the recorded answers.
[[nodiscard]] std::string answer(const nlohmann::json& ask, nlohmann::json& devices) {
  const Parsed parsed(ask.dump());
  const Node root = parsed.root();
  std::vector<dra::Slice> slices;
  for (const Node one : root.get("slices").items()) slices.push_back(dra::read_slice(one));
  std::vector<dra::DeviceClass> classes;
  for (const Node one : root.get("classes").items()) {
    classes.push_back(dra::read_device_class(one));
  }
  std::vector<dra::TaintRule> rules;
  for (const Node one : root.get("rules").items()) rules.push_back(dra::read_taint_rule(one));
  std::vector<dra::Holding> holdings;
  for (const Node one : root.get("allocated").items()) {
    std::ranges::move(dra::read_holdings(one), std::back_inserter(holdings));
  }
  const dra::Inventory inventory({std::move(slices), std::move(classes), std::move(rules),
                                  std::move(holdings), dra::Classes::all});
  std::vector<dra::Claim> claims;
  for (const Node one : root.get("claims").items()) claims.push_back(dra::read_claim(one));
  const NodePool pool = read_node(ask["node"]);
  const NodeLabels labels(pool);
  const dra::NodeView node = view_of(pool, labels);
  const Allocation allocation = dra::allocate(
      inventory, dra::gather_pools(inventory, node, dra::Occupancy::counted), claims, node);
  for (const auto& claim : allocation.devices) {
    nlohmann::json names = nlohmann::json::array();
    for (const dra::Allocated& one : claim) {
      names.push_back(one.request + "=" + one.driver + "/" + one.pool + "/" + one.device->name);
    }
    devices.push_back(std::move(names));
  }
  switch (allocation.answer) {
    case Allocation::Answer::no:
      return "no";
    case Allocation::Answer::yes:
      return "yes";
    case Allocation::Answer::error:
      return "error";
    case Allocation::Answer::open:
      break;
  }
  return "open";
}

TEST_CASE("Claims are allocated as in Kubernetes") {
  std::map<std::string, std::size_t> answers;
  std::size_t differences = 0;
  std::size_t asked = 0;
  for_each_answer("claims.jsonl", "GPULINT_CLAIMS", [&](const nlohmann::json& one) {
    nlohmann::json devices = nlohmann::json::array();
    const std::string own = answer(one["ask"], devices);
    ++asked;
    ++answers[own];
    // Where theirs took more than ten seconds there is no answer.
    if (own == "open" || one.value("text", "").starts_with("filter operation aborted")) return;
    std::string theirs = one["answer"];
    // An error that is the node's alone, not the pod's.
    if (one.value("text", "").starts_with("invalid resource pools")) theirs = "no";
    const nlohmann::json expected = one.value("devices", nlohmann::json::array());
    if (own == theirs && devices == expected) return;
    ++differences;
    UNSCOPED_INFO(one["ask"].dump());
    CHECK(own + " " + devices.dump() == theirs + " " + expected.dump() + one.value("text", ""));
  });
  INFO(asked << " questions, open: " << answers["open"]);
  CHECK(asked >= 500);
  CHECK(differences == 0);
  // Every answer occurs; open are only searches that are too long.
  CHECK(answers["yes"] * 10 > asked);
  CHECK(answers["no"] * 10 > asked);
  CHECK(answers["error"] * 100 > asked);
  CHECK(answers["open"] * 100 < asked);
}

}  // namespace
}  // namespace gpulint::test
