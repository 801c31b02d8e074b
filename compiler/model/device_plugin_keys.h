#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpulint::device_plugin {

enum class ValueType : std::uint8_t { any, text, boolean, duration, texts };

/// A key that the device plugin reads.
struct Key {
  std::string_view name;
  ValueType type = ValueType::any;
  std::span<const std::string_view> values{};  ///< What validation allows; empty: anything.
};

/// A mapping of the configuration. Struct keys fold letter case, as encoding/json does; the others
/// are looked up exactly.
struct Section {
  std::string_view path;
  std::span<const Key> keys;
  bool folds_case = true;
};

extern const Section top_section;
extern const Section flags_section;
extern const Section plugin_section;
extern const Section gfd_section;
extern const Section sharing_section;
extern const Section strategy_section;  ///< Inside timeSlicing and mps.
extern const Section item_section;      ///< One of a strategy's resources.
extern const Section resources_section;
extern const Section imex_section;

/// The key that the plugin takes the word for; null where it drops it.
[[nodiscard]] const Key* find_key(const Section& section, std::string_view word);

/// What a dropped word most likely was.
struct Guess {
  bool elsewhere = false;  ///< A key of another section: `meant` is its whole path.
  std::string meant{};     ///< Else a key of this section; empty: no idea.
};
[[nodiscard]] Guess guess_key(const Section& section, std::string_view word);

}  // namespace gpulint::device_plugin
