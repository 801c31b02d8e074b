#include "frontend/git_pattern.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace gpulint {
namespace {

using Bytes = std::bitset<256>;

[[nodiscard]] std::size_t code(char c) { return static_cast<unsigned char>(c); }

[[nodiscard]] bool is_between(std::size_t c, char first, char last) {
  return code(first) <= c && c <= code(last);
}

/// Of ASCII, whatever the locale.
[[nodiscard]] std::optional<bool> is_in_class(std::string_view name, std::size_t c) {
  const bool lower = is_between(c, 'a', 'z');
  const bool upper = is_between(c, 'A', 'Z');
  const bool digit = is_between(c, '0', '9');
  const bool graph = is_between(c, '!', '~');
  const std::array<std::pair<std::string_view, bool>, 12> classes = {{
      {"alnum", lower || upper || digit},
      {"alpha", lower || upper},
      {"blank", c == ' ' || c == '\t'},
      {"cntrl", c < ' ' || c == 127},
      {"digit", digit},
      {"graph", graph},
      {"lower", lower},
      {"print", graph || c == ' '},
      {"punct", graph && !lower && !upper && !digit},
      {"space", c == ' ' || is_between(c, '\t', '\r')},
      {"upper", upper},
      {"xdigit", digit || is_between(c, 'a', 'f') || is_between(c, 'A', 'F')},
  }};
  const auto found = std::ranges::find(classes, name, &std::pair<std::string_view, bool>::first);
  return found == classes.end() ? std::nullopt : std::optional(found->second);
}

/// Reads what stands between `[` and its `]`.
class ClassReader {
 public:
  ClassReader(std::string_view pattern, std::size_t at) : pattern_(pattern), at_(at) {}

  /// The bytes that it takes; nothing where it is not closed or names an unknown class.
  [[nodiscard]] std::optional<Bytes> read() {
    const bool negated = peek() == '!' || peek() == '^';
    if (negated) ++at_;
    do {
      if (!read_item()) return std::nullopt;
    } while (at_ < pattern_.size() && pattern_[at_] != ']');
    if (at_ == pattern_.size()) return std::nullopt;
    ++at_;
    Bytes result = negated ? ~bytes_ : bytes_;
    result.reset(code('/'));
    return result;
  }

  [[nodiscard]] std::size_t end() const { return at_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }

  /// A byte, a range that ends here, or `[:name:]`; false at the end of the pattern.
  [[nodiscard]] bool read_item() {
    if (at_ == pattern_.size()) return false;
    if (peek() == '-' && previous_ && peek(1) != '\0' && peek(1) != ']') return read_range();
    if (peek() == '[' && peek(1) == ':') return read_name();
    if (peek() == '\\' && ++at_ == pattern_.size()) return false;
    previous_ = pattern_[at_++];
    bytes_.set(code(*previous_));
    return true;
  }

  [[nodiscard]] bool read_range() {
    ++at_;
    if (peek() == '\\' && ++at_ == pattern_.size()) return false;
    for (std::size_t c = code(*previous_); c <= code(pattern_[at_]); ++c) bytes_.set(c);
    ++at_;
    previous_.reset();
    return true;
  }

  [[nodiscard]] bool read_name() {
    const std::size_t begin = at_ + 2;
    const std::size_t end = pattern_.find(']', begin);
    if (end == std::string_view::npos) return false;
    if (end == begin || pattern_[end - 1] != ':') {  // a set that happens to hold `[` and `:`
      previous_ = pattern_[at_++];
      bytes_.set(code('['));
      return true;
    }
    const std::string_view name = pattern_.substr(begin, end - 1 - begin);
    for (std::size_t c = 0; c < bytes_.size(); ++c) {
      const std::optional<bool> found = is_in_class(name, c);
      if (!found) return false;
      if (*found) bytes_.set(c);
    }
    at_ = end + 1;
    previous_.reset();
    return true;
  }

