import { between } from '../lanes.ts';

/** A fault of one connection. Bytes are counted per direction; times are in milliseconds. */
export type Fault =
  | { kind: 'none' }
  /** The connection ends after so many bytes from one side: with RST, or with FIN. */
  | { kind: 'reset' | 'close'; from: Side; after: number }
  /** No byte passes for a while, in both directions. */
  | { kind: 'stall'; after: number; forMs: number }
  /** A few bytes pass at a time. */
  | { kind: 'slow'; bytes: number; everyMs: number }
  /**
   * One bit changes. The connection is reset after some more bytes of that side, because nobody can repair what was read.
   * A side that sends less is cut by the next round.
   */
  | { kind: 'corrupt'; from: Side; after: number; bit: number }
  /** The control plane gets every byte of the client on a second connection, too. */
  | { kind: 'duplicate' }
  /** The proxy accepts the connection, but connects to the control plane only later. */
  | { kind: 'late'; forMs: number }
  /** The proxy resets the connection at once. */
  | { kind: 'refuse' };

export type Side = 'client' | 'server';

type Kind = Fault['kind'];

/** Long enough to be in every phase: the connection preface, headers, requests, responses, updates. */
const MAX_BYTES = 6000;

const MAKE: Record<Kind, (random: () => number) => Fault> = {
  none: () => ({ kind: 'none' }),
  reset: (random) => ({ kind: 'reset', from: side(random), after: bytes(random) }),
  close: (random) => ({ kind: 'close', from: side(random), after: bytes(random) }),
  stall: (random) => ({ kind: 'stall', after: bytes(random), forMs: between(random, 50, 500) }),
  slow: (random) => ({ kind: 'slow', bytes: between(random, 1, 64), everyMs: between(random, 1, 3) }),
  corrupt: (random) => ({ kind: 'corrupt', from: side(random), after: bytes(random), bit: between(random, 0, 7) }),
  duplicate: () => ({ kind: 'duplicate' }),
  late: (random) => ({ kind: 'late', forMs: between(random, 50, 300) }),
  refuse: () => ({ kind: 'refuse' }),
};

/** A random fault of one of these kinds. */
export function randomFault(kinds: readonly Kind[], random: () => number): Fault {
  return MAKE[kinds[between(random, 0, kinds.length - 1)] as Kind](random);
}

function side(random: () => number): Side {
  return random() < 0.5 ? 'client' : 'server';
}

/** Small numbers are as likely as large ones: most of the protocol happens in the first few hundred bytes. */
function bytes(random: () => number): number {
  return Math.floor(MAX_BYTES ** random());
}
