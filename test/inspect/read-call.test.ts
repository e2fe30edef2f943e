import { describe, expect, it } from 'vitest';
import { readDeadline, readMetadata, readMethod } from '../../src/inspect/explain/read-call.js';

describe('an RPC as a user types it', () => {
  it.each([
    ['/a.B/C', '/a.B/C'],
    ['a.B/C', '/a.B/C'],
    ['/', '/'],
  ])('has the method %s', (typed, value) => {
    expect(readMethod(typed)).toEqual({ ok: true, value });
  });

  it.each(['', 'a.B', '/a/b/c'])('cannot have the method "%s"', (typed) => {
    expect(readMethod(typed)).toEqual({ ok: false, problem: `takes /package.Service/Method, not "${typed}"` });
  });

  it('has headers with names in lower case', () => {
    expect(readMetadata('X-Env: canary:1 ')).toEqual({ ok: true, value: ['x-env', 'canary:1'] });
    expect(readMetadata(':path: /a')).toEqual({ ok: false, problem: 'takes name:value, not ":path: /a"' });
  });

  it('has base64 in binary headers', () => {
    expect(readMetadata('x-bin:AQI=')).toEqual({ ok: true, value: ['x-bin', 'AQI='] });
    const problem = 'x-bin: a binary value must be base64, and "?" is not';
    expect(readMetadata('x-bin:?')).toEqual({ ok: false, problem });
  });

  it('has a deadline longer than 0s', () => {
    expect(readDeadline('1.5s')).toEqual({ ok: true, value: 1500 });
    expect(readDeadline('0s')).toEqual({ ok: false, problem: 'must be longer than 0s' });
    expect(readDeadline('5')).toEqual({ ok: false, problem: 'takes a time such as 500ms, 10s or 2m, not "5"' });
  });
});
