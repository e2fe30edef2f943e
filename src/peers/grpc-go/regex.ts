import { re2Error } from '../../resources/regex/re2-syntax.js';
import { UNICODE_GROUPS } from '../../resources/regex/unicode-groups.js';

/** Go rejects deeper trees of expressions. */
const MAX_HEIGHT = 1000;

/** A quoted text, a named class, an escape, or the start of a named group. */
const TOKENS = /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\[\s\S]|\(\?P?<([^>]*)>/g;

/** The words of Go's regexp package for the errors of RE2. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  'missing ]': 'missing closing ]',
  'missing )': 'missing closing )',
  'bad repetition operator': 'invalid nested repetition operator',
  'no argument for repetition operator': 'missing argument to repetition operator',
  'invalid repetition size': 'invalid repeat count',
  'trailing \\': 'trailing backslash at end of expression',
  'invalid perl operator': 'invalid or unsupported Perl syntax',
  'invalid named capture group': 'invalid named capture',
};

/** Returns an error if Go rejects a regular expression; `undefined` if it accepts it. */
export function goRegexError(pattern: string): string | undefined {
  const rejected = [...pattern.matchAll(TOKENS)].find(([token, name]) => token === '\\C' || /\W/.test(name ?? ''));
  if (rejected !== undefined) {
    const problem = rejected[0] === '\\C' ? 'invalid escape sequence' : 'invalid named capture';
    return `error parsing regexp: ${problem}: \`${rejected[0]}\``;
  }
  const error = re2Error(pattern.replace(TOKENS, asInRe2));
  // RE2 limits the size of programs much more than Go.
  if (error !== undefined && !error.startsWith('pattern too large')) return errorText(error);
  return depthOf(pattern) >= MAX_HEIGHT
    ? `error parsing regexp: expression nests too deeply: \`${pattern}\``
    : undefined;
}

/** Returns an error if grpc-go rejects an expression that has to match a whole text. */
export function safeRegexError(pattern: string): string | undefined {
  return goRegexError(pattern) ?? goRegexError(`^(?:${pattern})$`);
}

function errorText(error: string): string {
  const [, problem = error, argument = ''] = /^(missing [\])]|[^:]*?)(?:: ([\s\S]*))?$/.exec(error) ?? [];
  return `error parsing regexp: ${WORDS[problem] ?? problem}: \`${argument}\``;
}

/** Names and groups that only Go accepts, in a form that RE2 accepts. */
function asInRe2(token: string, name: string | undefined): string {
  if (name !== undefined) return `(?P<${name}>`;
  const group = /^\\[pP]\{\^?([^}]*)\}$/.exec(token)?.[1];
  return group !== undefined && GROUPS.has(plainName(group)) ? '\\pL' : token;
}

/** Go ignores case, spaces, underscores and hyphens in the names of Unicode groups. */
function plainName(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

const ALIASES = `ASCII Assigned Cn LC Cased_Letter Close_Punctuation Combining_Mark Connector_Punctuation Control
  Currency_Symbol Dash_Punctuation Decimal_Number Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter
  Letter_Number Line_Separator Lowercase_Letter Mark Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number
  Open_Punctuation Other Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use
  Punctuation Separator Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter cntrl
  digit punct`;

const GROUPS = new Set([...UNICODE_GROUPS, ...ALIASES.split(/\s+/)].map(plainName));

/** The depth of nested groups that capture. */
function depthOf(pattern: string): number {
  let depth = 0;
  let deepest = 0;
  const isCapture: boolean[] = [];
  for (const [token] of pattern.matchAll(/\\[\s\S]|\((?:\?P?<|\?)?|\)/g)) {
    if (token.startsWith('\\')) continue;
    if (token !== ')') isCapture.push(token !== '(?');
    depth += token === ')' ? -Number(isCapture.pop() ?? false) : Number(isCapture.at(-1));
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
