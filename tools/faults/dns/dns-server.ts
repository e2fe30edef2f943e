import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The behaviour of the server for a name. */
export type DnsAnswer =
  | { kind: 'addresses'; addresses: readonly string[]; delayMs?: number }
  | { kind: 'error'; code: 'SERVFAIL' | 'NXDOMAIN' };

const CODES = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3 };
const A_RECORD = 1;
const INTERNET = 1;
const TTL_SECONDS = 0;
const HEADER_BYTES = 12;
/** QR and RD, RA: a response of a server that resolves recursively. */
const RESPONSE_FLAGS = 0x8180;
/** A pointer to the name in the question. */
const SAME_NAME = 0xc00c;

/** A DNS server over UDP with answers that a suite changes. It has only A records. */
export class DnsServer {
  readonly #socket: Socket;
  readonly #answers = new Map<string, DnsAnswer>();
  /** The number of queries for A records so far, by name. */
  readonly queries = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (query, from) => this.#respond(query, from));
  }

  /** Port 53 requires the permission to use it. Returns the reason if there is none. */
  static async start(address: string): Promise<DnsServer | string> {
    const socket = createSocket('udp4');
    try {
      socket.bind(53, address);
      await once(socket, 'listening');
      return new DnsServer(socket);
    } catch (error) {
      socket.close();
      return (error as Error).message;
    }
  }

  /** Sets the answer for a name from now on. */
  answer(name: string, answer: DnsAnswer): void {
    this.#answers.set(name, answer);
  }

  queriesFor(name: string): number {
    return this.queries.get(name) ?? 0;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#socket.close();
  }

  #respond(query: Buffer, from: RemoteInfo): void {
    const { name, type, end } = readQuestion(query);
    if (type === A_RECORD) this.queries.set(name, this.queriesFor(name) + 1);
    const answer = this.#answers.get(name) ?? { kind: 'error', code: 'NXDOMAIN' };
    const addresses = answer.kind === 'addresses' && type === A_RECORD ? answer.addresses : [];
    const code = answer.kind === 'error' ? CODES[answer.code] : CODES.NOERROR;
    const response = Buffer.concat([
      header(query, code, addresses.length),
      query.subarray(HEADER_BYTES, end),
      ...addresses.map(record),
    ]);
    const send = (): void => this.#socket.send(response, from.port, from.address);
    if (answer.kind !== 'addresses' || answer.delayMs === undefined) {
      send();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      send();
    }, answer.delayMs);
    this.#timers.add(timer);
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function header(query: Buffer, code: number, answers: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(RESPONSE_FLAGS | code, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

function record(address: string): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt16BE(SAME_NAME, 0);
  bytes.writeUInt16BE(A_RECORD, 2);
  bytes.writeUInt16BE(INTERNET, 4);
  bytes.writeUInt32BE(TTL_SECONDS, 6);
  bytes.writeUInt16BE(4, 10);
  Buffer.from(address.split('.').map(Number)).copy(bytes, 12);
  return bytes;
}
