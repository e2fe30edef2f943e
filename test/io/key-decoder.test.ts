import { describe, expect, it } from 'vitest';
import { KeyDecoder } from '../../src/io/key-decoder.js';

/** The decoded keys, including those of `flush`. */
function decoded(reads: readonly string[]): string {
  const decoder = new KeyDecoder();
  const keys = reads.flatMap((text) => decoder.read(text));
  return [...keys, ...decoder.flush()].map((key) => (key.kind === 'character' ? key.text : key.kind)).join(' ');
}

describe('KeyDecoder', () => {
  it.each<[what: string, reads: string[], keys: string]>([
    ['characters', ['jk', '/字😀'], 'j k / 字 😀'],
    ['arrows', ['\x1b[A\x1b[B\x1bOA\x1bOB'], 'up down up down'],
    ['pages', ['\x1b[5~\x1b[6~\x1b[H\x1b[F\x1b[1~\x1b[4~\x1bOH\x1bOF'], 'page-up page-down home end home end home end'],
    ['a sequence in two reads', ['\x1b', '[A'], 'up'],
    ['a sequence in three reads', ['\x1b', '[', '5~j'], 'page-up j'],
    ['Escape alone', ['\x1b'], 'escape'],
    ['Escape, then a character', ['\x1bq'], 'escape q'],
    ['Escape twice', ['\x1b\x1b'], 'escape escape'],
    ['half a sequence', ['\x1b['], 'escape'],
    ['Enter and Backspace', ['\r\n\x7f\b'], 'enter enter backspace backspace'],
    ['unused keys', ['\x1b[15~\x1b[1;5C\x1b[Z\t\x01\x00j'], 'j'],
  ])('decodes %s', (_, reads, keys) => expect(decoded(reads)).toBe(keys));

  it('waits only for the rest of a sequence', () => {
    const decoder = new KeyDecoder();
    decoder.read('j');
    expect(decoder.isWaiting).toBe(false);
    decoder.read('\x1b');
    expect(decoder.isWaiting).toBe(true);
    decoder.read('[A');
    expect(decoder.isWaiting).toBe(false);
  });
});
