#include "compiler/cel/selector.h"

#include <algorithm>

#include "compiler/cel/checker.h"
#include "compiler/cel/evaluator.h"

namespace gpulint::cel {
namespace {

template <class T>
[[nodiscard]] Value list_value(const std::vector<T>& items) {
  std::vector<Value> values;
  for (const auto& item : items) values.push_back({T(item)});
  return make_list(std::move(values));
}

[[nodiscard]] Value version_value(const std::string& text) {
  const auto read = Semver::parse(text);
  return read ? Value{*read} : failure("an attribute is not a semantic version");
}

[[nodiscard]] Value to_value(const Attribute& attribute) {
  if (const auto* truth = std::get_if<bool>(&attribute)) return make_value(*truth);
  if (const auto* number = std::get_if<std::int64_t>(&attribute)) return make_value(*number);
  if (const auto* text = std::get_if<std::string>(&attribute)) return make_value(*text);
  if (const auto* version = std::get_if<VersionText>(&attribute)) {
    return version_value(version->text);
  }
  if (const auto* truths = std::get_if<std::vector<bool>>(&attribute)) return list_value(*truths);
  if (const auto* whole_numbers = std::get_if<std::vector<std::int64_t>>(&attribute)) {
    return list_value(*whole_numbers);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&attribute)) {
    return list_value(*texts);
  }
  if (const auto* versions = std::get_if<std::vector<VersionText>>(&attribute)) {
    std::vector<Value> values;
    for (const VersionText& one : *versions) {
      values.push_back(version_value(one.text));
      if (values.back().is_failure()) return values.back();
    }
    return make_list(std::move(values));
  }
  return open_value();
}

using Domains = std::vector<std::pair<Value, Value>>;

void put(Domains& domains, const std::string& driver, const std::string& name, Value value) {
  const std::size_t slash = name.find('/');
  const bool is_qualified = slash != std::string::npos;
  const Value domain = make_value(is_qualified ? name.substr(0, slash) : driver);
  const Value key = make_value(is_qualified ? name.substr(slash + 1) : name);
  auto found = std::ranges::find_if(
      domains, [&](const auto& entry) { return equal(entry.first, domain).is(true); });
  if (found == domains.end()) {
    domains.emplace_back(domain, make_map({}, false));
    found = domains.end() - 1;
  }
  auto entries = (*found->second.as<MapPtr>())->entries;
  entries.emplace_back(key, std::move(value));
  found->second = make_map(std::move(entries), false);
}

/// The variable `device`; a failure where Kubernetes cannot make one.
[[nodiscard]] Value device_value(const DeviceView& device) {
  Domains attributes;
  Domains capacity;
  for (const auto& [name, attribute] : device.attributes) {
    Value value = to_value(attribute);
    if (value.is_failure()) return value;
    put(attributes, *device.driver, name, std::move(value));
  }
  for (const auto& [name, amount] : device.capacity) {
    // How a capacity was written is not kept, so that whether it reads as an int64 is open.
    put(capacity, *device.driver, name,
        amount ? Value{QuantityValue{*amount, false, false}} : open_value());
  }
  return make_map({{make_value(std::string("driver")), make_value(*device.driver)},
                   {make_value(std::string("allowMultipleAllocations")),
                    device.allows_many ? make_value(*device.allows_many) : open_value()},
                   {make_value(std::string("attributes")), make_map(std::move(attributes), true)},
                   {make_value(std::string("capacity")), make_map(std::move(capacity), true)}},
                  false);
}

void collect_terms(const Program& program, Index part, std::vector<Index>& terms) {
  const Expression& expression = program.nodes[part];
  if (expression.kind == Expression::Kind::call && expression.name == "_&&_") {
    for (const Index operand : expression.operands) collect_terms(program, operand, terms);
  } else {
    terms.push_back(part);
  }
}

/// The constant that an expression is indexed or selected with; nullopt: it is none.
[[nodiscard]] std::optional<std::string> constant_key(const Program& program,
                                                      const Expression& expression) {
  if (expression.kind == Expression::Kind::select || expression.kind == Expression::Kind::present) {
    return expression.name;
  }
  if (expression.kind != Expression::Kind::index) return std::nullopt;
  const auto* text = program.nodes[expression.operands[1]].literal.as<std::string>();
  return text == nullptr ? std::nullopt : std::optional(*text);
}

/// Whether it is `device.attributes` or `device.capacity`; sets which.
[[nodiscard]] bool is_device_map(const Program& program, Index part, bool& is_capacity) {
  const Expression& expression = program.nodes[part];
  if (expression.kind != Expression::Kind::select) return false;
  const Expression& operand = program.nodes[expression.operands[0]];
  if (operand.kind != Expression::Kind::identifier || operand.name != "device") return false;
  is_capacity = expression.name == "capacity";
  return is_capacity || expression.name == "attributes";
}

}  // namespace

Selector::Selector(std::string text) : text_(std::move(text)), program_(parse(text_)) {
  const Checked checked = check_types(program_);
  understood_ = checked.understood;
  complaint_ = checked.complaint;
  complained_ = checked.complained;
}

Match Selector::match(const DeviceView& device) const { return match_term(program_.root, device); }

Match Selector::match_term(Index term, const DeviceView& device) const {
  if (understood_ == Understood::invalid) return {Verdict::error, complaint_};
  if (understood_ == Understood::open || device.is_open || !device.driver) return {};
  const Value variable = device_value(device);
  if (const auto* failed = variable.as<Failure>()) return {Verdict::error, failed->text};
  const Value result = evaluate(program_, term, {{"device", variable}});
  if (result.is_open()) return {};
  if (result.is(true)) return {Verdict::yes, {}};
  if (result.is(false)) return {Verdict::no, {}};
  const auto* failed = result.as<Failure>();
  return {Verdict::error, failed == nullptr ? "the result is not a bool" : failed->text};
}

std::vector<Index> Selector::terms() const {
  std::vector<Index> terms;
  if (understood_ == Understood::fully) collect_terms(program_, program_.root, terms);
  return terms;
}

std::string Selector::term_text(Index term) const {
  const Expression& expression = program_.nodes[term];
  return text_.substr(expression.begin, expression.end - expression.begin);
}

std::vector<Selector::Use> Selector::uses() const {
  std::vector<Use> uses;
  if (understood_ != Understood::fully) return uses;
  for (const Expression& expression : program_.nodes) {
    const auto key = constant_key(program_, expression);
    if (!key) continue;
    Use use;
    const Expression& operand = program_.nodes[expression.operands[0]];
    if (is_device_map(program_, expression.operands[0], use.is_capacity)) {
      use.domain = *key;
    } else if (const auto domain = constant_key(program_, operand);
               domain && is_device_map(program_, operand.operands[0], use.is_capacity)) {
      use.domain = *domain;
      use.name = *key;
    } else {
      continue;
    }
    use.begin = expression.begin;
    uses.push_back(std::move(use));
  }
  return uses;
}

}  // namespace gpulint::cel
