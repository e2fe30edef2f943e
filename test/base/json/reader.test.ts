import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/base/json/reader.js';
import { formatUri, parseUri } from '../../../src/base/uri.js';

describe('readJson agrees with grpcio 1.85.1', () => {
  const cases: [text: string, want: string][] = [
    ['{"a":}', 'accepted'],
    ['{"a": }', 'accepted'],
    ['{"a":1,"b":}', 'accepted'],
    ['[{"a":}]', 'accepted'],
    ['{"a":-01}', 'accepted'],
    ['{"a":-.5}', 'accepted'],
    ['{"a":1e+}', 'accepted'],
    ['{"a":0e1}', 'JSON parsing failed: [JSON parse error at index 6]'],
    ['{"a":]}', 'JSON parsing failed: [JSON parse error at index 5]'],
  ];
  for (const [text, want] of cases) {
    it(`on ${text}`, () => {
      const result = readJson(new TextEncoder().encode(text));
      expect(result.ok ? 'accepted' : result.message).toBe(want);
    });
  }
});

describe('parseUri', () => {
  it('splits an authority with several @ at the last one', () => {
    const uri = parseUri('xds://a@b@c/s');
    expect(uri).toMatchObject({ userInfo: 'a@b', hostPort: 'c' });
    expect(uri && formatUri(uri)).toBe('xds://a%40b@c/s');
  });
});
