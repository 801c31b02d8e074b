#include "compiler/flyte/helm_set.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint::flyte {
namespace {

constexpr std::size_t largest_index = 65536;
constexpr int deepest_name = 30;

/// One run over `path=value`, which may go on with `,path=value`. Nothing is read behind a mistake.
class SetParser {
 public:
  explicit SetParser(const ValueSetting& setting)
      : setting_(setting), text_(setting.path + "=" + setting.value) {}

  [[nodiscard]] std::string parse(ConfigValue& values) {
    while (at_ < text_.size() && error_.empty()) read_key(values, 0);
    return std::move(error_);
  }

 private:
  using Reading = ReleaseLayer::Reading;

  /// A run of letters up to one of `stops`, which is taken, too.
  struct Run {
    std::string text;
    char stop = '\0';  // NUL: the text has ended
  };

  [[nodiscard]] Run read_until(std::string_view stops) {
    Run run;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (stops.find(c) != std::string_view::npos) {
        run.stop = c;
        return run;
      }
      if (c != '\\') {
        run.text += c;
      } else if (at_ < text_.size()) {
        run.text += text_[at_++];
      }
    }
    return run;
  }

  void read_key(ConfigValue& map, int depth) {
    const Run run = read_until("=[,.");
    switch (run.stop) {
      case '[':
        return read_list_of(run.text, map, depth);
      case '=':
        if (!run.text.empty()) return set(map, run.text, read_value());
        static_cast<void>(read_value());  // an empty name sets nothing
        return;
      case '.':
        return read_map_of(run.text, map, depth + 1);
      default:
        error_ = fmt::format("key `{}` has no value", run.text);
    }
  }

  void read_map_of(const std::string& key, ConfigValue& map, int depth) {
    if (depth > deepest_name) {
      error_ = fmt::format("a name has more than {} levels", deepest_name);
      return;
    }
    ConfigValue* const known = map.find(key);
    if (known != nullptr && !known->is_map() && !known->opaque) {
      error_ = fmt::format("`{}` is no mapping, so that nothing can be set in it", key);
      return;
    }
    if (known != nullptr && known->is_map()) return read_key(*known, depth);
    ConfigValue inner = make_map({}, setting_.value_node);
    read_key(inner, depth);
    if (known == nullptr && !key.empty() && !inner.entries.empty()) set(map, key, std::move(inner));
  }

  void read_list_of(const std::string& key, ConfigValue& map, int depth) {
    const auto index = read_index();
    if (!index) return;
    ConfigValue* const known = map.find(key);
    const bool is_open = known != nullptr && known->opaque;
    if (known != nullptr && !known->is_list() && !is_open) {
      error_ = fmt::format("`{}` is no list, so that no item of it can be set", key);
      return;
    }
    ConfigValue list = known != nullptr && !is_open ? *known : make_list({}, setting_.value_node);
    read_item(list, *index, depth);
    if (is_open) return;
    if (setting_.reading == Reading::open) list = open_value();  // one item of it is anything
    if (!key.empty()) set(map, key, std::move(list));
  }

  [[nodiscard]] std::optional<std::size_t> read_index() {
    const Run run = read_until("]");
    std::size_t index = 0;
    const char* const end = run.text.data() + run.text.size();
    const auto [behind, problem] = std::from_chars(run.text.data(), end, index);
    if (run.stop != ']' || problem != std::errc() || behind != end) {
      error_ = fmt::format("`[{}` is no index", run.text);
      return std::nullopt;
    }
    if (index > largest_index) {
      error_ = fmt::format("index {} is greater than {}", index, largest_index);
      return std::nullopt;
    }
    return index;
  }

  /// What stands behind `name[0]`.
  void read_item(ConfigValue& list, std::size_t index, int depth) {
    const Run run = read_until("[.=");
    if (!run.text.empty() || run.stop == '\0') {
      error_ = fmt::format("`{}` stands behind an index", run.text);
      return;
    }
    if (list.items.size() <= index) list.items.resize(index + 1);
    ConfigValue& item = list.items[index];
    if (run.stop == '=') {
      item = read_value();
    } else if (run.stop == '.') {
      if (!item.is_map()) item = make_map({}, setting_.value_node);
      read_key(item, depth);
    } else if (const auto inner = read_index()) {
      if (!item.is_list()) item = make_list({}, setting_.value_node);
      read_item(item, *inner, depth);
    }
  }

  [[nodiscard]] ConfigValue read_value() {
    if (setting_.reading == Reading::open) {
      at_ = text_.size();
      return open_value();
    }
    if (at_ == text_.size() || text_[at_] != '{') return value_of(read_until(",").text);
    ++at_;
    ConfigValue list = make_list({}, setting_.value_node);
    while (true) {
      const Run run = read_until(",}");
      if (run.stop == '\0') {
        error_ = "a list must end with `}`";
        return list;
      }
      list.items.push_back(value_of(run.text));
      if (run.stop == '}') break;
    }
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
    return list;
  }

  [[nodiscard]] ConfigValue open_value() const {
    ConfigValue value = make_string({}, setting_.value_node);
    value.opaque = true;
    return value;
  }

  [[nodiscard]] ConfigValue value_of(const std::string& text) const {
    const Node node = setting_.value_node;
    if (node.is_opaque()) return open_value();
    if (setting_.reading == Reading::text) return make_string(text, node);
    if (equal_fold(text, "true") || equal_fold(text, "false")) {
      return make_boolean(equal_fold(text, "true"), node);
    }
    if (equal_fold(text, "null")) return make_null(node);
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const char* const begin = text.starts_with('+') ? text.data() + 1 : text.data();
    const auto [behind, problem] = std::from_chars(begin, end, number);
    const bool is_octal = text.starts_with('0') && text != "0";
    const bool has_sign_alone = begin != text.data() && text.substr(1).starts_with('-');
    if (problem == std::errc() && behind == end && begin != end && !is_octal && !has_sign_alone) {
      return make_integer(number, node);
    }
    return make_string(text, node);
  }

  void set(ConfigValue& map, const std::string& key, ConfigValue value) {
    map.set(key, std::move(value), setting_.path_node);
  }

  const ValueSetting& setting_;
  std::string text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string apply_setting(const ValueSetting& setting, ConfigValue& values) {
  return SetParser(setting).parse(values);
}

}  // namespace gpulint::flyte
