import type { Argv, Options as YargsOptions } from 'yargs';
import yargs from 'yargs/yargs';
import type { ExitCode } from '../base/exit-codes.js';
import { UsageError } from '../base/failure.js';
import { PRESET_NAMES, RELEASES } from '../bootstrap/preset-names.js';
import type { CliEnvironment } from '../io/environment.js';
import { type Command, type CommandEntry, type RunLine, withDeclaration, wordsOf } from './command.js';
import { COMMANDS } from './commands/index.js';
import { explainUnknown, explainUsage } from './explain-usage.js';
import { flagsFromEnvironment } from './flags-from-environment.js';
import { resolveCommandLine } from './implicit-command.js';
import { missingInContext } from './missing-in-context.js';
import { OpaqueWords } from './opaque-words.js';
import type { Option, Options, Typed } from './option.js';
import { GROUPS, SHARED_OPTIONS } from './options/shared.js';
import { joinOptionalValues, positionals, splitFormats, typedCommand } from './positionals.js';

/** A parsed command line. */
export type Parsed =
  /** `hint`: what the user most likely meant instead. */
  | {
      kind: 'run';
      run: (env: CliEnvironment, runLine: RunLine) => Promise<ExitCode>;
      showsSecrets: boolean;
      hint: string | undefined;
    }
  | { kind: 'print'; text: string }
  /** `help` is printed before the message. `command` is the command whose `--help` the message recommends. */
  | { kind: 'usage'; message: string; help: string; command: string };

const MAX_WIDTH = 110;

/** Shown below every help text. */
const GLOSSARY_HELP =
  'Explain a term or a finding: $0 docs TERM (docs tear, docs XI204)\nAll terms: $0 docs glossary, or docs/glossary.md';

/** Reads a command line. Every flag can also be given as an environment variable, `XDS_INSPECT_<FLAG>`. */
export async function parseArguments(typed: readonly string[], env: CliEnvironment): Promise<Parsed> {
  const { argv, problem, needsHelp, hint } = await resolveCommandLine(splitFormats(typed), env.variables);
  const entry = typedCommand(argv);
  const command = entry && (await withDeclaration(entry));
  const usage = (message: string, help = ''): Parsed => ({
    kind: 'usage',
    message,
    help,
    command: command === undefined ? '' : `${command.name} `,
  });
  if (problem !== undefined)
    return usage(problem, needsHelp === true ? helpOf(parserFor(undefined, {}, env.version, env)) : '');
  try {
    const parsed = parse(argv, command, env, usage);
    return parsed.kind === 'run' ? { ...parsed, hint } : parsed;
  } catch (error) {
    if (error instanceof UsageError) return usage(error.message);
    throw error;
  }
}

function parse(
  argv: readonly string[],
  command: Command | undefined,
  env: CliEnvironment,
  usage: (message: string, help?: string) => Parsed,
): Parsed {
  let output = '';
  let failure: string | undefined;
  const words = new OpaqueWords(joinOptionalValues(argv));
  const parser = parserFor(
    command,
    flagsFromEnvironment(env.variables, argv, command),
    versionText(argv, env.version),
    env,
  );
  try {
    parser.parse(words.argv, {}, (error: Error | undefined, _args: unknown, text: string) => {
      failure = error?.message;
      output = text;
    });
  } catch (error) {
    if (!(error instanceof Chosen)) throw error;
    const given = typedValues(error, words);
    const showsSecrets = given['show-secrets'] === true;
    const missing = missingInContext(error.command, given);
    if (missing !== undefined) return usage(missing);
    return { kind: 'run', run: error.command.prepare(given), showsSecrets, hint: undefined };
  }
  if (failure !== undefined) {
    return usage(explainUsage(words.restore(failure), command, argv));
  }
  const stray = positionals(argv)[0];
  const isKnown = stray === undefined || COMMANDS.some((one) => wordsOf(one)[0] === stray);
  return isKnown ? { kind: 'print', text: `${output}\n` } : usage(explainUnknown(stray, undefined, argv));
}

/** `--version --verbose` adds the releases that the presets reproduce. */
function versionText(argv: readonly string[], version: string): string {
  if (!argv.some((word) => word === '-v' || word === '--verbose')) return version;
  const releases = PRESET_NAMES.flatMap((name) => RELEASES[name] ?? []);
  return [version, 'reproduces (--as):', ...releases.map((release) => `  ${release}`)].join('\n');
}

