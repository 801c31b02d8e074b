#compdef gpulint
# zsh completion for gpulint: `gpulint completions zsh`
_gpulint() {
  local -a lines offers
  local line
  lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  # The last line says whether files are an answer; the others are words with their descriptions.
  for line in "${(@)lines[1,-2]}"; do
    offers+=("${${line%%$'\t'*}//:/\\:}${${(M)line:#*$'\t'*}:+:${line#*$'\t'}}")
  done
  (( $#offers )) && _describe 'gpulint' offers
  [[ $lines[-1] == :4 ]] && return
  compset -P '--*='
  _files
}
if [[ $funcstack[1] == _gpulint ]]; then
  _gpulint "$@"
else
  compdef _gpulint gpulint
fi
