#include "compiler/flyte/helm_chart.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/config_value.h"
#include "compiler/flyte/go_scalar.h"
#include "compiler/flyte/helm_values.h"

namespace gpulint::flyte {
namespace {

/// The objects that `{{ … }}` inside a value may use.
struct TemplateContext {
  const ConfigValue* values = nullptr;  ///< The merged values.
  /// Top-level keys of the chart's own values, whose content is not all known here.
  const std::vector<std::string_view>* chart_keys = nullptr;
  std::string chart_name{};
  std::optional<std::string> release_name{};  ///< nullopt: unknown, like the rest of `.Release`.
  std::optional<std::string> release_namespace{};
};

struct TemplateResult {
  enum class State : std::uint8_t {
    text,    ///< `text` is what Helm prints.
    opaque,  ///< It depends on something unknown.
    failure  ///< Helm fails: `text` says why.
  };
  State state = State::text;
  std::string text;
};

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

/// Splits an expression at blanks and `|`, outside of quotes; nullopt if a quote is not closed.
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

/// `.Values.a.b`: a missing key of a mapping gives nothing; a key below nothing makes Helm fail.
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

/// Prints a template: text unchanged, actions evaluated, inactive branches left out.
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
    bool is_settled = false;  ///< An earlier part was active, or the whole is inside an inactive
                              ///< one.
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

/// Evaluates Helm's `tpl` of a scalar's text: references to values, the chart's name and the
/// release if it is known, if/else, and the functions default, quote, squote, printf, upper, lower,
/// trim, toString, not, eq, ne, and, or. Everything else is opaque.
[[nodiscard]] TemplateResult evaluate_template(std::string_view text,
                                               const TemplateContext& context) {
  return Printer(context).print(text);
}

[[nodiscard]] bool has_action(std::string_view text) {
  return text.find("{{") != std::string_view::npos;
}

/// Whether toYaml prints a text without quotes; the result of a template is then parsed again.
[[nodiscard]] bool prints_plain(std::string_view text) {
  constexpr std::string_view indicators = "-?:,[]{}#&*!|>'\"%@` ";
  return !text.empty() && indicators.find(text.front()) == std::string_view::npos &&
         text.back() != ' ' && text.back() != ':' && text.find(": ") == std::string_view::npos &&
         text.find(" #") == std::string_view::npos && text.find('\n') == std::string_view::npos;
}

/// Below a parent chart's key, the chart's name is that key.
[[nodiscard]] std::string chart_name(const HelmRelease& release) {
  if (!release.subchart.empty()) return release.subchart;
  return std::string(chart_info(release.chart, release.version).name);
}

class Renderer {
 public:
  explicit Renderer(const HelmRelease& release) : release_(release) {
    MergedValues merged = merge_values(release.layers, release.settings,
                                       chart_values(release.chart, release.version));
    values_ = std::move(merged.values);
    result_.lost = std::move(merged.lost);
    result_.problems = std::move(merged.problems);
    chart_keys_ = chart_value_keys(release.chart);
    context_ = {&values_, &chart_keys_, chart_name(release), release.name, release.name_space};
  }

  [[nodiscard]] ReleaseConfig render() {
    check_other_templates();
    if (result_.problems.empty()) {
      if (release_.chart == FlyteChart::core) {
        render_core();
      } else {
        render_binary();
      }
    }
    return std::move(result_);
  }

 private:
  void render_core();
  void render_binary();
  void check_other_templates();
  void check_choice(const ConfigValue* value, std::initializer_list<std::string_view> allowed);
  [[nodiscard]] ConfigValue plugins_file();
  void add_block(const char* file, const ConfigValue* block, std::vector<ConfigFile>& files);
  void apply_template(ConfigValue& value);
  void apply_template_to_text(ConfigValue& value);
  [[nodiscard]] const ConfigValue* table(const char* key);
  [[nodiscard]] bool is_enabled(const char* component) const;
  void refuse(std::string message, Node node) {
    result_.problems.push_back({{}, std::move(message), node});
  }