  std::string_view pattern_;
  std::size_t at_;
  Bytes bytes_;
  std::optional<char> previous_;  // what a range may begin with
};

}  // namespace

GitPattern::GitPattern(std::string_view pattern)
    : literal_(pattern.substr(0, std::min(pattern.find_first_of("*?[\\"), pattern.size()))) {
  // git compares this much byte by byte and matches the rest as a pattern of its own: in `a**/b`
  // the stars stand first, and so for whole folders.
  pattern.remove_prefix(literal_.size());
  if (pattern.starts_with('*') && pattern.find_first_of("*?[\\/", 1) == std::string_view::npos) {
    suffix_ = pattern.substr(1);
    return;
  }
  for (std::size_t at = 0; at < pattern.size() && !is_broken_;) {
    const char c = pattern[at];
    if (c == '*') {
      add_stars(pattern, at);
    } else if (c == '[') {
      add_class(pattern, ++at);
    } else if (c == '?') {
      elements_.push_back({Kind::one, Bytes().set().reset(code('/'))});
      ++at;
    } else {
      if (c == '\\' && ++at == pattern.size()) {
        is_broken_ = true;
      } else {
        add_byte(static_cast<unsigned char>(pattern[at++]));
      }
    }
  }
}

void GitPattern::add_stars(std::string_view pattern, std::size_t& at) {
  const std::size_t begin = at;
  at = std::min(pattern.find_first_not_of('*', at), pattern.size());
  const std::string_view rest = pattern.substr(at);
  const bool is_whole = (begin == 0 || pattern[begin - 1] == '/') &&
                        (rest.empty() || rest.starts_with('/') || rest.starts_with("\\/"));
  if (at - begin < 2 || !is_whole) {
    elements_.push_back({Kind::name, {}});
  } else if (rest.starts_with('/')) {
    elements_.push_back({Kind::folders, {}});
    ++at;
  } else {
    elements_.push_back({Kind::any, {}});
  }
}

void GitPattern::add_class(std::string_view pattern, std::size_t& at) {
  ClassReader reader(pattern, at);
  const std::optional<Bytes> bytes = reader.read();
  is_broken_ = !bytes;
  if (bytes) elements_.push_back({Kind::one, *bytes});
  at = reader.end();
}

void GitPattern::add_byte(unsigned char byte) {
  elements_.push_back({Kind::one, Bytes().set(byte)});
}

bool GitPattern::matches(std::string_view text) const {
  if (is_broken_ || !text.starts_with(literal_)) return false;
  text.remove_prefix(literal_.size());
  if (suffix_) {
    return text.ends_with(*suffix_) &&
           text.substr(0, text.size() - suffix_->size()).find('/') == std::string_view::npos;
  }
  if (elements_.empty()) return text.empty();
  // Which elements the rest of the text may go on with: `reached[i]` stands before element i.
  std::vector<char> reached(elements_.size() + 1);
  std::vector<char> next(reached.size());
  reached[0] = 1;
  const auto skip_empty = [&](std::vector<char>& states) {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (states[i] == 1 && elements_[i].kind != Kind::one) states[i + 1] = 1;
    }
  };
  skip_empty(reached);
  for (const char c : text) {
    std::ranges::fill(next, char{0});
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (reached[i] == 0) continue;
      switch (elements_[i].kind) {
        case Kind::one:
          if (elements_[i].bytes.test(code(c))) next[i + 1] = 1;
          break;
        case Kind::name:
          if (c != '/') next[i] = 1;
          break;
        case Kind::any:
          next[i] = 1;
          break;
        case Kind::folders:  // 2: within a folder's name, which cannot be left but by its `/`
          next[i] = c == '/' ? 1 : std::max(next[i], char{2});
          break;
      }
    }
    skip_empty(next);
    std::swap(reached, next);
  }
  return reached.back() != 0;
}

}  // namespace gpulint
