import type { Dice } from '../../oracle/mutation/dice.js';

const TYPES = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
};

/** The first bytes of an HTTP/2 client. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** An HTTP/2 frame (RFC 9113, section 4.1), possibly with a wrong length. */
function frame(
  type: keyof typeof TYPES | number,
  flags: number,
  stream: number,
  payload: Uint8Array,
  length = payload.length,
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(length & 0xffffff, 0, 3);
  head.writeUInt8(typeof type === 'number' ? type : TYPES[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

export const SETTINGS = frame('settings', 0, 0, Buffer.alloc(0));
export const SETTINGS_ACK = frame('settings', 1, 0, Buffer.alloc(0));
const END_HEADERS = 4;
const END_STREAM = 1;

/** A header block without compression (RFC 7541, section 6.2.2: literal header fields without indexing). */
function headerBlock(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), hpackString(name), hpackString(value)]));
}

function hpackString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([hpackLength(bytes.length), bytes]);
}

function hpackLength(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const rest: number[] = [];
  let left = length - 127;
  for (; left > 127; left >>= 7) rest.push((left & 127) | 128);
  return Buffer.from([127, ...rest, left]);
}

export function headersFrame(stream: number, headers: Parameters<typeof headerBlock>[0], isLast = false): Buffer {
  return frame('headers', END_HEADERS | (isLast ? END_STREAM : 0), stream, headerBlock(headers));
}

export function dataFrame(stream: number, bytes: Uint8Array, isLast = false): Buffer {
  return frame('data', isLast ? END_STREAM : 0, stream, bytes);
}

/** A gRPC message, possibly with a wrong length or flag. */
export function grpcMessage(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag & 0xff);
  head.writeUInt32BE(length >>> 0, 1);
  return Buffer.concat([head, message]);
}

export const RESPONSE_HEADERS = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
] as const;

const ODD_HEADERS = [
  [':status', '999'],
  [':status', '101'],
  ['content-type', 'text/html'],
  ['content-type', ''],
  ['grpc-status', '99999999999999999999'],
  ['grpc-status', '-1'],
  ['grpc-status', 'x'],
  ['grpc-message', '%zz%00%e2%80%ae\u001b[31m'],
  ['grpc-encoding', 'zstd'],
  ['grpc-encoding', 'gzip'],
  ['grpc-status-details-bin', '!!!'],
  ['x-bin', '\u0000'],
  ['connection', 'close'],
  ['Upper', 'case'],
  ['', ''],
  ['long', 'y'.repeat(70_000)],
] as const;

/** Frames that a correct peer does not send at this time, or not at all. */
export function oddFrame(dice: Dice, stream: number, message: Uint8Array): Buffer {
  const bytes = Buffer.from(Array.from({ length: dice.below(30) }, () => dice.below(256)));
  const odd = (): readonly (readonly [string, string])[] =>
    Array.from({ length: 1 + dice.below(4) }, () => dice.pick(ODD_HEADERS));
  return dice.weighted<() => Buffer>([
    [4, () => headersFrame(stream, [...RESPONSE_HEADERS, ...odd()], dice.chance(0.3))],
    [2, () => headersFrame(stream, odd(), dice.chance(0.5))],
    [3, () => dataFrame(stream, grpcMessage(message, dice.pick([0, 0, 1, 2, 255])), dice.chance(0.2))],
    [3, () => dataFrame(stream, grpcMessage(message, 0, dice.pick([0, 1, 0xffffffff, message.length + 7])))],
    [2, () => dataFrame(stream, bytes)],
    [2, () => frame('reset', 0, stream, u32(dice.pick([0, 1, 2, 7, 8, 11, 99])))],
    [
      1,
      () =>
        frame(
          'goaway',
          0,
          0,
          Buffer.concat([u32(dice.pick([0, stream, 0x7fffffff])), u32(dice.pick([0, 1, 11])), bytes]),
        ),
    ],
    [1, () => frame('ping', dice.below(2), 0, Buffer.alloc(dice.pick([8, 8, 7])))],
    [1, () => frame('window', 0, dice.pick([0, stream]), u32(dice.pick([0, 1, 0x7fffffff])))],
    [
      1,
      () =>
        frame('settings', 0, 0, Buffer.concat([Buffer.from([0, dice.below(8)]), u32(dice.pick([0, 1, 0xffffffff]))])),
    ],
    [1, () => frame(dice.below(256), dice.below(256), dice.pick([0, 1, 2, stream, 0xffffffff]), bytes)],
    [1, () => frame('headers', 0, stream, bytes)],
    [1, () => frame('continuation', 4, stream, bytes)],
    [1, () => frame('data', 0, stream, bytes, 0xffffff)],
    [1, () => bytes],
  ])();
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
