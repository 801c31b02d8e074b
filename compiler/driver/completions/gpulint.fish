# fish completion for gpulint: `gpulint completions fish`
function __gpulint_offers
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  set -l offers ($words[1] __complete $words[2..] "$typed" 2>/dev/null)
  # The last line says whether files are an answer; the others are words with their descriptions.
  set -q offers[2]; and printf '%s\n' $offers[..-2]
  test "$offers[-1]" = :4; and return
  set -l flag (string match -r -- '^--[^=]*=' $typed)
  __fish_complete_path (string replace -- "$flag" '' "$typed") | string replace -r -- '^' "$flag"
end
complete -c gpulint -f -a '(__gpulint_offers)'
