#include "compiler/base/glob.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <re2/re2.h>

namespace gpulint {
namespace {

/// Where a pattern is from: only git escapes with backslashes, knows `[:alpha:]`, matches folders
/// with two stars only where they are a whole name, and matches nothing with an unclosed `[`.
enum class Syntax : std::uint8_t { config, git };

/// The classes of ASCII, whatever the locale, without `/`.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> named_classes = {{
    {"alnum", "0-9A-Za-z"},
    {"alpha", "A-Za-z"},
    {"blank", " \\t"},
    {"cntrl", "\\x00-\\x1f\\x7f"},
    {"digit", "0-9"},
    {"graph", "!-.0-~"},
    {"lower", "a-z"},
    {"print", " -.0-~"},
    {"punct", "!-.:-@\\[-`{-~"},
    {"space", " \\t-\\r"},
    {"upper", "A-Z"},
    {"xdigit", "0-9a-fA-F"},
}};

/// Translates a glob into the notation of RE2.
class Translation {
 public:
  Translation(std::string_view pattern, Syntax syntax) : pattern_(pattern), syntax_(syntax) {}

  /// Nothing where the pattern matches nothing.
  [[nodiscard]] std::optional<std::string> run() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '*') {
        add_stars();
      } else if (c == '?') {
        text_ += "[^/]";
        ++at_;
      } else if (c == '[') {
        if (!add_class()) return std::nullopt;
      } else {
        if (!skip_escape()) return std::nullopt;
        add_byte(pattern_[at_++]);
      }
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  void add_byte(char byte) { text_ += fmt::format("\\x{:02x}", code(byte)); }

  [[nodiscard]] static int code(char byte) { return static_cast<unsigned char>(byte); }

  /// Steps over git's backslash; false where nothing follows.
  [[nodiscard]] bool skip_escape() {
    if (syntax_ == Syntax::git && peek() == '\\') ++at_;
    return at_ < pattern_.size();
  }

  void add_stars() {
    const std::size_t begin = at_;
    at_ = std::min(pattern_.find_first_not_of('*', at_), pattern_.size());
    const std::string_view rest = pattern_.substr(at_);
    const bool is_whole = (begin == 0 || pattern_[begin - 1] == '/') &&
                          (rest.empty() || rest.starts_with('/') || rest.starts_with("\\/"));
    if (at_ - begin < 2 || (syntax_ == Syntax::git && !is_whole)) {
      text_ += "[^/]*";
    } else if (rest.starts_with('/')) {
      text_ += "(?:.*/)?";
      ++at_;
    } else {
      text_ += ".*";
    }
  }

  /// A set of bytes, which never holds `/`; false where the pattern matches nothing.
  [[nodiscard]] bool add_class() {
    const std::size_t begin = at_++;
    if (pattern_.find(']', at_) == std::string_view::npos) return is_literal(begin);
    const bool is_negated = peek() == '!' || peek() == '^';
    if (is_negated) ++at_;
    std::string set = is_negated ? "/" : "";
    int previous = -1;  // the byte that a range may begin with
    do {
      if (at_ == pattern_.size() || !add_item(set, previous)) return is_literal(begin);
    } while (at_ < pattern_.size() && pattern_[at_] != ']');
    if (at_++ == pattern_.size()) return is_literal(begin);
    text_ += set.empty() ? "[^\\x00-\\xff]" : fmt::format("[{}{}]", is_negated ? "^" : "", set);
    return true;
  }

  /// What an unclosed set at `begin` is: a byte of its own in gpulint.yaml, false for git.
  [[nodiscard]] bool is_literal(std::size_t begin) {
    at_ = begin + 1;
    add_byte('[');
    return syntax_ == Syntax::config;
  }

  /// A byte, a range that ends here, or `[:name:]`.
  [[nodiscard]] bool add_item(std::string& set, int& previous) {
    if (peek() == '-' && previous >= 0 && peek(1) != '\0' && peek(1) != ']') {
      ++at_;
      if (!skip_escape()) return false;
      add_range(set, previous, code(pattern_[at_++]));
      previous = -1;
      return true;
    }
    if (syntax_ == Syntax::git && peek() == '[' && peek(1) == ':') return add_name(set, previous);
    if (!skip_escape()) return false;
    previous = code(pattern_[at_++]);
    add_range(set, previous, previous);
    return true;
  }

  [[nodiscard]] bool add_name(std::string& set, int& previous) {
    const std::size_t begin = at_ + 2;
    const std::size_t end = pattern_.find(']', begin);
    if (end == std::string_view::npos) return false;
    if (end == begin || pattern_[end - 1] != ':') {  // a set that happens to hold `[` and `:`
      previous = code(pattern_[at_++]);
      add_range(set, previous, previous);
      return true;
    }
    const auto found = std::ranges::find(named_classes, pattern_.substr(begin, end - 1 - begin),
                                         [](const auto& known) { return known.first; });
    if (found == named_classes.end()) return false;
    set += found->second;
    at_ = end + 1;
    previous = -1;
    return true;
  }

  /// Both ends included, without `/`.
  static void add_range(std::string& set, int first, int last) {
    const auto add = [&](int from, int to) {
      if (from <= to) set += fmt::format("\\x{:02x}-\\x{:02x}", from, to);
    };
    add(first, std::min(last, '/' - 1));
    add(std::max(first, '/' + 1), last);
  }

  std::string_view pattern_;
  Syntax syntax_;
  std::size_t at_ = 0;
  std::string text_;
};

