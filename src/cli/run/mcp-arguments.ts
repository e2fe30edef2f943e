import { parseMillis } from '../../base/duration.js';
import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import type { LineRange } from '../../view/mcp/text-window.js';
import { visibleShort } from '../../view/visible-text.js';
import type { DeclaredCommand } from '../command.js';
import type { Typed } from '../option.js';
import { type ArgumentSchema, MAX_ITEMS, MAX_LENGTH, type ToolSchema } from './mcp-schema.js';
import type { Tool } from './mcp-tools.js';

/** The arguments of a call, by the names of the arguments and flags of the command. */
export interface ReadArguments {
  given: Record<string, Typed>;
  contexts: readonly string[];
  range: LineRange;
  /** All problems of the arguments; if there are some, nothing else is used. */
  problems: string[];
}

/** The longest wait that a call may request. */
const MAX_WAIT_MS = 10 * 60 * 1000;
const WAITS: ReadonlySet<string> = new Set(['timeout', 'for']);

/** Reads the arguments of a call. Reports every problem, with the words of the command line. */
export async function readArguments(
  typed: unknown,
  tool: Tool,
  schema: ToolSchema,
  declared: DeclaredCommand,
): Promise<ReadArguments> {
  const read: ReadArguments = { given: {}, contexts: [], range: { from: 1, count: undefined }, problems: [] };
  const values = new Map(Object.entries(typed ?? {}));
  for (const name of values.keys()) {
    if (Object.hasOwn(schema.properties, name)) continue;
    read.problems.push(`${visibleShort(name)}: unknown argument${didYouMean(name, Object.keys(schema.properties))}`);
  }
  for (const name of schema.required) if (!values.has(name)) read.problems.push(`${name}: required`);
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = values.get(name);
    if (value === undefined) continue;
    const problems = mismatches(value, property);
    if (problems.length === 0) problems.push(...(await take(name, value, tool, declared, read)));
    read.problems.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  return read;
}

function mismatches(value: unknown, schema: ArgumentSchema): string[] {
  switch (schema.type) {
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`must be true or false, not ${typeText(value)}`];
    case 'integer': {
      const fits = Number.isSafeInteger(value) && (value as number) >= schema.minimum;
      return fits ? [] : [`must be a whole number of at least ${schema.minimum}, not ${shown(value)}`];
    }
    case 'string':
      return stringProblems(value, schema.enum);
    case 'array': {
      if (!Array.isArray(value)) return [`must be a list of texts, not ${typeText(value)}`];
      const { maxItems = MAX_ITEMS } = schema;
      if (value.length === 0 || value.length > maxItems)
        return [`must have 1 to ${maxItems} items, not ${value.length}`];
      return value.flatMap((one, i) =>
        stringProblems(one, schema.items.enum).map((problem) => `item ${i + 1} ${problem}`),
      );
    }
  }
}

function stringProblems(value: unknown, known: string[] | undefined): string[] {
  if (typeof value !== 'string') return [`must be a text, not ${typeText(value)}`];
  if (value.length > MAX_LENGTH) return [`must have at most ${MAX_LENGTH} characters, not ${value.length}`];
  if (known === undefined || known.includes(value)) return [];
  return [`must be one of ${known.join(', ')}, not ${shown(value)}${didYouMean(value, known)}`];
}

/** Adds a value to those for the command, and returns the problems that the command would find. */
async function take(
  name: string,
  value: unknown,
  tool: Tool,
  declared: DeclaredCommand,
  read: ReadArguments,
): Promise<string[]> {
  if (name === 'from_line') read.range = { ...read.range, from: value as number };
  else if (name === 'max_lines') read.range = { ...read.range, count: value as number };
  else if (name === 'context') read.contexts = typeof value === 'string' ? [value] : (value as string[]);
  const argument = tool.arguments[name];
  if (argument === undefined) return [];
  const option = declared.options[argument.of];
  const areWords = option?.words !== undefined && Array.isArray(value);
  const typed = (areWords ? value.join(',') : argument.isSingle === true ? [value] : value) as Typed;
  read.given[argument.of] = typed;
  try {
    option?.read(typed, argument.of);
    await option?.check?.(typed, argument.of);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [visibleShort(error.message.replace(/^--[\w-]+:? /, ''))];
  }
  const isTooLong = WAITS.has(argument.of) && (parseMillis(String(value)) ?? 0) > MAX_WAIT_MS;
  return isTooLong ? ['must be at most 10m'] : [];
}

function typeText(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? `"${visibleShort(value)}"`
    : typeof value === 'number'
      ? String(value)
      : typeText(value);
}
