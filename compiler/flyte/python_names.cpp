#include "compiler/flyte/python_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

#include "compiler/base/text.h"
#include "compiler/flyte/python_changes.h"
#include "compiler/flyte/python_sdk.h"

namespace gpulint::flyte {
namespace {

using python::Expression;
using python::Statement;

/// Limit of names that refer to names; more is treated as a cycle.
constexpr int max_name_steps = 16;
/// Limits of nested calls of the user's functions, and of those of one module.
constexpr int max_call_depth = 16;
constexpr int max_calls = 10'000;

[[nodiscard]] bool is_known(const PythonMeaning& meaning) {
  return !meaning.name.empty() || meaning.value != nullptr || meaning.local != nullptr ||
         meaning.module != nullptr;
}

/// Whether Python's own `dict` is called.
[[nodiscard]] bool is_dict_call(const PythonMeaning& meaning) {
  if (!meaning.value->is(Expression::Kind::call)) return false;
  const Expression& callee = meaning.value->parts.front();
  return callee.is(Expression::Kind::name) && callee.text == "dict" &&
         !is_known(meaning.scope->meaning(callee));
}

/// `**common` where `common` is a dict whose keys are strings, or `dict(common, key=…)`.
[[nodiscard]] bool add_unpacked(const Expression& value, const PythonScope& scope, int steps,
                                PythonArguments& arguments) {
  const PythonMeaning meaning = scope.meaning(value);
  if (meaning.value == nullptr || steps <= 0) return false;
  const std::vector<Expression>& parts = meaning.value->parts;
  if (is_dict_call(meaning)) {
    for (const Expression& part : parts | std::views::drop(1)) {
      const std::string& keyword = part.keyword.text;
      if (keyword == "*") return false;
      if (keyword.empty() || keyword == "**") {
        if (!add_unpacked(part, *meaning.scope, steps - 1, arguments)) return false;
      } else {
        arguments.push_back({keyword, part.keyword, &part, meaning.scope});
      }
    }
    return true;
  }
  if (!meaning.value->is(Expression::Kind::dict)) return false;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (parts[i].is(Expression::Kind::opaque) && parts[i].text == "**") {
      if (!add_unpacked(parts[i + 1], *meaning.scope, steps - 1, arguments)) return false;
      continue;
    }
    if (!parts[i].is(Expression::Kind::string)) return false;
    arguments.push_back(
        {parts[i].text, {parts[i].text, parts[i].span}, &parts[i + 1], meaning.scope});
  }
  return parts.size() % 2 == 0;
}

/// The only result of a function without decorators, at the end of its body; null: it depends.
[[nodiscard]] const Statement* only_result(const Statement& function) {
  if (function.kind != Statement::Kind::function || !function.decorators.empty()) return nullptr;
  const auto is_result = [](const Statement& each) { return each.kind == Statement::Kind::result; };
  if (std::ranges::count_if(function.body, is_result) != 1) return nullptr;
  const Statement& last = function.body.back();
  return is_result(last) && !last.conditional ? &last : nullptr;
}

/// `env.resources = …` of an environment, which its later tasks have.
[[nodiscard]] bool sets_resources(const Statement& change) {
  return change.kind == Statement::Kind::change && change.member == "resources";
}

/// What the environment is from then on: `env.clone_with(resources=…)`.
[[nodiscard]] Expression with_resources(const Statement& change) {
  Expression made;
  made.kind = Expression::Kind::call;
  made.span = change.span;
  Expression& callee = made.parts.emplace_back();
  callee.kind = Expression::Kind::attribute;
  callee.text = "clone_with";
  callee.span = change.name.span;
  Expression& name = callee.parts.emplace_back();
  name.kind = Expression::Kind::name;
  name.text = change.name.text;
  name.span = change.name.span;
  made.parts.push_back(change.value);
  made.parts.back().keyword = {"resources", change.name.span};
  return made;
}

}  // namespace

PythonScope::PythonScope(const python::Module& module, PythonModules* modules)
    : modules_(modules), file_(module.file) {
  for (const Statement& statement : module.statements) add(statement);
  note_changed(module.statements, true);
}

PythonScope::PythonScope(const Statement& declaration, const PythonScope& outer)
    : outer_(&outer), modules_(outer.modules_), file_(outer.file_) {
  for (const python::Parameter& each : declaration.parameters) names_[each.name].is_changed = true;
  for (const Statement& statement : declaration.body) add(statement);
  note_changed(declaration.body, true);
}