  const HelmRelease& release_;
  ConfigValue values_;
  std::vector<std::string_view> chart_keys_;
  TemplateContext context_;
  ReleaseConfig result_;
};

/// A mapping of the values that templates access; any other type makes them fail.
const ConfigValue* Renderer::table(const char* key) {
  const ConfigValue* value = values_.find(key);
  if (value != nullptr && value->is_map()) return value;
  refuse(fmt::format("`{}` must be a mapping", key), value == nullptr ? values_.node : value->node);
  return nullptr;
}

bool Renderer::is_enabled(const char* component) const {
  const ConfigValue* value = values_.find_path({component, "enabled"});
  return value != nullptr && !value->is_empty() &&
         (value->kind != ConfigValue::Kind::boolean || value->boolean);
}

void Renderer::check_choice(const ConfigValue* value,
                            std::initializer_list<std::string_view> allowed) {
  if (value == nullptr || value->opaque || !value->is_string()) return;
  if (std::ranges::find(allowed, value->text) != allowed.end()) return;
  refuse(fmt::format("`{}` must be one of {}", value->text, fmt::join(allowed, ", ")), value->node);
}

/// Cases in which the charts' templates fail elsewhere, so nothing is rendered.
void Renderer::check_other_templates() {
  if (release_.chart == FlyteChart::binary) {
    const ConfigValue* storage = values_.find_path({"configuration", "storage"});
    if (storage == nullptr) return;
    const ConfigValue* provider = storage->find("provider");
    check_choice(provider, {"s3", "azure", "gcs"});
    if (provider != nullptr && provider->text != "s3") return;
    check_choice(storage->find_path({"providerConfig", "s3", "authType"}), {"iam", "accesskey"});
    return;
  }
  const ConfigValue* role =
      values_.find_path({"flyteadmin", "serviceAccount", "createClusterRole"});
  if (role == nullptr || role->is_null()) return;
  refuse("`flyteadmin.serviceAccount.createClusterRole` is set, which is now `rbac`", role->node);
}

void Renderer::apply_template_to_text(ConfigValue& value) {
  const TemplateResult printed = evaluate_template(value.text, context_);
  if (printed.state == TemplateResult::State::failure) {
    refuse(printed.text, value.node);
    return;
  }
  value.opaque = printed.state == TemplateResult::State::opaque;
  if (value.opaque) return;
  if (!prints_plain(value.text)) {
    value.text = printed.text;
    return;
  }
  if (!prints_plain(printed.text)) {
    value.opaque = !printed.text.empty();
    if (printed.text.empty()) value = make_null(value.node);
    return;
  }
  const Node node = value.node;
  const GoScalar scalar = resolve_plain(printed.text);
  using Type = GoScalar::Type;
  if (scalar.type == Type::boolean) {
    value = make_boolean(scalar.boolean, node);
  } else if (scalar.type == Type::integer) {
    value = make_integer(scalar.integer, node);
  } else {
    value.text = scalar.text;
  }
}

/// `tpl` for a block, which Helm prints with sorted keys: every text in it may contain actions.
void Renderer::apply_template(ConfigValue& value) {
  if (value.is_string() && has_action(value.text)) apply_template_to_text(value);
  for (ConfigValue& item : value.items) apply_template(item);
  for (ConfigEntry& entry : value.entries) {
    if (has_action(entry.key)) {
      TemplateResult key = evaluate_template(entry.key, context_);
      if (key.state == TemplateResult::State::text) entry.key = std::move(key.text);
      entry.weak_key = entry.key;
    }
    apply_template(entry.value);
  }
  std::ranges::stable_sort(value.entries, {}, &ConfigEntry::key);
}

void Renderer::add_block(const char* file, const ConfigValue* block,
                         std::vector<ConfigFile>& files) {
  if (block == nullptr || block->is_empty()) return;
  ConfigFile& added = files.emplace_back();
  added.name = file;
  added.value = *block;
  apply_template(added.value);
  if (added.value.is_map()) return;
  added.problems.push_back({{}, std::string(no_mapping), block->node});
}

// templates/propeller/configmap.yaml and templates/admin/configmap.yaml of flyte-core.
void Renderer::render_core() {
  const ConfigValue* config = table("configmap");
  if (config == nullptr) return;
  const auto optional_plugin = [&](const char* file, const char* component) {
    if (is_enabled(component)) {
      add_block(file, values_.find_path({component, "plugin_config"}), result_.propeller);
    }
  };
  if (is_enabled("flytepropeller")) {
    result_.has_propeller = true;
    for (const char* name :
         {"admin", "catalog", "catalog_cache", "copilot", "core", "enabled_plugins", "k8s",
          "logger", "otel", "resource_manager", "task_logs"}) {
      add_block(fmt::format("{}.yaml", name).c_str(), config->find(name), result_.propeller);
    }
    optional_plugin("spark.yaml", "sparkoperator");
    optional_plugin("databricks.yaml", "databricks");
    optional_plugin("connector_service.yaml", "flyteconnector");
    optional_plugin("agent_service.yaml", "flyteagent");
    std::ranges::stable_sort(result_.propeller, {}, &ConfigFile::name);
  }
  if (is_enabled("flyteadmin")) {
    result_.has_admin = true;
    add_block("domain.yaml", config->find("domain"), result_.admin);
    add_block("logger.yaml", config->find("logger"), result_.admin);
    add_block("remoteData.yaml", config->find("remoteData"), result_.admin);
    add_block("server.yaml", config->find("adminServer"), result_.admin);
    add_block("task_resource_defaults.yaml", config->find("task_resource_defaults"), result_.admin);
  }
}

/// 001-plugins.yaml of flyte-binary, its `plugins.k8s`.
ConfigValue Renderer::plugins_file() {
  ConfigValue file = make_map();
  ConfigValue& k8s = file.at_or_add("plugins").at_or_add("k8s");
  ConfigValue& co_pilot = k8s.at_or_add("co-pilot");
  const ConfigValue* image = values_.find_path({"configuration", "co-pilot", "image"});
  if (image != nullptr && !image->is_empty()) {
    const auto part = [&](const char* key) {
      const ConfigValue* value = image->find(key);
      return value == nullptr || value->is_null() ? std::string("%!s(<nil>)") : value->text;
    };
    co_pilot = make_map();
    co_pilot.set("image",
                 make_string(fmt::format("{}:{}", part("repository"), part("tag")), image->node));
  }
  if (release_.version != FlyteVersion::v2) return file;
  const auto variable = [](const char* name, std::string_view value) {
    ConfigValue item = make_map();
    item.set(name, make_string(value));
    return item;
  };
  k8s.set("default-env-vars",
          make_list({variable("_U_EP_OVERRIDE",
                              fmt::format("{}-http.{}:8090",
                                          binary_name(values_, release_.name.value_or("flyte")),
                                          release_.name_space.value_or("flyte"))),
                     variable("_U_INSECURE", "true"), variable("_U_USE_ACTIONS", "1")}));
  return file;
}

// templates/configmap.yaml of flyte-binary. Files of `inlineConfigMap`, `inlineSecretRef` and the
// like are not in the values; Secrets hold nothing that matters here.
void Renderer::render_binary() {
  const ConfigValue* config = table("configuration");
  if (config == nullptr) return;
  for (const char* external : {"externalConfigMap", "externalSecretRef"}) {
    const ConfigValue* value = config->find(external);
    if (value != nullptr && !value->is_empty()) return;
  }
  result_.has_propeller = true;
  result_.has_admin = release_.version == FlyteVersion::v1;
  result_.propeller.push_back({"001-plugins.yaml", plugins_file(), {}});
  add_block("100-inline-config.yaml", config->find("inline"), result_.propeller);
  if (result_.has_admin) result_.admin = result_.propeller;
}

}  // namespace

ReleaseConfig render_release(const HelmRelease& release) { return Renderer(release).render(); }

}  // namespace gpulint::flyte
