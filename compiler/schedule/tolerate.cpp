#include "compiler/schedule/tolerate.h"

#include <string_view>

#include <fmt/format.h>

#include "compiler/model/kubernetes_names.h"
#include "compiler/schedule/field_text.h"

namespace gpulint {
namespace {

[[nodiscard]] Ternary equal(const Field<std::string>& a, const Field<std::string>& b) {
  if (!is_certain(a) || !is_certain(b)) return Ternary::unknown;
  return ternary(text_of(a) == text_of(b));
}

/// Whether both are equal. An absent field of the toleration matches everything.
[[nodiscard]] Ternary covers(const Field<std::string>& wanted, const Field<std::string>& actual) {
  if (is_certain(wanted) && text_of(wanted).empty()) return Ternary::yes;
  return equal(wanted, actual);
}

/// `Gt`: the taint's value is greater than the toleration's. Both must be canonical integers.
[[nodiscard]] Ternary compares(const Toleration& toleration, const Taint& taint) {
  if (!is_certain(toleration.value) || !is_certain(taint.value)) return Ternary::unknown;
  const auto wanted = parse_canonical_int(text_of(toleration.value));
  const auto actual = parse_canonical_int(text_of(taint.value));
  if (!wanted || !actual) return Ternary::no;
  return ternary(toleration.op.equals("Gt") ? *actual > *wanted : *actual < *wanted);
}

[[nodiscard]] Ternary matches_value(const Toleration& toleration, const Taint& taint,
                                    ComparisonOperators comparison) {
  if (!is_certain(toleration.op)) return Ternary::unknown;
  const std::string_view op = text_of(toleration.op);
  if (op.empty() || op == "Equal") return equal(toleration.value, taint.value);
  if (op == "Exists") return Ternary::yes;
  if (comparison == ComparisonOperators::on && (op == "Gt" || op == "Lt")) {
    return compares(toleration, taint);
  }
  return Ternary::no;
}

}  // namespace

Ternary tolerates(const Toleration& toleration, const Taint& taint,
                  ComparisonOperators comparison) {
  return all_of(covers(toleration.effect, taint.effect), covers(toleration.key, taint.key),
                matches_value(toleration, taint, comparison));
}

Ternary tolerated(const std::vector<Toleration>& tolerations, const Taint& taint,
                  ComparisonOperators comparison) {
  Ternary answer = Ternary::no;
  for (const Toleration& toleration : tolerations) {
    answer = any_of(answer, tolerates(toleration, taint, comparison));
    if (answer == Ternary::yes) break;
  }
  return answer;
}

Ternary is_hard(const Taint& taint) {
  if (!is_certain(taint.effect)) return Ternary::unknown;
  const std::string_view effect = text_of(taint.effect);
  return ternary(effect == "NoSchedule" || effect == "NoExecute");
}

std::string to_string(const Taint& taint) {
  return fmt::format("{}={}:{}", text_of(taint.key), text_of(taint.value), text_of(taint.effect));
}

}  // namespace gpulint
