import { thousands } from '../../base/count-text.js';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { utf8Length } from '../../base/utf8-length.js';
import { UNTRUSTED, untrustedBlock, visibleValue } from './untrusted-data.js';

/** The maximum size of a result: of its text and of its document together. */
export const MAX_RESULT_BYTES = 64 * 1024;
/** What the texts of this file need besides the output of the command. */
const RESERVED_BYTES = 2 * 1024;
export const MAX_MESSAGES_BYTES = 6 * 1024;
export const MAX_TEXT_BYTES = MAX_RESULT_BYTES - MAX_MESSAGES_BYTES - RESERVED_BYTES;

/** A part of a text: lines `from` to `to` of `total`. */
interface PartialText {
  text: string;
  from: number;
  to: number;
  total: number;
}

/** What a command has printed. */
export interface ToolOutput {
  tool: string;
  code: ExitCode;
  stdout: PartialText;
  stderr: PartialText;
  /** The document in JSON, and its size. The text is undefined if it is larger than a result. */
  document: { text: string | undefined; bytes: number };
  /** Arguments of the tool that make its result smaller. */
  filters: readonly string[];
  /** A random word. */
  id: string;
}

/** The result of a tool, as the protocol defines it. */
export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: { [key: string]: unknown };
  isError: boolean;
}

const MEANINGS: Record<ExitCode, string> = {
  [EXIT.ok]: 'success',
  [EXIT.bug]: 'a bug in xds-inspect: please report it',
  [EXIT.usage]: 'the arguments cannot be used',
  [EXIT.badInput]: 'an input file is unreadable or invalid',
  [EXIT.unavailable]: 'the control plane is not available',
  [EXIT.timedOut]: 'timed out, or RPCs are waiting',
  [EXIT.findings]: 'findings: RPCs fail, a resource is rejected, an expectation fails, or two sides differ',
  [EXIT.interrupted]: 'cancelled',
};

/** The text for the model, and the document for programs unless it is too large. */
export function toolResult(output: ToolOutput): ToolResult {
  const { tool, code, stdout, stderr, document, id } = output;
  const messages = stderr.text === '' ? '' : `${stdout.text === '' ? '' : '\n'}Messages:\n${stderr.text}`;
  const printed = `${stdout.text}${messages}`;
  const head = [`xds-inspect ${tool}: exit code ${code}: ${MEANINGS[code]}`, UNTRUSTED, ...cutNotes(output)];
  const block = printed === '' ? 'The command has printed nothing.' : untrustedBlock(printed, id);
  const text = `${head.join('\n')}\n${block}`;
  // A result in which a command reports a problem of the configuration is not an error of the tool.
  const isError = code === EXIT.usage || code === EXIT.bug || (code !== EXIT.ok && stdout.total === 0);
  if (document.text === undefined) return { content: [{ type: 'text', text }], isError };
  const structuredContent = {
    notice: UNTRUSTED,
    exitCode: code,
    messages: stderr.text === '' ? [] : stderr.text.split('\n'),
    document: visibleValue(JSON.parse(document.text)),
  };
  if (utf8Length(text) + utf8Length(JSON.stringify(structuredContent)) <= MAX_RESULT_BYTES)
    return { content: [{ type: 'text', text }], structuredContent, isError };
  const omitted = `${head.join('\n')}\n${omittedText(document.bytes)}\n${block}`;
  return { content: [{ type: 'text', text: omitted }], isError };
}

/** A result for arguments that the tool does not accept. */
export function refusedCall(tool: string, problems: readonly string[]): ToolResult {
  const lines = problems.map((problem) => `- ${problem}`);
  return { content: [{ type: 'text', text: [`${tool} was not run:`, ...lines].join('\n') }], isError: true };
}

function cutNotes({ stdout, stderr, document, filters }: ToolOutput): string[] {
  const notes: string[] = [];
  const { from, to, total } = stdout;
  if (total > 0 && (from > 1 || to < total)) {
    const shown = to < from ? 'None' : `Lines ${thousands(from)} to ${thousands(to)}`;
    const narrower = filters.length === 0 ? '' : `, or narrow the call with ${filters.join(', ')}`;
    const next = to < total ? `. For more, continue with from_line: ${Math.max(to, 0) + 1}${narrower}` : '';
    notes.push(`${shown} of ${thousands(total)} lines follow${next}.`);
  }
  if (stderr.to < stderr.total) notes.push(`${thousands(stderr.total - stderr.to)} further messages are omitted.`);
  if (document.text === undefined && document.bytes > 0) notes.push(omittedText(document.bytes));
  return notes;
}

function omittedText(bytes: number): string {
  return `The JSON document (${thousands(Math.ceil(bytes / 1024))} KiB) is omitted: a result has at most ${MAX_RESULT_BYTES / 1024} KiB.`;
}
