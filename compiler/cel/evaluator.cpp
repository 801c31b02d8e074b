#include "compiler/cel/evaluator.h"

#include <cmath>
#include <optional>

#include "compiler/cel/functions.h"

namespace gpulint::cel {
namespace {

using NodeKind = Expression::Kind;

/// The result of a lookup: a value (also a failure), or nothing.
using Found = std::optional<Value>;

[[nodiscard]] std::optional<std::int64_t> to_index(const Value& key) {
  if (const auto* number = key.as<std::int64_t>()) return *number;
  if (const auto* number = key.as<std::uint64_t>()) {
    if (*number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  const auto* real = key.as<double>();
  constexpr double limit = 1e15;
  if (real == nullptr || std::trunc(*real) != *real || std::abs(*real) > limit) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

[[nodiscard]] Found look_up(const Value& from, const Value& key) {
  if (const auto* map = from.as<MapPtr>()) {
    if (const Value* value = find_entry(**map, key)) return *value;
    if ((*map)->has_default) return make_map({}, false);
    if ((*map)->is_partial) return open_value();
    return std::nullopt;
  }
  if (const auto* list = from.as<ListPtr>()) {
    const auto index = to_index(key);
    if (!index) return failure("the index of a list must be a whole number");
    const bool is_inside = *index >= 0 && *index < static_cast<std::int64_t>((*list)->size());
    if (!is_inside) return std::nullopt;
    return (**list)[static_cast<std::size_t>(*index)];
  }
  return std::nullopt;
}

[[nodiscard]] bool is_settled(const Value& value) {
  return !value.is_failure() && !value.is_open();
}

class Evaluator {
 public:
  Evaluator(const Program& program, Variables variables)
      : program_(program), scope_(std::move(variables)) {}

  [[nodiscard]] Value run(Index index);

 private:
  [[nodiscard]] Value name(const Expression& expression) const;
  [[nodiscard]] Value field(const Expression& expression);
  [[nodiscard]] Value present(const Expression& expression);
  [[nodiscard]] Value call(const Expression& expression);
  [[nodiscard]] std::optional<Value> in_constants(const Expression& expression);
  [[nodiscard]] Value logic(const Expression& expression, bool decides);
  [[nodiscard]] Value choice(const Expression& expression);
  [[nodiscard]] Value fallback(const Expression& expression);
  [[nodiscard]] Value list(const Expression& expression);
  [[nodiscard]] Value map(const Expression& expression);
  [[nodiscard]] Value quantifier(const Expression& expression, const std::vector<Value>& items);
  [[nodiscard]] Value count_one(const Expression& expression, const std::vector<Value>& items);
  [[nodiscard]] Value collect(const Expression& expression, const std::vector<Value>& items);
  [[nodiscard]] Value comprehension(const Expression& expression);
  [[nodiscard]] Value binding(const Expression& expression);
  [[nodiscard]] Value with(const std::string& variable, const Value& value, Index body);

  const Program& program_;
  Variables scope_;
  std::uint32_t steps_ = 0;
};

Value Evaluator::run(Index index) {
  if (++steps_ > most_steps) return open_value();
  const Expression& expression = program_.nodes[index];
  switch (expression.kind) {
    case NodeKind::literal:
      return expression.literal;
    case NodeKind::identifier:
      return name(expression);
    case NodeKind::select:
    case NodeKind::index:
      return field(expression);
    case NodeKind::present:
      return present(expression);
    case NodeKind::call:
      return call(expression);
    case NodeKind::list:
      return list(expression);
    case NodeKind::map:
      return map(expression);
    case NodeKind::bind:
    case NodeKind::opt_map:
    case NodeKind::opt_flat_map:
      return binding(expression);
    default:
      return comprehension(expression);
  }
}

Value Evaluator::name(const Expression& expression) const {
  for (auto variable = scope_.rbegin(); variable != scope_.rend(); ++variable) {
    if (variable->first == expression.name) return variable->second;
  }
  return open_value();
}

Value Evaluator::field(const Expression& expression) {
  Value from = run(expression.operands[0]);
  if (!is_settled(from)) return from;
  Value key = expression.kind == NodeKind::select ? make_value(expression.name)
                                                  : run(expression.operands[1]);
  if (!is_settled(key)) return key;
  bool is_optional = expression.is_optional;
  if (const auto* optional = from.as<Optional>()) {
    if (!optional->value) return from;
    const Value inner = *optional->value;
    from = inner;
    is_optional = true;
    if (!is_settled(from)) return from;
  }
  Found found = look_up(from, key);
  if (!is_optional) return found ? *found : failure("no such key");
  if (!found) return none();
  return found->is_failure() || found->is_open() ? *found : some(std::move(*found));
}

Value Evaluator::present(const Expression& expression) {
  Value from = run(expression.operands[0]);
  if (!is_settled(from)) return from;
  if (const auto* optional = from.as<Optional>()) {
    if (!optional->value) return make_value(false);
    const Value inner = *optional->value;
    from = inner;
  }
  const Value key = make_value(expression.name);
  const auto* map = from.as<MapPtr>();
  if (map != nullptr && is_entry_open(**map, key)) return open_value();
  const Found found = look_up(from, key);
  if (found && found->is_failure()) return *found;
  return make_value(found.has_value());
}

/// `&&` and `||`: one side that decides is enough, whatever the other is.
Value Evaluator::logic(const Expression& expression, bool decides) {
  Value left = run(expression.operands[0]);
  if (left.is(decides)) return left;
  Value right = run(expression.operands[1]);
  if (right.is(decides)) return right;
  if (left.is_open() || right.is_open()) return open_value();
  if (left.is(!decides) && right.is(!decides)) return right;
  if (left.is_failure()) return left;
  return right.is_failure() ? right : no_overload();
}

Value Evaluator::choice(const Expression& expression) {
  Value condition = run(expression.operands[0]);
  if (!is_settled(condition)) return condition;
  const bool* truth = condition.as<bool>();
  if (truth == nullptr) return no_overload();
  return run(expression.operands[*truth ? 1 : 2]);
}

/// `or` and `orValue`.
Value Evaluator::fallback(const Expression& expression) {
  Value left = run(expression.operands[0]);
  if (!is_settled(left)) return left;
  const auto* optional = left.as<Optional>();
  if (optional == nullptr) return no_overload();
  const bool keeps = expression.name == "or";
  if (optional->value) return keeps ? left : *optional->value;
  return run(expression.operands[1]);
}

/// cel-go turns a list of constants into a set. A set does not accept every value, and with `[]`
/// the searched value is not evaluated. nullopt: as with any other list.
std::optional<Value> Evaluator::in_constants(const Expression& expression) {
  const Expression& list = program_.nodes[expression.operands[1]];
  if (list.kind != NodeKind::list) return std::nullopt;
  if (list.operands.empty()) return make_value(false);
  for (const Index item : list.operands) {
    if (program_.nodes[item].kind != NodeKind::literal) return std::nullopt;
  }
  const Value sought = run(expression.operands[0]);
  if (sought.as<Semver>() != nullptr) return failure("a version cannot be sought in constants");
  const bool is_plain = is_number(sought) || sought.as<std::string>() != nullptr ||
                        sought.as<bool>() != nullptr || sought.as<QuantityValue>() != nullptr;
  if (is_plain || !is_settled(sought)) return std::nullopt;
  return open_value();
}

Value Evaluator::call(const Expression& expression) {
  if (expression.name == "_&&_") return logic(expression, false);
  if (expression.name == "_||_") return logic(expression, true);
  if (expression.name == "_?_:_") return choice(expression);
  if (expression.name == "_in_") {
    if (std::optional<Value> known = in_constants(expression)) return *std::move(known);
  }
  const Function* function = expression.function;
  if (function == nullptr) return open_value();
  if (function->run == nullptr) return fallback(expression);
  std::vector<Value> arguments;
  bool is_open = false;
  for (const Index operand : expression.operands) {
    arguments.push_back(run(operand));
    // a failure stays one, whatever else is unknown
    if (arguments.back().is_failure()) return arguments.back();
    is_open = is_open || arguments.back().is_open();
  }
  if (is_open) return open_value();
  const auto* text = arguments.empty() ? nullptr : arguments.front().as<std::string>();
  if (expression.regex && text != nullptr) return make_value(finds(*expression.regex, *text));
  return function->run(arguments);
}

Value Evaluator::list(const Expression& expression) {
  std::vector<Value> items;
  for (const Index operand : expression.operands) {
    items.push_back(run(operand));
    if (!is_settled(items.back())) return items.back();  // an unknown item may be a failure
  }
  return make_list(std::move(items));
}

Value Evaluator::map(const Expression& expression) {
  std::vector<std::pair<Value, Value>> entries;
  Map seen;
  for (std::size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
    Value key = run(expression.operands[i]);
    if (!is_settled(key)) return key;
    Value value = run(expression.operands[i + 1]);
    if (!is_settled(value)) return value;
    const bool is_key =
        is_number(key) || key.as<bool>() != nullptr || key.as<std::string>() != nullptr;
    if (!is_key || key.as<double>() != nullptr || find_entry(seen, key) != nullptr) {
      return open_value();  // whether cel-go rejects it depends on how the map is used
    }
    seen.entries.emplace_back(key, value);
  }
  return make_map(std::move(seen.entries), false);
}

Value Evaluator::with(const std::string& variable, const Value& value, Index body) {
  scope_.emplace_back(variable, value);
  Value result = run(body);
  scope_.pop_back();
  return result;
}

Value Evaluator::quantifier(const Expression& expression, const std::vector<Value>& items) {
  const bool decides = expression.kind == NodeKind::exists;
  Value failed;
  bool has_failed = false;
  bool is_open = false;
  for (const Value& item : items) {
    Value one = with(expression.name, item, expression.operands[1]);
    if (one.is(decides)) return one;
    if (one.is_open()) {
      is_open = true;
    } else if (!one.is(!decides)) {
      has_failed = true;
      failed = one.is_failure() ? std::move(one) : no_overload();
    }
  }
  if (is_open) return open_value();
  return has_failed ? failed : make_value(!decides);
}

Value Evaluator::count_one(const Expression& expression, const std::vector<Value>& items) {
  std::size_t count = 0;
  bool is_open = false;
  for (const Value& item : items) {
    Value one = with(expression.name, item, expression.operands[1]);
    if (one.is_open()) {
      is_open = true;
    } else if (!one.is(true) && !one.is(false)) {
      return one.is_failure() ? one : no_overload();
    }
    if (one.is(true)) ++count;
  }
  return is_open ? open_value() : make_value(count == 1);
}

Value Evaluator::collect(const Expression& expression, const std::vector<Value>& items) {
  const bool transforms = expression.kind == NodeKind::transform;
  const bool has_condition = !transforms || expression.operands.size() == 3;
  std::vector<Value> made;
  for (const Value& item : items) {
    if (has_condition) {
      Value condition = with(expression.name, item, expression.operands[1]);
      if (!is_settled(condition)) return condition;
      if (condition.is(false)) continue;
      if (!condition.is(true)) return no_overload();
    }
    made.push_back(transforms ? with(expression.name, item, expression.operands.back()) : item);
    if (!is_settled(made.back())) return made.back();
  }
  return make_list(std::move(made));
}

Value Evaluator::comprehension(const Expression& expression) {
  Value range = run(expression.operands[0]);
  if (!is_settled(range)) return range;
  std::vector<Value> items;
  if (const auto* list = range.as<ListPtr>()) {
    items = **list;
  } else if (const auto* map = range.as<MapPtr>()) {
    if ((*map)->is_partial) return open_value();
    for (const auto& entry : (*map)->entries) items.push_back(entry.first);
    // Go iterates over maps in any order
    const bool is_ordered =
        expression.kind == NodeKind::transform || expression.kind == NodeKind::filter;
    if (is_ordered && items.size() > 1) return open_value();
  } else {
    return failure("there are no items to iterate over");
  }
  if (expression.kind == NodeKind::all || expression.kind == NodeKind::exists) {
    return quantifier(expression, items);
  }
  if (expression.kind == NodeKind::exists_one) return count_one(expression, items);
  return collect(expression, items);
}

Value Evaluator::binding(const Expression& expression) {
  Value bound = run(expression.operands[0]);
  // cel.bind() does not evaluate its value before it is used
  if (expression.kind == NodeKind::bind)
    return with(expression.name, bound, expression.operands[1]);
  if (!is_settled(bound)) return bound;
  const auto* optional = bound.as<Optional>();
  if (optional == nullptr) return no_overload();
  if (!optional->value) return bound;
  Value made = with(expression.name, *optional->value, expression.operands[1]);
  if (expression.kind == NodeKind::opt_flat_map || !is_settled(made)) return made;
  return some(std::move(made));
}

}  // namespace

Value evaluate(const Program& program, Index part, Variables variables) {
  return Evaluator(program, std::move(variables)).run(part);
}

}  // namespace gpulint::cel