PythonScope::PythonScope(const Statement& function, const PythonScope& outer,
                         const Expression& call, const PythonScope& caller)
    : outer_(&outer), modules_(outer.modules_), file_(outer.file_), depth_(caller.depth_ + 1) {
  bind(function, call, caller);
  for (const Statement& statement : function.body) add(statement);
  note_changed(function.body, true);
}

PythonScope::~PythonScope() = default;

/// Binds the parameters to the call's arguments. Missing and repeated arguments are unknown.
void PythonScope::bind(const Statement& function, const Expression& call,
                       const PythonScope& caller) {
  std::vector<std::string_view> positions;
  for (const python::Parameter& each : function.parameters) {
    if (!each.stars.empty()) break;
    positions.push_back(each.name);
  }
  auto arguments = python_arguments(call, caller, positions);
  for (const python::Parameter& each : function.parameters) {
    Name& name = names_[each.name];
    name.is_changed = !arguments || each.stars == "*";
    if (name.is_changed || each.stars == "**") continue;
    const auto is_own = [&](const PythonArgument& argument) {
      return argument.keyword == each.name;
    };
    const auto found = std::ranges::find_if(*arguments, is_own);
    PythonMeaning meaning;
    if (found != arguments->end()) {
      meaning.value = found->value;
      meaning.scope = found->scope;
      arguments->erase(found);
    } else if (!each.value.empty()) {
      meaning.value = each.value.data();
      meaning.scope = outer_;
    }
    name.is_changed = meaning.value == nullptr;
    name.given.push_back({std::move(meaning)});
  }
  for (const python::Parameter& each : function.parameters) {
    if (arguments && each.stars == "**") bind_rest(each.name, *arguments, caller);
  }
}

/// Binds `**name` to a dict of the other arguments.
void PythonScope::bind_rest(const std::string& name, const PythonArguments& rest,
                            const PythonScope& caller) {
  Expression dict;
  dict.kind = Expression::Kind::dict;
  for (const PythonArgument& each : rest) {
    if (each.scope != &caller) names_[name].is_changed = true;
    Expression& key = dict.parts.emplace_back();
    key.kind = Expression::Kind::string;
    key.text = each.keyword;
    key.span = each.word.span;
    dict.parts.push_back(*each.value);
  }
  PythonMeaning meaning;
  meaning.value = &made_.emplace_back(std::move(dict));
  meaning.scope = &caller;
  names_[name].given.push_back({std::move(meaning)});
}

/// A method that changes a value in place, also in a function that may be called, makes it unknown.
void PythonScope::note_changed(const std::vector<Statement>& statements, bool is_own) {
  for (const Statement& statement : statements) {
    const bool is_followed = is_own && sets_resources(statement);
    if (statement.kind == Statement::Kind::change && !is_followed) {
      if (is_namespace(statement.name.text)) has_open_values_ = true;
      const auto known = names_.find(statement.name.text);
      if (known != names_.end()) known->second.is_changed = true;
    }
    note_changed(statement.value);
    note_changed(statement.body, false);
  }
}

void PythonScope::note_changed(const Expression& within) {
  for (const Expression& part : within.parts) note_changed(part);
  if (!within.is(Expression::Kind::call)) return;
  note_handed_over(within);
  const Expression* changed = changed_by(within);
  const bool is_of_call = changed != nullptr && changed->is(Expression::Kind::call) &&
                          changed->parts.front().is(Expression::Kind::name);
  if (is_of_call && is_namespace(changed->parts.front().text)) has_open_values_ = true;
  while (changed != nullptr && changed->is(Expression::Kind::attribute)) {
    changed = changed->parts.data();
  }
  if (changed == nullptr || !changed->is(Expression::Kind::name)) return;
  const auto known = names_.find(changed->text);
  if (known == names_.end() || known->second.given.empty()) return;
  if (known->second.given.front().import == nullptr) known->second.is_changed = true;
}

/// An unknown function may change the objects that it is called with.
void PythonScope::note_handed_over(const Expression& call) {
  const Expression& callee = call.parts.front();
  const Statement* local = nullptr;
  if (callee.is(Expression::Kind::name)) {
    const auto known = names_.find(callee.text);
    const bool is_one = known != names_.end() && known->second.given.size() == 1;
    if (is_one) local = known->second.given.front().meaning.local;
  }
  const bool is_method = callee.is(Expression::Kind::attribute) && is_keeping_method(callee.text);
  const std::string name = written_name(callee);
  const bool keeps = local != nullptr
                         ? !changes_parameters(*local)
                         : is_method || sdk_of(name) != PythonSdk::none || keeps_arguments(name);
  if (keeps) return;
  const auto is_mutable = [&](const Given& given) {
    if (given.meaning.value == nullptr) return false;
    const Expression& value = *given.meaning.value;
    return value.is(Expression::Kind::dict) || value.is(Expression::Kind::list) ||
           (value.is(Expression::Kind::call) &&
            (written_name(value.parts.front()).ends_with("Resources") ||
             is_own_type(value.parts.front())));
  };
  for (const Expression& part : call.parts | std::views::drop(1)) {
    const bool is_object = part.is(Expression::Kind::name) && part.keyword.text != "**";
    const auto known = is_object ? names_.find(part.text) : names_.end();
    if (known == names_.end()) continue;
    if (std::ranges::any_of(known->second.given, is_mutable)) known->second.is_changed = true;
  }
}