/** A parser for the typed command. The other commands have only names, because only the help text shows them. */
function parserFor(
  typed: Command | undefined,
  preset: Record<string, string | boolean>,
  version: string,
  env: CliEnvironment,
): Argv {
  const parser = yargs([])
    .scriptName('xds-inspect')
    .usage(
      '$0 <target>…\n$0 <command>\n\nConnects to an xDS control plane as a gRPC client, and reports whether RPCs work and, if not, why.',
    )
    .locale('en')
    .options(yargsOptions(SHARED_OPTIONS))
    .alias({ help: 'h' })
    .version(version)
    .wrap(Math.min(MAX_WIDTH, env.stdout.columns))
    .config(preset)
    .epilogue(GLOSSARY_HELP)
    .demandCommand(1)
    .strict()
    .exitProcess(false)
    .showHelpOnFail(false);
  const add = (to: Argv, entry: CommandEntry, usage: string): void => {
    if (entry.name === typed?.name) addCommand(to, typed, usage);
    else to.command(usage, entry.describe);
  };
  for (const entry of COMMANDS.filter((one) => wordsOf(one).length === 1)) add(parser, entry, entry.usage);
  for (const [group, describe] of Object.entries(GROUPS)) {
    parser.command(group, describe, (builder) => {
      for (const entry of COMMANDS.filter((one) => wordsOf(one)[0] === group)) {
        add(builder, entry, entry.usage.slice(group.length + 1));
      }
      return builder.demandCommand(1, `missing ${group} command`);
    });
  }
  return parser;
}

/** Leaves yargs as soon as it knows the command. Otherwise yargs would format a help text that is not printed. */
class Chosen extends Error {
  readonly command: Command;
  readonly args: object;

  constructor(command: Command, args: object) {
    super(command.usage);
    this.command = command;
    this.args = args;
  }
}

function addCommand(parser: Argv, command: Command, usage: string): void {
  parser.command(
    usage,
    command.describe,
    (builder) => {
      for (const [name, { describe, choices, count, isInContext }] of Object.entries(command.arguments))
        builder.positional(name, {
          describe,
          type: 'string',
          ...(choices && { choices }),
          // Otherwise yargs shows an empty list as the default, even for required arguments.
          ...(count === 'some' && { default: undefined }),
          ...(count === 'any' && { defaultDescription: isInContext ? 'those of the context' : 'none' }),
        });
      return builder
        .options(yargsOptions(command.options))
        .example(Object.entries(command.examples))
        .epilogue(GLOSSARY_HELP);
    },
    (args) => {
      throw new Chosen(command, args);
    },
  );
}

function yargsOptions(options: Options): Record<string, YargsOptions> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => [
      [name, yargsOption(option)],
      // yargs reads `--no-probe` as the opposite of `--probe`.
      ...(name.startsWith('no-') ? [[name.slice(3), { type: 'boolean', hidden: true }]] : []),
    ]),
  );
}

function yargsOption({
  describe,
  placeholder,
  alias,
  kind,
  choices,
  readsChoices,
  default: fallback,
  isRequired,
}: Option<unknown>): YargsOptions {
  return {
    describe: readsChoices ? `${describe}: ${placeholder.replaceAll('|', ', ')}` : describe,
    type: kind === 'switch' ? 'boolean' : 'string',
    ...(alias !== undefined && { alias }),
    ...((kind === 'value' || kind === 'list') && { requiresArg: true }),
    ...(kind === 'list' && { array: true, nargs: 1 }),
    ...(choices && readsChoices !== true && { choices }),
    // `readValues` applies the default, so that a given value can be distinguished from it.
    ...(fallback !== undefined && { defaultDescription: JSON.stringify(fallback) }),
    ...(isRequired && { demandOption: true }),
  };
}

/** The values that the user has given, by the names of arguments and flags. */
function typedValues({ command, args }: Chosen, words: OpaqueWords): Record<string, Typed> {
  const options: Partial<Options> = { ...command.options, ...SHARED_OPTIONS };
  const restored = (value: unknown): Typed => {
    if (value === undefined || typeof value === 'boolean') return value;
    return Array.isArray(value) ? value.map((one) => words.restore(String(one))) : words.restore(String(value));
  };
  const typed = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, once(name, options[name], restored(value))]),
  );
  for (const name of Object.keys(options)) {
    const opposite = name.startsWith('no-') ? typed[name.slice(3)] : undefined;
    if (opposite !== undefined) typed[name] = opposite === false;
  }
  return typed;
}

/** Flags that may not be repeated with different values. */
const ONCE: ReadonlySet<string> = new Set(['output', 'server', 'kube', 'context']);

/** Combines the values of a repeated flag: the last one wins, and lists are joined. */
function once(name: string, option: Option<unknown> | undefined, typed: Typed): Typed {
  if (option === undefined || option.kind === 'list') return typed;
  if (typed === undefined || typeof typed === 'string' || typeof typed === 'boolean') return typed;
  const { kind, isJoined, words } = option;
  if (kind === 'switch') return typed.at(-1) === 'true';
  if (isJoined === true || words !== undefined) return typed.join(',');
  const different = [...new Set(typed)];
  if (ONCE.has(name) && different.length > 1) {
    throw new UsageError(`--${name} is given ${typed.length} times (${different.join(' and ')}): give it once`);
  }
  return typed.at(-1);
}

function helpOf(parser: { getHelp(): Promise<string>; showHelp(print: (text: string) => void): unknown }): string {
  let help = '';
  parser.showHelp((text) => {
    help = text;
  });
  return help;
}
