import type { CompletionModel, Values } from '../../completion.js';
import { LIST_CONTEXTS, quoted } from './quote.js';

/** A script for bash 3.2 or later, without other tools. */
export function bashCompletion({ commands, groups, contextFlag }: CompletionModel): string {
  const flags = commands.flatMap((command) => command.flags.map((flag) => ({ command: command.name, ...flag })));
  const valued = new Set(flags.flatMap(({ names, values }) => (values === undefined ? [] : names)));
  const first = new Set([...commands.map(({ name }) => name.split(' ')[0] as string)]);
  const ofGroup = groups.map(({ name }) => {
    const seconds = commands.flatMap((command) =>
      command.name.split(' ').slice(command.name.startsWith(`${name} `) ? 1 : 2),
    );
    return `      ${quoted(`${name} `)}) words=(${list(seconds)}) ;;`;
  });
  return `# bash completion for xds-inspect
_xds_inspect() {
  local cur=\${COMP_WORDS[COMP_CWORD]} flag='' only='' join='' command='' word='' prefix='' joined='' files='' contexts='' i index
  local -a given words
  given=() words=() COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $flag ]]; then
      [[ $word == = ]] || flag=''
    elif [[ $word == : || -n $join ]]; then
      # Bash splits a target at its colons.
      [[ $word == : ]] && join=1 || join=''
    elif [[ -z $only && $word == -- ]]; then
      only=1
    elif [[ -z $only && $word == -* ]]; then
      case $word in ${[...valued].join(' | ')}) flag=$word ;; esac
    else
      given+=("$word")
    fi
  done
  [[ -n $flag && $cur == = ]] && cur=''
  command=\${given[0]-}
  index=$((\${#given[@]} - 1))
  case $command in
    ${groups.map(({ name }) => quoted(name)).join(' | ')}) command="$command \${given[1]-}" index=$((index - 1)) ;;
  esac
  if [[ -n $flag ]]; then
    case "$command $flag" in
${flags
  .flatMap(({ command, names, values }) =>
    valueCase(
      names.map((name) => `${command} ${name}`),
      values,
    ),
  )
  .join('\n')}
${contextFlag.names.map((name) => `      *${quoted(` ${name}`)}) contexts=1 ;;`).join('\n')}
    esac
  elif [[ -z $only && $cur == -* ]]; then
    case $command in
${commands.map(({ name, flags: own }) => `      ${quoted(name)}) words=(${list(own.flatMap(({ names }) => names))}) ;;`).join('\n')}
      *) words=(${list([...contextFlag.names, '--help', '--version'])}) ;;
    esac
  else
    case $command in
      '') words=(${list([...first])}) ;;
${ofGroup.join('\n')}
    esac
    case "$command $index" in
${commands
  .flatMap(({ name, arguments: all, isLastRepeated }) =>
    all.flatMap((values, i) =>
      valueCase(
        [`${name} ${i}`],
        values,
        isLastRepeated && i === all.length - 1 ? `${quoted(`${name} `)}*` : undefined,
      ),
    ),
  )
  .join('\n')}
    esac
  fi
  if [[ -n $contexts ]]; then
    while IFS= read -r word; do words+=("$word"); done < <("\${COMP_WORDS[0]}" ${LIST_CONTEXTS})
  fi
  [[ -n $joined && $cur == *,* ]] && prefix=\${cur%,*},
  for word in "\${words[@]}"; do
    word=$prefix$word
    [[ $word == "$cur"* ]] || continue
    [[ $word == *[[:space:]\\'\\"\\\\$]* ]] && word=$(printf %q "$word")
    COMPREPLY+=("$word")
  done
  # The value follows without a space.
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
  if [[ -n $files && \${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default 2>/dev/null || while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  fi
}
complete -F _xds_inspect xds-inspect
`;
}

function list(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** The shell case that sets the values of a position; empty if they are unknown. */
function valueCase(
  keys: readonly string[],
  values: Values | undefined,
  pattern = keys.map(quoted).join(' | '),
): string[] {
  if (values === undefined || (values.words.length === 0 && !values.isFile)) return [];
  const sets = [
    ...(values.words.length > 0 ? [`words=(${list(values.words)})`] : []),
    ...(values.isList ? ['joined=1'] : []),
    ...(values.isFile ? ['files=1'] : []),
  ];
  return [`      ${pattern}) ${sets.join(' ')} ;;`];
}