[[nodiscard]] std::shared_ptr<const RE2> compile(const std::string& text) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  auto compiled = std::make_shared<const RE2>(text, options);
  return compiled->ok() ? compiled : nullptr;
}

/// A glob of gpulint.yaml with what is below the folders that it matches.
[[nodiscard]] std::shared_ptr<const RE2> compile_config_glob(std::string_view pattern) {
  if (pattern.starts_with("./")) pattern.remove_prefix(2);
  const bool names_folder = pattern.ends_with('/');
  if (names_folder) pattern.remove_suffix(1);
  std::string anchored(pattern);
  if (anchored.starts_with('/')) {
    anchored.erase(0, 1);
  } else if (anchored.find('/') == std::string::npos) {
    anchored.insert(0, "**/");
  }
  const auto translate = [](const std::string& glob) {
    return Translation(glob, Syntax::config).run().value_or("");
  };
  const std::string below = translate(anchored + "/**");
  return compile(names_folder ? below : translate(anchored) + "|" + below);
}

}  // namespace

GitPattern::GitPattern(std::string_view pattern)
    : literal_(pattern.substr(0, std::min(pattern.find_first_of("*?[\\"), pattern.size()))) {
  // git compares this much byte by byte and matches the rest as a pattern of its own: in `a**/b`
  // the stars are first, and so match whole folders.
  pattern.remove_prefix(literal_.size());
  if (pattern.empty()) return;
  if (pattern.starts_with('*') && pattern.find_first_of("*?[\\/", 1) == std::string_view::npos) {
    suffix_ = pattern.substr(1);
    return;
  }
  const std::optional<std::string> text = Translation(pattern, Syntax::git).run();
  if (text) rest_ = compile(*text);
  is_broken_ = rest_ == nullptr;
}

bool GitPattern::matches(std::string_view text) const {
  if (is_broken_ || !text.starts_with(literal_)) return false;
  text.remove_prefix(literal_.size());
  if (suffix_) {
    return text.ends_with(*suffix_) &&
           text.substr(0, text.size() - suffix_->size()).find('/') == std::string_view::npos;
  }
  return rest_ ? RE2::FullMatch({text.data(), text.size()}, *rest_) : text.empty();
}

bool glob_matches(std::string_view pattern, std::string_view path) {
  static thread_local std::map<std::string, std::shared_ptr<const RE2>, std::less<>> compiled;
  auto found = compiled.find(pattern);
  if (found == compiled.end()) {
    found = compiled.emplace(pattern, compile_config_glob(pattern)).first;
  }
  if (path.starts_with("./")) path.remove_prefix(2);
  return found->second && RE2::FullMatch({path.data(), path.size()}, *found->second);
}

}  // namespace gpulint
