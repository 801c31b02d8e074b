# bash completion for gpulint: `gpulint completions bash`
_gpulint() {
  local words=() i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == = ]] || words+=("${COMP_WORDS[i]}")
  done
  words+=("${COMP_WORDS[COMP_CWORD]#=}")
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null)
  # The last line says whether files are an answer; the others are words with their descriptions.
  COMPREPLY=("${COMPREPLY[@]:0:${#COMPREPLY[@]} ? ${#COMPREPLY[@]} - 1 : 0}")
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
}
complete -o bashdefault -o default -F _gpulint gpulint