/// Whether it is a class of this scope.
bool PythonScope::is_own_type(const Expression& callee) const {
  const auto known = callee.is(Expression::Kind::name) ? names_.find(callee.text) : names_.end();
  if (known == names_.end() || known->second.given.empty()) return false;
  const Statement* local = known->second.given.front().meaning.local;
  return local != nullptr && local->kind == Statement::Kind::type;
}

/// `flytekit.Resources` for `fk.Resources`, only by the imports of this scope and those around it.
std::string PythonScope::written_name(const Expression& expression) const {
  if (expression.is(Expression::Kind::attribute)) {
    return written_name(expression.parts.front()) + "." + expression.text;
  }
  if (!expression.is(Expression::Kind::name)) return "?";
  for (const PythonScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto known = scope->names_.find(expression.text);
    if (known == scope->names_.end()) continue;
    const std::vector<Given>& given = known->second.given;
    return !given.empty() && given.front().import != nullptr ? given.front().meaning.name : "?";
  }
  return expression.text;
}

void PythonScope::add(const Statement& statement) {
  using Kind = Statement::Kind;
  const std::string& name = statement.name.text;
  Given given;
  given.meaning.scope = this;
  given.is_conditional = statement.conditional;
  given.end = statement.span.end;
  switch (statement.kind) {
    case Kind::import:
      given.meaning.name = statement.module;
      given.import = &statement;
      break;
    case Kind::from:
      if (statement.member == "*") return stars_.push_back(&statement);
      given.meaning.name =
          std::string(statement.dots, '.') + statement.module + "." + statement.member;
      given.import = &statement;
      break;
    case Kind::assignment:
      given.meaning.value = &statement.value;
      break;
    case Kind::function:
    case Kind::type:
      given.meaning.local = &statement;
      break;
    case Kind::change:
      if (!sets_resources(statement) || !names_.contains(name)) return;
      given.meaning.value = &made_.emplace_back(with_resources(statement));
      break;
    case Kind::result:
    case Kind::expression:
      return;
  }
  names_[name].given.push_back(std::move(given));
}

/// The meaning of an import: an SDK's names stand for themselves, names of the user's modules have
/// the meaning from there.
PythonMeaning PythonScope::imported(const Given& name, int steps) const {
  const Statement& import = *name.import;
  const bool is_own = sdk_of(name.meaning.name) == PythonSdk::none;
  if (modules_ == nullptr || steps <= 0 || !is_own) return name.meaning;
  const PythonScope* module = modules_->find(file_, import.dots, import.module);
  PythonMeaning meaning;
  if (import.kind == Statement::Kind::import) {
    if (module == nullptr) return name.meaning;
    meaning.module = module;
    return meaning;
  }
  if (module != nullptr && module->names_.contains(import.member)) {
    return module->look_up(import.member, std::nullopt, steps - 1);
  }
  const std::string dot = import.module.empty() ? "" : ".";
  meaning.module = modules_->find(file_, import.dots, import.module + dot + import.member);
  return meaning.module == nullptr ? name.meaning : meaning;
}

PythonMeaning PythonScope::meaning(const Expression& expression) const {
  return meaning(expression, max_name_steps);
}

/// The meaning that applies, of all that a name receives; null if it is unknown. `at`: where it is
/// used, in the block that sets it.
const PythonScope::Given* PythonScope::choose(const Name& name, std::optional<Span> at) {
  if (name.is_changed || name.given.empty()) return nullptr;
  const Given* first = name.given.data();
  const auto is_same = [&](const Given& each) {
    return !each.meaning.name.empty() && each.meaning.name == first->meaning.name;
  };
  if (name.given.size() == 1 || std::ranges::all_of(name.given, is_same)) return first;
  if (!at || std::ranges::any_of(name.given, &Given::is_conditional)) return nullptr;
  const Given* found = nullptr;
  for (const Given& each : name.given) {
    if (each.end <= at->begin) found = &each;
  }
  return found;
}

