import type { CompletedCommand, CompletionModel, Flag, Values } from '../../completion.js';
import { LIST_CONTEXTS, quoted } from './quote.js';

/** A script for zsh, to source or to install as `_xds-inspect` in the fpath. */
export function zshCompletion({ commands, groups, contextFlag, scenarios: stories }: CompletionModel): string {
  const single = commands.filter(({ name }) => !name.includes(' '));
  const top = [...single, ...groups].map(({ name, about }) => described(name, about));
  return `#compdef xds-inspect
# zsh completion for xds-inspect
_xds_inspect() {
  local curcontext=$curcontext state line
  local -a found
  _arguments -C -S : \\
    '(- *)'{-h,--help}'[Show help]' '(- *)--version[Show version number]' \\
    ${flagSpec(contextFlag)} \\
    '1: :->command' '*:: :->rest' && return
  case $state in
    command)
      found=(${top.join(' ')})
      _describe -t commands command found ;;
    rest)
      case $words[1] in
${single.map((command) => `        ${quoted(command.name)})\n${indented(argumentsOf(command), 10)} ;;`).join('\n')}
${groups.map(({ name }) => `        ${quoted(name)}) _xds_inspect_${name} ;;`).join('\n')}
      esac ;;
  esac
}
_xds_inspect_contexts() {
  local -a found
  found=(\${(f)"$(xds-inspect ${LIST_CONTEXTS})"})
  compadd -a found
}
_xds_inspect_stories() {
  local -a found
  found=(${stories.map(quoted).join(' ')})
  _alternative 'stories:story:compadd -a found' 'files:file:_files'
}
${groups
  .map(({ name }) =>
    groupFunction(
      name,
      commands.filter((command) => command.name.startsWith(`${name} `)),
    ),
  )
  .join('')}if [[ $funcstack[1] == _xds-inspect ]]; then
  _xds_inspect "$@"
else
  compdef _xds_inspect xds-inspect
fi
`;
}

function groupFunction(group: string, commands: readonly CompletedCommand[]): string {
  const second = ({ name }: CompletedCommand): string => name.slice(group.length + 1);
  return `_xds_inspect_${group}() {
  local curcontext=$curcontext state line
  local -a found
  _arguments -C -S : '1: :->command' '*:: :->rest' && return
  case $state in
    command)
      found=(${commands.map((command) => described(second(command), command.about)).join(' ')})
      _describe -t commands command found ;;
    rest)
      case $words[1] in
${commands.map((command) => `        ${quoted(second(command))})\n${indented(argumentsOf(command), 10)} ;;`).join('\n')}
      esac ;;
  esac
}
`;
}

function argumentsOf({ flags, arguments: all, isLastRepeated }: CompletedCommand): string {
  const places = all.map((values, i) => {
    const place = isLastRepeated && i === all.length - 1 ? '*' : String(i + 1);
    return quoted(`${place}:${values.isFile ? 'file' : 'argument'}:${action(values)}`);
  });
  return ['_arguments -S : \\', [...flags.map(flagSpec), ...places].join(' \\\n')].join('\n');
}

function flagSpec({ names, about, values, isRepeated }: Flag): string {
  const value = values === undefined ? '' : `:${escaped((names[0] as string).slice(2))}:${action(values)}`;
  const spell = (name: string): string =>
    values === undefined ? name : name.startsWith('--') ? `${name}=` : `${name}+`;
  const text = quoted(`[${escaped(about)}]${value}`);
  const before = isRepeated ? "'*'" : `'(${names.join(' ')})'`;
  return names.length === 1
    ? `${before}${spell(names[0] as string)}${text}`
    : `${before}{${names.map(spell).join(',')}}${text}`;
}

function action({ words, isList, isFile, isContext }: Values): string {
  if (isContext === true) return '_xds_inspect_contexts';
  const all = words.map((word) => word.replace(/[\\ ():'"]/g, '\\$&')).join(' ');
  if (isFile) return words.length === 0 ? '_files' : '_xds_inspect_stories';
  if (words.length === 0) return '()';
  return isList ? `_sequence compadd - ${all}` : `(${all})`;
}

function described(word: string, about: string): string {
  return quoted(`${escaped(word)}:${about}`);
}

function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function indented(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by));
}
