import { UsageError } from '../../base/failure.js';
import { didYouMean } from '../../base/nearest.js';
import { type FormatKind, type FormatName, formatsOf } from '../../view/formats.js';
import { type GivenNames, type Option, type Typed, value } from '../option.js';

/** The format that prints parts of the JSON output. Its value follows: `jsonpath=EXPRESSION`. */
export const JSONPATH = 'jsonpath=';

/** `-o` with the formats of these documents and streams. The first is the default. */
export function outputOption<const K extends FormatKind>(...kinds: readonly K[]): { output: Option<FormatName<K>> } {
  return { output: formatOption('Output format', formatsOf(...kinds)) };
}

export function formatOption<const F extends string>(describe: string, formats: readonly F[]): Option<F> {
  return { ...optionalFormat(describe, formats, { default: String(formats[0]) }) };
}

/** A format without a default, which depends on other flags. */
export function optionalFormat<const F extends string, const S extends { default?: string } = object>(
  describe: string,
  formats: readonly F[],
  settings?: S,
) {
  const choices = [...formats, ...(jsonFormatOf(formats) === undefined ? [] : [JSONPATH])];
  const shown = choices.map((one) => (one === JSONPATH ? `${JSONPATH}EXPR` : one)).join('|');
  const option = value(describe, shown, { ...(settings as S), alias: 'o' }, (typed, flag) =>
    formatNamed(typed, formats, (known) => `--${flag} takes ${known}`),
  );
  return { ...option, choices, readsChoices: true, expand: withTemplate } satisfies Option<F | undefined>;
}

/** The format that a user typed. `jsonpath=…` is printed instead of the JSON format. */
export function formatNamed<F extends string>(
  typed: string,
  formats: readonly F[],
  takes: (known: string) => string,
): F {
  const json = jsonFormatOf(formats);
  const format = typed.startsWith(JSONPATH) ? json : formats.find((one) => one === typed);
  if (format !== undefined) return format;
  const known = [...formats, ...(json === undefined ? [] : [JSONPATH])];
  const shown = typed.startsWith(JSONPATH) ? JSONPATH : typed;
  const hint = json !== undefined && typed === 'jsonpath' ? `: ${EXAMPLE}` : didYouMean(typed, known);
  throw new UsageError(`${takes(known.join(', '))}, not "${shown}"${hint}`);
}

const EXAMPLE = "give an expression, as in -o jsonpath='{.schema}'";

function jsonFormatOf<F extends string>(formats: readonly F[]): F | undefined {
  return formats.find((one) => one === 'json') ?? formats.find((one) => one === 'ndjson');
}

/** Parses the expression before the command runs. */
export async function withTemplate<I extends GivenNames>(input: I, _env: unknown, typed: Typed): Promise<I> {
  if (typeof typed !== 'string' || !typed.startsWith(JSONPATH)) return input;
  const { readTemplate } = await import('../run/jsonpath.js');
  return { ...input, jsonpath: readTemplate(typed.slice(JSONPATH.length)) };
}
