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

/// Names with their values, by domain.
class Domains {
 public:
  Domains(std::string_view driver, bool is_partial) : driver_(driver), is_partial_(is_partial) {}

  void put(std::string_view qualified, Value value) {
    const QualifiedName name = qualify(qualified, driver_);
    auto found = std::ranges::find(domains_, name.domain, &Domain::first);
    if (found == domains_.end()) found = domains_.insert(found, {std::string(name.domain), {}});
    found->second.emplace_back(make_value(std::string(name.name)), std::move(value));
  }
  [[nodiscard]] Value to_map() && {
    std::vector<std::pair<Value, Value>> entries;
    for (Domain& domain : domains_) {
      std::vector<std::pair<Value, Value>>& names = domain.second;
      entries.emplace_back(
          make_value(std::move(domain.first)),
          is_partial_ ? make_partial_map(std::move(names)) : make_map(std::move(names), false));
    }
    return is_partial_ ? make_partial_map(std::move(entries)) : make_map(std::move(entries), true);
  }

 private:
  using Domain = std::pair<std::string, std::vector<std::pair<Value, Value>>>;

  std::string_view driver_;
  bool is_partial_;
  std::vector<Domain> domains_;
};

void collect_terms(const Program& program, Index part, std::vector<Index>& terms) {
  const Expression& expression = program.nodes[part];
  if (expression.kind == Expression::Kind::call && expression.name == "_&&_") {
    for (const Index operand : expression.operands) collect_terms(program, operand, terms);
  } else {
    terms.push_back(part);
  }
}

/// The entry of a map within a map; null: none.
[[nodiscard]] const Value* find_in(const Value* map, std::string_view key) {
  const auto* entries = map == nullptr ? nullptr : map->as<MapPtr>();
  return entries == nullptr ? nullptr : find_entry(**entries, make_value(std::string(key)));
}

/// The constant that an expression is indexed or selected with; nullopt: not a constant.
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

QualifiedName qualify(std::string_view name, std::string_view driver) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {driver, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

Value device_value(const DeviceView& device) {
  if (!device.driver) return open_value();
  Domains attributes(*device.driver, device.is_partial);
  Domains capacity(*device.driver, device.is_partial);
  for (const auto& [name, attribute] : device.attributes) {
    Value value = to_value(attribute);
    if (value.is_failure()) return value;
    attributes.put(name, std::move(value));
  }
  for (const auto& [name, amount] : device.capacity) {
    // the spelling of a capacity is not kept, so whether it reads as an int64 is unknown
    capacity.put(name, amount ? Value{QuantityValue{*amount, false, false}} : open_value());
  }
  return make_map({{make_value(std::string("driver")), make_value(*device.driver)},
                   {make_value(std::string("allowMultipleAllocations")),
                    device.allows_many ? make_value(*device.allows_many) : open_value()},
                   {make_value(std::string("attributes")), std::move(attributes).to_map()},
                   {make_value(std::string("capacity")), std::move(capacity).to_map()}},
                  false);
}

const Value* find_attribute(const Value& device, std::string_view domain, std::string_view name) {
  return find_in(find_in(find_in(&device, "attributes"), domain), name);
}

Selector::Selector(std::string text)
    : text_(std::move(text)), program_(parse(text_)), complaint_(check_types(program_).complaint) {}

Match Selector::match(const Value& device) const { return match_term(program_.root, device); }

Match Selector::match_term(Index term, const Value& device) const {
  if (understood() == Understood::invalid) return {Verdict::error, complaint_.text};
  if (understood() == Understood::open || device.is_open()) return {};
  if (const auto* failed = device.as<Failure>()) return {Verdict::error, failed->text};
  const Value result = evaluate(program_, term, {{"device", device}});
  if (result.is_open()) return {};
  if (result.is(true)) return {Verdict::yes, {}};
  if (result.is(false)) return {Verdict::no, {}};
  const auto* failed = result.as<Failure>();
  return {Verdict::error, failed == nullptr ? "the result is not a bool" : failed->text};
}

std::vector<Index> Selector::terms() const {
  std::vector<Index> terms;
  if (understood() == Understood::fully) collect_terms(program_, program_.root, terms);
  return terms;
}

std::string Selector::term_text(Index term) const {
  const Expression& expression = program_.nodes[term];
  return text_.substr(expression.begin, expression.end - expression.begin);
}

std::optional<Selector::Use> Selector::use_of(const Expression& expression) const {
  const auto key = constant_key(program_, expression);
  if (!key) return std::nullopt;
  Use use;
  use.begin = expression.begin;
  const Expression& operand = program_.nodes[expression.operands[0]];
  if (is_device_map(program_, expression.operands[0], use.is_capacity)) {
    use.domain = *key;
    return use;
  }
  const auto domain = constant_key(program_, operand);
  if (!domain || !is_device_map(program_, operand.operands[0], use.is_capacity)) {
    return std::nullopt;
  }
  use.domain = *domain;
  use.name = *key;
  return use;
}

std::vector<Selector::Use> Selector::uses() const {
  std::vector<Use> uses;
  if (understood() != Understood::fully) return uses;
  for (const Expression& expression : program_.nodes) {
    if (std::optional<Use> use = use_of(expression)) uses.push_back(*std::move(use));
  }
  return uses;
}

std::vector<Selector::Comparison> Selector::comparisons() const {
  std::vector<Comparison> found;
  if (understood() != Understood::fully) return found;
  const auto add = [&](Index named, Index constant) {
    const Expression& literal = program_.nodes[constant];
    const auto* text = literal.literal.as<std::string>();
    const std::optional<Use> use = use_of(program_.nodes[named]);
    if (use && text != nullptr) found.push_back({*use, *text, literal.begin});
  };
  for (const Expression& expression : program_.nodes) {
    if (expression.kind != Expression::Kind::call || expression.operands.size() != 2) continue;
    const Index left = expression.operands[0];
    const Index right = expression.operands[1];
    if (expression.name == "_==_") {
      add(left, right);
      add(right, left);
    } else if (expression.name == "_in_" && program_.nodes[right].kind == Expression::Kind::list) {
      for (const Index item : program_.nodes[right].operands) add(left, item);
    }
  }
  return found;
}

std::optional<Selector::Demand> Selector::demand_of(Index named, Index constant) const {
  const Expression& expression = program_.nodes[named];
  const Value& value = program_.nodes[constant].literal;
  const bool is_plain = value.as<std::string>() != nullptr || value.as<std::int64_t>() != nullptr ||
                        value.as<bool>() != nullptr;
  const bool is_read =
      expression.kind == Expression::Kind::select || expression.kind == Expression::Kind::index;
  if (!is_plain || !is_read || expression.is_optional) return std::nullopt;
  std::optional<Use> use = use_of(expression);
  if (!use || use->is_capacity || use->name.empty()) return std::nullopt;
  if (program_.nodes[expression.operands[0]].is_optional) return std::nullopt;
  return Demand{*std::move(use), value};
}

std::vector<Selector::Demand> Selector::demands() const {
  std::vector<Demand> demands;
  for (const Index term : terms()) {
    const Expression& expression = program_.nodes[term];
    if (expression.name != "_==_" || expression.operands.size() != 2) continue;
    auto demand = demand_of(expression.operands[0], expression.operands[1]);
    if (!demand) demand = demand_of(expression.operands[1], expression.operands[0]);
    if (demand) demands.push_back(*std::move(demand));
  }
  return demands;
}

}  // namespace gpulint::cel
