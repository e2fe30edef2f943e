import { randomBytes } from 'node:crypto';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure } from '../../base/failure.js';
import type { CliEnvironment } from '../../io/environment.js';
import { withFileGuard } from '../../io/file-guard.js';
import type { Output } from '../../io/output.js';
import { withoutSecrets } from '../../io/redacted-output.js';
import { UnsuitableFile } from '../../io/unsuitable-file.js';
import { type LineRange, TextWindow } from '../../view/mcp/text-window.js';
import {
  MAX_MESSAGES_BYTES,
  MAX_RESULT_BYTES,
  MAX_TEXT_BYTES,
  type ToolResult,
  toolResult,
} from '../../view/mcp/tool-result.js';
import { errorText } from '../../view/visible-text.js';
import type { DeclaredCommand } from '../command.js';
import type { Typed } from '../option.js';
import { printBug } from '../print-bug.js';
import type { McpSession } from './mcp-session.js';

/** A call whose arguments have been read. */
export interface PreparedCall {
  tool: string;
  command: DeclaredCommand;
  given: Readonly<Record<string, Typed>>;
  range: LineRange;
  /** Arguments of the tool that make its result smaller. */
  filters: readonly string[];
  /** Without a path, the command opens only files that the user has named at start. */
  namesFiles: boolean;
  /** Aborted when the client cancels the call, or goes away. */
  signal: AbortSignal;
  onProgress(text: string): void;
}

/**
 * Runs a command as the command line does, with its output in memory. The values are passed to the declaration of the command,
 * not as words of a command line: no value can become a flag.
 */
export async function runTool(call: PreparedCall, session: McpSession): Promise<ToolResult> {
  const printed = new TextWindow(call.range, MAX_TEXT_BYTES);
  const messages = new TextWindow({ from: 1, count: undefined }, MAX_MESSAGES_BYTES);
  const documents = new Documents();
  const sink = (write: (text: string) => void): Output => output(write, call.signal);
  // Before the text is cut: half of a URI does not look like one.
  const env = withoutSecrets({
    ...session.env,
    stdout: sink((text) => printed.write(text)),
    stderr: sink((text) => messages.write(text)),
    documents: sink((text) => documents.write(text)),
    onInterrupt: (stop) => onAbort(call.signal, stop),
    onProgress: call.onProgress,
  });
  const code = await (call.namesFiles ? withFileGuard(session.guard, () => run(call, env)) : run(call, env));
  return toolResult({
    tool: call.tool,
    code,
    stdout: printed.finish(),
    stderr: messages.finish(),
    document: documents.finish(),
    filters: call.filters,
    id: randomBytes(6).toString('hex'),
  });
}

async function run({ command, given }: PreparedCall, env: CliEnvironment): Promise<ExitCode> {
  try {
    return await command.prepare({ ...given, color: 'never' })(env, noLine);
  } catch (error) {
    if (error instanceof Failure) {
      env.stderr.write(errorText(error.message));
      return error.exitCode;
    }
    printBug(error, env);
    return EXIT.bug;
  }
}

/** Only `demo` runs command lines. */
async function noLine(): Promise<never> {
  throw new Error('a tool runs no command lines');
}

/** The environment of a session, of which each call replaces the outputs. */
export function sessionEnvironment(env: CliEnvironment): CliEnvironment {
  const { keyboard: _keyboard, openStdin: _stdin, codeOf: _codeOf, onSuspend: _onSuspend, ...rest } = env;
  // A session neither exports metrics nor has further flags.
  const variables = Object.entries(env.variables).filter(([name]) => !/^(OTEL_|XDS_INSPECT_(?!CONFIG$))/.test(name));
  return {
    ...rest,
    variables: Object.fromEntries(variables),
    onlyGivenServers: true,
    readStdin: async () => {
      throw new UnsuitableFile('stdin is not available: it is used by the protocol');
    },
  };
}

function output(write: (text: string) => void, signal: AbortSignal): Output {
  return {
    write,
    offer: (line) => write(line()),
    // Commands wait for their reader between two files, and between two parts of a recording: this ends the reading, too.
    ready: async () => {
      if (signal.aborted) throw new Failure(EXIT.interrupted, 'cancelled');
    },
    isTerminal: false,
    columns: 80,
    rows: 24,
  };
}

function onAbort(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) queueMicrotask(stop);
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** The document of a command in JSON, unless it is larger than a result. */
class Documents {
  #text = '';
  #bytes = 0;

  write(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    this.#text = this.#bytes > MAX_RESULT_BYTES ? '' : this.#text + text;
  }

  finish(): { text: string | undefined; bytes: number } {
    return { text: this.#text === '' ? undefined : this.#text, bytes: this.#bytes };
  }
}
