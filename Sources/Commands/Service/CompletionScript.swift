/// What a shell reads to complete the words of `alarm`. All three ask the program itself (`alarm completions words`), so
/// they are never older than it.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: CompletionScript.forBash
    case .zsh: CompletionScript.forZsh
    case .fish: CompletionScript.forFish
    }
  }

  private static let forBash = #"""
    # shellcheck shell=bash
    # Completion of alarm(1) for bash: the program itself says what can stand where.
    _alarm() {
      local rest=${COMP_LINE:0:COMP_POINT} word about lead='' breaks i
      local -a words=() found=() names=()
      local files='' commands=''
      # bash also parts words at “=”, “:” and “@”; what stands together is put together again.
      for ((i = 0; i <= COMP_CWORD; i++)); do
        about=${rest#"${rest%%[![:blank:]]*}"}
        word=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && word=$about
        if ((i > 0)) && [[ $about == "$rest" && -n $rest ]]; then
          words[${#words[@]} - 1]+=$word
        else
          words+=("$word")
        fi
        rest=${about#"$word"}
      done
      word=${words[${#words[@]} - 1]}
      breaks=${COMP_WORDBREAKS//[^=:@]/}
      [[ -n $breaks ]] && lead=${word%"${word##*["$breaks"]}"}
      local current=$word
      while IFS=$'\t' read -r word about; do
        case $word in
          :files) files=yes ;;
          :commands) commands=yes ;;
          *) found+=("${word#"$lead"}") ;;
        esac
      done < <("${words[0]/#\~/$HOME}" completions words -- "${words[@]:1}" 2>/dev/null)
      if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t names < <(compgen -f -- "${current#"$lead"}")
      elif [[ -n $commands ]]; then
        mapfile -t names < <(compgen -c -- "${current#"$lead"}")
      else
        for i in "${!found[@]}"; do printf -v 'found[i]' %q "${found[i]}"; done
      fi
      COMPREPLY=("${found[@]}" "${names[@]}")
    }
    complete -F _alarm alarm

    """#

  private static let forZsh = #"""
    #compdef alarm
    # Completion of alarm(1) for zsh: the program itself says what can stand where.
    _alarm() {
      local line with_files other_line
      local -a found
      for line in "${(@f)$(${~words[1]} completions words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
          '') ;;
          :files) with_files=yes ;;
          :commands) other_line=yes ;;
          *$'\t'*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
          *) found+=("${line//:/\\:}") ;;
        esac
      done
      (($#found)) && _describe -V alarm found
      if [[ -n $with_files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files
      fi
      if [[ -n $other_line ]]; then
        # The rest of the line is another one.
        local place=${words[(i)--]}
        words=("${(@)words[place+1,-1]}")
        ((CURRENT -= place))
        _normal
      fi
    }
    if [[ $funcstack[1] == _alarm ]]; then
      _alarm "$@"
    else
      compdef _alarm alarm
    fi

    """#

  private static let forFish = #"""
    # Completion of alarm(1) for fish: the program itself says what can stand where.
    function __alarm_words
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        for line in ($words[1] completions words -- $words[2..] "$current" 2>/dev/null)
            switch $line
                case ':files'
                    set -l lead (string match -r -- '^--[^=]+=' "$current")
                    for name in (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current"))
                        echo "$lead$name"
                    end
                case ':commands'
                    __fish_complete_command
                case '*'
                    echo $line
            end
        end
    end
    complete -c alarm -f -a '(__alarm_words)'

    """#
}
