// fmt compiled once. Debian packages it as a shared library only; this file makes it part of the program, so that every
// other file sees declarations alone. What is instantiated here is what fmt's headers declare `extern template`.
#include <fmt/format-inl.h>

template auto fmt::detail::thousands_sep_impl<char>(fmt::detail::locale_ref) -> fmt::detail::thousands_sep_result<char>;
template auto fmt::detail::decimal_point_impl(fmt::detail::locale_ref) -> char;
template void fmt::detail::buffer<char>::append(const char*, const char*);