PythonMeaning PythonScope::look_up(std::string_view name, std::optional<Span> at, int steps) const {
  for (const PythonScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->names_.find(name);
    PythonMeaning starred = scope->starred(name, steps);
    if (found == scope->names_.end()) {
      if (is_known(starred)) return starred;
      at.reset();
      continue;
    }
    const Given* given = choose(found->second, at);
    if (given == nullptr || is_known(starred)) return {};
    if (given->is_conditional && given->import == nullptr && !scope->stars_.empty()) return {};
    if (given->import != nullptr) return scope->imported(*given, steps);
    const PythonMeaning& meaning = given->meaning;
    if (scope->has_open_values_ && meaning.value != nullptr) return {};
    return meaning.value == nullptr ? meaning : meaning.scope->meaning(*meaning.value, steps - 1);
  }
  return {};
}

/// The meaning from `from module import *`: unknown if several modules may have the name, or if one
/// of them is unknown. Of the SDKs, only names for tasks count.
PythonMeaning PythonScope::starred(std::string_view name, int steps) const {
  PythonMeaning found;
  if (steps <= 0 || name.starts_with('_')) return found;
  for (const Statement* star : stars_) {
    PythonMeaning meaning;
    if (sdk_of(star->module) != PythonSdk::none && star->dots == 0) {
      const bool is_class = name.front() >= 'A' && name.front() <= 'Z';
      if (is_class || name == "task" || name == "dynamic" || name == "map_task") {
        meaning.name = star->module + "." + std::string(name);
        meaning.scope = this;
      }
    } else {
      const PythonScope* module =
          modules_ == nullptr ? nullptr : modules_->find(file_, star->dots, star->module);
      if (module == nullptr || module->names_.contains("__all__")) return {};
      meaning = module->look_up(name, std::nullopt, steps - 1);
    }
    if (!is_known(meaning)) continue;
    if (is_known(found)) return {};
    found = std::move(meaning);
  }
  return found;
}

PythonMeaning PythonScope::member(const PythonMeaning& of, const std::string& name,
                                  int steps) const {
  if (of.module != nullptr) {
    return steps > 0 ? of.module->look_up(name, std::nullopt, steps - 1) : PythonMeaning();
  }
  if (!of.name.empty()) {
    PythonMeaning meaning;
    meaning.name = of.name + "." + name;
    meaning.scope = of.scope;
    return meaning;
  }
  const bool is_object = of.value != nullptr && of.value->is(Expression::Kind::call);
  if (is_object && steps > 0) return field(of, name, steps);
  if (of.local == nullptr || of.local->kind != Statement::Kind::type || of.scope == nullptr) {
    return {};
  }
  return of.scope->class_member(*of.local, name, steps);
}

const PythonScope& PythonScope::inside(const Statement& declaration) const {
  auto& scope = inner_[&declaration];
  if (scope == nullptr) scope = std::make_unique<const PythonScope>(declaration, *this);
  return *scope;
}

/// The item of a list or a dict of constants.
PythonMeaning PythonScope::item(const PythonMeaning& of, const Expression& key, int steps) const {
  using Kind = Expression::Kind;
  const PythonMeaning index = meaning(key, steps - 1);
  if (of.value == nullptr || index.value == nullptr || steps <= 0) return {};
  const std::vector<Expression>& parts = of.value->parts;
  if (of.value->is(Kind::dict)) {
    const Expression* found = nullptr;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      const PythonMeaning each = of.scope->meaning(parts[i], steps - 1);
      if (each.value == nullptr || each.value->is(Kind::opaque)) return {};
      const bool is_same = each.value->kind == index.value->kind &&
                           each.value->text == index.value->text && each.value->parts.empty();
      if (is_same) found = &parts[i + 1];
    }
    return found == nullptr ? PythonMeaning() : of.scope->meaning(*found, steps - 1);
  }
  const bool is_list = of.value->is(Kind::list) || of.value->is(Kind::tuple);
  const bool is_unpacked =
      std::ranges::any_of(parts, [](const Expression& part) { return part.is(Kind::opaque); });
  if (!is_list || is_unpacked || !index.value->is(Kind::number)) return {};
  const std::string& text = index.value->text;
  const bool is_negative = text.starts_with('-');
  const std::string digits = text.substr(is_negative ? 1 : 0);
  if (digits.empty() || digits.size() > 4 || !std::ranges::all_of(digits, is_digit)) return {};
  const std::size_t number = std::stoul(digits);
  if (is_negative ? number == 0 || number > parts.size() : number >= parts.size()) return {};
  return of.scope->meaning(parts[is_negative ? parts.size() - number : number], steps - 1);
}

