import type { Readable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { escapeHidden } from '../../view/visible-text.js';
import type { Output } from '../output.js';
import { type MessageLine, MessageLines } from './message-lines.js';

/** The arguments of a tool are short. */
const MAX_MESSAGE_BYTES = 1024 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * One JSON-RPC message per line, on stdin and stdout. Unlike the transport of the SDK, it answers a malformed line with
 * an error, survives a line that is too long, and writes through the output of the command.
 */
export class StdioTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Settles when the client has closed stdin, or the server this transport. */
  readonly ended: Promise<void>;
  #end: () => void = () => {};
  readonly #input: Readable;
  readonly #output: Output;
  readonly #lines = new MessageLines(MAX_MESSAGE_BYTES);
  #isClosed = false;

  constructor(input: Readable, output: Output) {
    this.#input = input;
    this.#output = output;
    this.ended = new Promise((end) => {
      this.#end = end;
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    for (const event of ['end', 'error', 'close']) this.#input.on(event, this.#onEnd);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    this.#write(message);
    await this.#output.ready();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off('data', this.#onData);
    this.#input.pause();
    this.#end();
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.take(chunk)) if (!this.#isClosed) this.#receive(line);
  };

  readonly #onEnd = (): void => void this.close();

  #receive(line: MessageLine): void {
    const read = readMessage(line);
    if ('message' in read) return void this.onmessage?.(read.message);
    const { code, problem, id = null } = read;
    this.onerror?.(new Error(problem));
    this.#write({ jsonrpc: '2.0', id, error: { code, message: problem } });
  }

  #write(message: object): void {
    this.#output.write(`${escapeHidden(JSON.stringify(message), 'json')}\n`);
  }
}

/** Why a line is not a message, and the id of the answer if it has one. */
interface Refusal {
  code: number;
  problem: string;
  id?: string | number;
}

function readMessage(line: MessageLine): { message: JSONRPCMessage } | Refusal {
  if (line === undefined) return { code: INVALID_REQUEST, problem: 'the message has more than 1 MiB' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { code: PARSE_ERROR, problem: 'the line is not valid JSON: send one JSON-RPC message per line' };
  }
  if (Array.isArray(value))
    return { code: INVALID_REQUEST, problem: 'batches are not supported: send one message per line' };
  try {
    return { message: parseJSONRPCMessage(value) };
  } catch {
    return { code: INVALID_REQUEST, problem: 'the line is not a JSON-RPC 2.0 message', ...idOf(value) };
  }
}

function idOf(value: unknown): Pick<Refusal, 'id'> {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? { id } : {};
}
