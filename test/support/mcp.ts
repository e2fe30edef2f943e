import { PassThrough } from 'node:stream';
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Output } from '../../src/io/output.js';
import { later } from './clean-up.js';
import { type CliRun, startCli } from './cli.js';
import { patientClock } from './patient-clock.js';
import { until } from './until.js';

/** A running `mcp` command, with stdin and stdout as a client sees them. */
export interface McpRun {
  run: CliRun;
  stdin: PassThrough;
  /** Every line of stdout. */
  lines: string[];
  onLine(line: string): void;
}

/** Starts `mcp` inside the test process. */
export function startMcp(argv: readonly string[], variables: Record<string, string> = {}): McpRun {
  const stdin = new PassThrough();
  const started: Omit<McpRun, 'run'> = { stdin, lines: [], onLine: () => {} };
  const stdout: Output = {
    write: (text) => {
      for (const line of text.split('\n').filter(Boolean)) {
        started.lines.push(line);
        mcp.onLine(line);
      }
    },
    offer: (line) => stdout.write(line()),
    ready: async () => {},
    isTerminal: false,
    columns: 80,
    rows: 24,
  };
  const changes = { stdout, openStdin: () => stdin };
  const run = startCli(['mcp', ...argv], variables, false, patientClock.now, '', changes);
  const mcp: McpRun = Object.assign(started, { run });
  later(() => stdin.end());
  return mcp;
}

/** A client of the SDK that is connected to `mcp` in the test process. */
export async function mcpClient(
  argv: readonly string[],
  variables: Record<string, string> = {},
  options: ClientOptions = {},
): Promise<{ client: Client; mcp: McpRun }> {
  const mcp = startMcp(argv, variables);
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(new ProcessTransport(mcp));
  return { client, mcp };
}

class ProcessTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  readonly #mcp: McpRun;

  constructor(mcp: McpRun) {
    this.#mcp = mcp;
  }

  async start(): Promise<void> {
    this.#mcp.onLine = (line) => queueMicrotask(() => this.onmessage?.(JSON.parse(line) as JSONRPCMessage));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#mcp.stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#mcp.stdin.end();
    this.onclose?.();
  }
}

/** Sends a line without a client, and returns the lines that answer it. */
export async function answersTo({ stdin, lines }: McpRun, line: string, count = 1): Promise<unknown[]> {
  const before = lines.length;
  stdin.write(line);
  await until(() => lines.length >= before + count, 'the server answers');
  return lines.slice(before).map((one) => JSON.parse(one) as unknown);
}

/** The text of a result. */
export function textOf(result: CallToolResult): string {
  return result.content.map((one) => (one.type === 'text' ? one.text : '')).join('');
}

/** The text between the delimiters of a result. */
export function dataOf(result: CallToolResult): string {
  const [, , data = ''] =
    /\n<untrusted-data id="(\w+)">\n([\s\S]*)\n<\/untrusted-data id="\1">$/.exec(textOf(result)) ?? [];
  return data;
}
