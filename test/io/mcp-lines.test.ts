import { describe, expect, it } from 'vitest';
import { MessageLines } from '../../src/io/mcp/message-lines.js';

const bytes = (text: string): Buffer => Buffer.from(text);

describe('the lines of a stream', () => {
  it('are independent of how the stream is cut', () => {
    const text = '{"a":"ä"}\r\n\n  \n{"b":2}\nrest';
    for (let size = 1; size <= text.length; size++) {
      const lines = new MessageLines(1000);
      const all = bytes(text);
      const found = [];
      for (let at = 0; at < all.length; at += size) found.push(...lines.take(all.subarray(at, at + size)));
      expect(found, `${size} bytes at once`).toEqual(['{"a":"ä"}\r', '{"b":2}']);
    }
  });

  it('include a marker in place of a line that is too long, and the lines after it', () => {
    const lines = new MessageLines(10);
    expect(lines.take(bytes('x'.repeat(8)))).toEqual([]);
    expect(lines.take(bytes('x'.repeat(8)))).toEqual([]);
    expect(lines.take(bytes('xx\n0123456789\n01234567890\nend\n'))).toEqual([
      undefined,
      '0123456789',
      undefined,
      'end',
    ]);
  });
});
