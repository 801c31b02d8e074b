#include "compiler/flyte/helm_template.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/go_scalar.h"

namespace gpulint::flyte {
namespace {

using State = TemplateResult::State;

struct Outcome {
  State state = State::text;
  ConfigValue value;    ///< Where `state` is text.
  std::string message;  ///< Where it is failure.
};

[[nodiscard]] Outcome opaque() { return {State::opaque, {}, {}}; }
[[nodiscard]] Outcome known(ConfigValue value) { return {State::text, std::move(value), {}}; }

[[nodiscard]] bool is_truthy(const ConfigValue& value) {
  if (value.kind == ConfigValue::Kind::boolean) return value.boolean;
  if (value.kind == ConfigValue::Kind::integer || value.kind == ConfigValue::Kind::floating) {
    return value.floating != 0;
  }
  return !value.is_empty();
}

/// Splits an expression at blanks and `|`, outside of quotes; nullopt where a quote is left open.
[[nodiscard]] std::optional<std::vector<std::string_view>> tokenize(std::string_view text) {
  std::vector<std::string_view> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n') {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    if (c == '"' || c == '`') {
      for (++at; at < text.size() && text[at] != c; ++at) {
        if (c == '"' && text[at] == '\\') ++at;
      }
      if (at >= text.size()) return std::nullopt;
      ++at;
    } else if (c == '|' || c == '(' || c == ')') {
      ++at;
    } else {
      at = std::min(text.find_first_of(" \t\n|()", at), text.size());
    }
    tokens.push_back(text.substr(begin, at - begin));
  }
  return tokens;
}

class Evaluator {
 public:
  explicit Evaluator(const TemplateContext& context) : context_(context) {}

  [[nodiscard]] Outcome expression(std::string_view text) const {
    const auto tokens = tokenize(text);
    if (!tokens || tokens->empty()) return opaque();
    std::optional<ConfigValue> piped;
    for (std::size_t at = 0; at < tokens->size();) {
      std::vector<std::string_view> command;
      while (at < tokens->size() && (*tokens)[at] != "|") command.push_back((*tokens)[at++]);
      ++at;
      Outcome result = run(command, piped);
      if (result.state != State::text) return result;
      piped = std::move(result.value);
    }
    return piped ? known(*std::move(piped)) : opaque();
  }

 private:
  [[nodiscard]] Outcome operand(std::string_view token) const;
  [[nodiscard]] Outcome reference(std::string_view path) const;
  [[nodiscard]] Outcome run(const std::vector<std::string_view>& command,
                            const std::optional<ConfigValue>& piped) const;
  [[nodiscard]] Outcome call(std::string_view function, std::vector<ConfigValue> arguments) const;

  const TemplateContext& context_;
};

/// `.Values.a.b`: a key that is missing from a mapping is nothing; below nothing Helm fails.
Outcome Evaluator::reference(std::string_view path) const {
  const auto known_text = [](const std::optional<std::string>& text) {
    return text ? known(make_string(*text)) : opaque();
  };
  if (path == ".Chart.Name") return known(make_string(context_.chart_name));
  if (path == ".Release.Name") return known_text(context_.release_name);
  if (path == ".Release.Namespace") return known_text(context_.release_namespace);
  constexpr std::string_view values = ".Values.";
  if (!path.starts_with(values) || context_.values == nullptr) return opaque();
  path.remove_prefix(values.size());
  const ConfigValue* at = context_.values;
  const std::string_view first = path.substr(0, path.find('.'));
  const bool is_charts =
      context_.chart_keys != nullptr &&
      std::ranges::find(*context_.chart_keys, first) != context_.chart_keys->end();
  while (!path.empty()) {
    const std::string_view key = take_part(path, '.');
    if (at == nullptr || at->is_null()) {
      if (is_charts) return opaque();
      return {State::failure, {}, fmt::format("nil pointer evaluating interface {{}}.{}", key)};
    }
    if (at->opaque) return opaque();
    if (!at->is_map()) {
      return {State::failure, {}, fmt::format("can't evaluate field {}", key)};
    }
    at = at->find(key);
  }
  if (at == nullptr) return is_charts ? opaque() : known(make_null());
  if (at->opaque || at->is_collection()) return opaque();
  return known(*at);
}

Outcome Evaluator::operand(std::string_view token) const {
  if (token.starts_with('.')) return reference(token);
  if (token.starts_with('`')) return known(make_string(token.substr(1, token.size() - 2)));
  if (token.starts_with('"')) {
    const std::string_view inner = token.substr(1, token.size() - 2);
    if (inner.find('\\') != std::string_view::npos) return opaque();
    return known(make_string(inner));
  }
  if (token == "true" || token == "false") return known(make_boolean(token == "true"));
  if (const auto number = parse_go_int(token, 64)) return known(make_integer(*number));
  return opaque();
}

Outcome Evaluator::run(const std::vector<std::string_view>& command,
                       const std::optional<ConfigValue>& piped) const {
  if (command.empty()) return opaque();
  const bool is_value = command.size() == 1 && !piped;
  if (is_value) return operand(command.front());
  std::vector<ConfigValue> arguments;
  for (std::size_t i = 1; i < command.size(); ++i) {
    Outcome argument = operand(command[i]);
    if (argument.state != State::text) return argument;
    arguments.push_back(std::move(argument.value));
  }
  if (piped) arguments.push_back(*piped);
  return call(command.front(), std::move(arguments));
}