/// The result of a call of a user's function, and the default for an environment variable.
PythonMeaning PythonScope::called(const Expression& call, int steps) const {
  const PythonMeaning callee = meaning(call.parts.front(), steps - 1);
  if (callee.name == "os.environ.get" || callee.name == "os.getenv") {
    return default_of(call, steps);
  }
  const Statement* result = callee.local == nullptr ? nullptr : only_result(*callee.local);
  if (result == nullptr || callee.scope == nullptr) return {};
  const auto [known, is_new] = inner_.try_emplace(&call);
  if (is_new && depth_ < max_call_depth && root().calls_++ < max_calls) {
    known->second.reset(new PythonScope(*callee.local, *callee.scope, call, *this));
  }
  if (known->second == nullptr) return {};  // a cycle
  return known->second->meaning(result->value, steps - 1);
}

/// `os.environ.get("GPUS", "2")`. A default of nothing says that the variable decides.
PythonMeaning PythonScope::default_of(const Expression& call, int steps) const {
  if (call.parts.size() != 3) return {};
  const std::string& keyword = call.parts[2].keyword.text;
  if (!keyword.empty() && keyword != "default") return {};
  PythonMeaning known = meaning(call.parts[2], steps - 1);
  const bool is_text = known.value != nullptr && known.value->is(Expression::Kind::string);
  const bool is_number = known.value != nullptr && known.value->is(Expression::Kind::number);
  const bool is_nothing = is_text && known.value->text.empty();
  if ((!is_text && !is_number) || is_nothing || known.value->text == "0") return {};
  if (known.value == &call.parts[2]) {
    root().defaults_[known.value] = text(call.parts[1], steps - 1).value_or("");
  }
  return known;
}

std::string PythonScope::variable_of_default(const Expression& expression) const {
  const auto found = root().defaults_.find(&expression);
  return found == root().defaults_.end() ? "" : found->second;
}

const PythonScope& PythonScope::root() const {
  const PythonScope* scope = this;
  while (scope->outer_ != nullptr) scope = scope->outer_;
  return *scope;
}

PythonMeaning PythonScope::result_of(const Statement& function) const {
  const Statement* result = only_result(function);
  return result == nullptr ? PythonMeaning() : inside(function).meaning(result->value);
}

PythonMeaning PythonScope::meaning(const Expression& expression, int steps) const {
  using Kind = Expression::Kind;
  if (steps <= 0) return {};
  if (expression.is(Kind::name)) return look_up(expression.text, expression.span, steps);
  if (expression.is(Kind::attribute)) {
    PythonMeaning known = member(meaning(expression.parts[0], steps), expression.text, steps);
    if (!is_known(known) && expression.text == "value") {
      known = enumerated(expression.parts[0], steps);
    }
    if (is_known(known)) return known;
  }
  if (expression.is(Kind::call)) {
    PythonMeaning known = called(expression, steps);
    if (is_known(known)) return known;
  }
  if (expression.is(Kind::subscript)) {
    PythonMeaning known = item(meaning(expression.parts[0], steps), expression.parts[1], steps);
    if (is_known(known)) return known;
  }
  PythonMeaning itself;
  itself.value = &expression;
  itself.scope = this;
  return itself;
}

bool PythonScope::is_none(const Expression& expression) const {
  const PythonMeaning known = meaning(expression);
  return known.value != nullptr && known.value->is(Expression::Kind::none);
}

std::optional<PythonArguments> python_arguments(const Expression& call, const PythonScope& scope,
                                                std::span<const std::string_view> parameters) {
  PythonArguments arguments;
  auto parameter = parameters.begin();
  for (const Expression& part : call.parts | std::views::drop(1)) {
    const std::string& keyword = part.keyword.text;
    if (keyword == "**") {
      if (!add_unpacked(part, scope, max_name_steps, arguments)) return std::nullopt;
    } else if (!keyword.empty() && keyword != "*") {
      arguments.push_back({keyword, part.keyword, &part, &scope});
    } else if (keyword.empty() && parameter != parameters.end()) {
      arguments.push_back({std::string(*parameter++), {}, &part, &scope});
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

const PythonArgument* find_argument(const PythonArguments& arguments, std::string_view keyword) {
  for (const PythonArgument& argument : arguments | std::views::reverse) {
    if (argument.keyword != keyword) continue;
    return argument.scope->is_none(*argument.value) ? nullptr : &argument;
  }
  return nullptr;
}

}  // namespace gpulint::flyte
