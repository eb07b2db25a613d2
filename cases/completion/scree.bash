# shellcheck shell=bash
# Completion of scree in bash: commands, options, case files, keys after --set. The words
# are the program's own (scree help --words). Installed as
# share/bash-completion/completions/scree; or: source cases/completion/scree.bash

_scree_words() {
  "${COMP_WORDS[0]}" help --words "$@" 2>/dev/null
}

# Files that end in .yaml, and folders on the way to them.
_scree_cases() {
  mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$1"; compgen -d -S / -- "$1")
  compopt -o nospace -o filenames 2>/dev/null
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} == */ ]] || compopt +o nospace 2>/dev/null
}

_scree_from() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

# A key, up to its =; what is behind it is the user's.
_scree_keys() {
  mapfile -t COMPREPLY < <(compgen -S = -W "$(_scree_words keys)" -- "$1")
  compopt -o nospace 2>/dev/null
}

_scree_templates() {
  "${COMP_WORDS[0]}" new 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p'
}

# What stands where no option is: by the command.
_scree_operand() {
  local current=$2
  case $1 in
    run | check) _scree_cases "$current" ;;
    help) _scree_from "$(_scree_words commands; _scree_words keys)" "$current" ;;
    new)
      if [[ $COMP_CWORD -eq 2 ]]; then
        _scree_from "$(_scree_templates)" "$current"
      else
        _scree_cases "$current"
      fi
      ;;
    *)
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      ;;
  esac
}

_scree() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    _scree_from "$(_scree_words commands) --help --version" "$current"
  elif [[ $current == -* ]]; then
    _scree_from "$(_scree_words options "$command")" "$current"
  elif [[ $previous == --set ]]; then
    _scree_keys "$current"
  elif [[ $previous == = || $current == = ]]; then
    return 0
  else
    _scree_operand "$command" "$current"
  fi
}

complete -F _scree scree