/// Go's printf for `%s`, `%v`, `%d` and `%%`.
[[nodiscard]] Outcome format(const std::vector<ConfigValue>& arguments) {
  std::string result;
  const std::string& pattern = arguments.front().text;
  std::size_t next = 1;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      result += pattern[i];
      continue;
    }
    if (++i == pattern.size()) return opaque();
    if (pattern[i] == '%') {
      result += '%';
      continue;
    }
    const bool is_simple = pattern[i] == 's' || pattern[i] == 'v' || pattern[i] == 'd';
    if (!is_simple || next >= arguments.size()) return opaque();
    const ConfigValue& argument = arguments[next++];
    if (pattern[i] == 's' && !argument.is_string()) return opaque();
    result += argument.text;
  }
  return next == arguments.size() ? known(make_string(result)) : opaque();
}

[[nodiscard]] std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

Outcome Evaluator::call(std::string_view function, std::vector<ConfigValue> arguments) const {
  const std::size_t count = arguments.size();
  if (function == "printf" && count >= 1) return format(arguments);
  if (function == "default" && count == 2) {
    return known(is_truthy(arguments[1]) ? arguments[1] : arguments[0]);
  }
  if (count == 2 && (function == "eq" || function == "ne")) {
    if (arguments[0].kind != arguments[1].kind) return opaque();
    return known(make_boolean((arguments[0].text == arguments[1].text) == (function == "eq")));
  }
  if (count == 2 && (function == "and" || function == "or")) {
    const bool takes_first = is_truthy(arguments[0]) == (function == "or");
    return known(arguments[takes_first ? 0 : 1]);
  }
  if (count != 1) return opaque();
  const std::string& text = arguments[0].text;
  if (function == "not") return known(make_boolean(!is_truthy(arguments[0])));
  if (function == "quote") return known(make_string(fmt::format("\"{}\"", text)));
  if (function == "squote") return known(make_string(fmt::format("'{}'", text)));
  if (function == "toString") return known(make_string(text));
  if (!arguments[0].is_string()) return opaque();
  if (function == "upper") return known(make_string(upper(text)));
  if (function == "lower") return known(make_string(to_lower(text)));
  if (function == "trim") return known(make_string(trim(text)));
  return opaque();
}

/// Prints a template: text as it is, actions evaluated, branches not taken left out.
class Printer {
 public:
  explicit Printer(const TemplateContext& context) : evaluator_(context) {}

  [[nodiscard]] TemplateResult print(std::string_view text) {
    while (!text.empty() && result_.state == State::text) {
      const std::size_t open = std::min(text.find("{{"), text.size());
      put(text.substr(0, open));
      if (open == text.size()) break;
      const std::size_t close = text.find("}}", open);
      if (close == std::string_view::npos) {
        return {State::failure, "unclosed action"};
      }
      action(text.substr(open + 2, close - open - 2));
      text.remove_prefix(close + 2);
    }
    if (result_.state == State::text && !branches_.empty()) return {State::failure, "missing end"};
    return std::move(result_);
  }

 private:
  struct Branch {
    bool is_active = false;   ///< The part at hand is printed.
    bool is_settled = false;  ///< A part before it was, or the whole is inside one that is not.
  };

  [[nodiscard]] bool is_active() const {
    return std::ranges::all_of(branches_, [](const Branch& branch) { return branch.is_active; });
  }

  void put(std::string_view text) {
    if (!is_active()) return;
    result_.text +=
        trims_next_ ? text.substr(std::min(text.find_first_not_of(" \t\n"), text.size())) : text;
    trims_next_ = false;
  }

  void action(std::string_view body) {
    if (body.starts_with("- ")) {
      body.remove_prefix(2);
      if (is_active()) {
        result_.text.erase(result_.text.find_last_not_of(" \t\n") + 1);
      }
    }
    trims_next_ = body.ends_with(" -");
    if (trims_next_) body.remove_suffix(2);
    body = trim(body);
    if (body.starts_with("/*")) return;
    if (body.starts_with("if ")) {
      const bool is_dead = !is_active();
      const bool is_taken = !is_dead && test(body.substr(3));
      branches_.push_back({is_taken, is_dead || is_taken});
    } else if (body == "end" || body == "else" || body.starts_with("else if ")) {
      close_branch(body);
    } else if (is_active()) {
      print_value(body);
    }
  }

  void close_branch(std::string_view body) {
    if (branches_.empty()) {
      result_ = {State::failure, fmt::format("unexpected {{{{{}}}}}", body)};
      return;
    }
    if (body == "end") {
      branches_.pop_back();
      return;
    }
    Branch branch = branches_.back();
    branches_.pop_back();
    branch.is_active = !branch.is_settled && (body == "else" || test(body.substr(8)));
    branch.is_settled = branch.is_settled || branch.is_active;
    branches_.push_back(branch);
  }

  [[nodiscard]] bool test(std::string_view condition) {
    const Outcome outcome = evaluator_.expression(condition);
    if (outcome.state != State::text) result_ = {outcome.state, outcome.message};
    return outcome.state == State::text && is_truthy(outcome.value);
  }

  void print_value(std::string_view body) {
    Outcome outcome = evaluator_.expression(body);
    if (outcome.state == State::text) {
      result_.text += outcome.value.text;
    } else {
      result_ = {outcome.state, outcome.message};
    }
  }

  Evaluator evaluator_;
  TemplateResult result_;
  std::vector<Branch> branches_;
  bool trims_next_ = false;
};

}  // namespace

TemplateResult evaluate_template(std::string_view text, const TemplateContext& context) {
  return Printer(context).print(text);
}

}  // namespace gpulint::flyte
