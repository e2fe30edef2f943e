import { require } from './violation.js';

/** Characters that a terminal interprets, hides or reorders, and stacks of combining marks. */
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u3164]|\p{M}{5}/u;
const OWN_COMMAND = /^::(error|warning|notice) file=[^:]*,line=\d+,col=\d+,title=[^:]*::/;

/** An output of a command, with the format that `-o` selects. */
export interface CommandOutput {
  text: string;
  format: string | undefined;
  /** For messages of failed checks. */
  source: string;
}

/** An output may be this many times larger than the input, plus a page. */
const MAX_GROWTH = 200;
const PAGE_BYTES = 1_000_000;

/** Checks that an output is harmless in a terminal and in a log, can be parsed, and is not too large. */
export function checkOutput({ text, format, source }: CommandOutput, inputBytes: number): void {
  const hidden = HIDDEN.exec(text);
  require(hidden === null, 'visible-text', () => {
    const at = hidden?.index ?? 0;
    return `${source}: U+${text.codePointAt(at)?.toString(16)} after ${JSON.stringify(text.slice(Math.max(0, at - 80), at))}`;
  });
  for (const line of text.split('\n')) {
    const isHarmless = !line.trimStart().startsWith('::') || (format === 'github' && OWN_COMMAND.test(line));
    require(isHarmless, 'visible-text', () => `${source}: a command of GitHub: ${line.slice(0, 200)}`);
  }
  const limit = PAGE_BYTES + MAX_GROWTH * inputBytes;
  require(text.length <= limit, 'output-size', () => `${source}: ${text.length} bytes from ${inputBytes}`);
  if (format === 'json' && text !== '') requireJson(text, source);
  if (format === 'ndjson') for (const line of text.trimEnd().split('\n')) if (line !== '') requireJson(line, source);
}

function requireJson(text: string, source: string): void {
  let problem = '';
  try {
    JSON.parse(text);
  } catch (error) {
    problem = (error as Error).message;
  }
  require(problem === '', 'json-parses', () => `${source}: ${problem}`);
}
