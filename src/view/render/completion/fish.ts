import type { CompletedCommand, CompletionModel, Flag, Values } from '../../completion.js';
import { LIST_CONTEXTS } from './quote.js';

/** A script for fish: one line per completion. */
export function fishCompletion({ commands, groups, contextFlag }: CompletionModel): string {
  const single = commands.filter(({ name }) => !name.includes(' '));
  const lines = [
    '# fish completion for xds-inspect',
    'complete -c xds-inspect -f',
    ...[...single, ...groups].map(({ name, about }) => line('__fish_use_subcommand', `-a ${quoted(name)}`, about)),
    line('__fish_use_subcommand', flagWords(contextFlag), contextFlag.about),
    line('__fish_use_subcommand', '-s h -l help', 'Show help'),
    line('__fish_use_subcommand', '-l version', 'Show version number'),
    ...commands.flatMap((command) => commandLines(command, commands)),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(command: CompletedCommand, commands: readonly CompletedCommand[]): string[] {
  const [group = '', second] = command.name.split(' ');
  const seen = `__fish_seen_subcommand_from ${second ?? group}`;
  // The second word of another command may equal the first word of this one.
  const others = commands.flatMap(({ name }) => (name.endsWith(` ${command.name}`) ? [name.split(' ')[0]] : []));
  const here =
    second === undefined
      ? [seen, ...others.map((other) => `not __fish_seen_subcommand_from ${other}`)].join('; and ')
      : `__fish_seen_subcommand_from ${group}; and ${seen}`;
  const siblings = commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
  const pick = `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${siblings.join(' ')}`;
  return [
    ...(second === undefined ? [] : [line(pick, `-a ${quoted(second)}`, command.about)]),
    ...command.arguments.flatMap((values) => argumentLines(here, values)),
    ...command.flags.map((flag) => line(here, flagWords(flag), flag.about)),
  ];
}

function argumentLines(here: string, { words, isFile }: Values): string[] {
  return [
    ...words.map((word) => line(here, `-a ${quoted(escaped(word))}`, '')),
    ...(isFile ? [line(here, '-F', '')] : []),
  ];
}

function flagWords({ names, values }: Flag): string {
  const spelled = names
    .map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
    .join(' ');
  if (values === undefined) return spelled;
  if (values.isFile) return `${spelled} -r -F`;
  if (values.isContext === true) return `${spelled} -x -a '(xds-inspect ${LIST_CONTEXTS})'`;
  if (values.words.length === 0) return `${spelled} -x`;
  const words = values.words.map(escaped).join(' ');
  return `${spelled} -x -a ${quoted(values.isList ? `(__fish_append , ${words})` : words)}`;
}

function line(condition: string, what: string, about: string): string {
  const description = about === '' ? '' : ` -d ${quoted(about)}`;
  return `complete -c xds-inspect -n ${quoted(condition)} ${what}${description}`;
}

/** A single-quoted word, in which fish supports two escapes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** One word of the list after `-a`. */
function escaped(word: string): string {
  return word.replace(/[^\w./,=-]/g, '\\$&');
}
