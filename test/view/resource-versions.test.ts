import { describe, expect, it } from 'vitest';
import type { CacheEntry } from '../../src/core/resource-cache.js';
import type { PastEntry } from '../../src/inspect/history/session-history.js';
import { resourceChanges, versionContents } from '../../src/view/resource-versions.js';

const NAMED = { typeUrl: 't', name: 'n', authority: '', watchers: [], requestedAt: 0, stream: undefined };

function accepted(version: string, ...bytes: number[]): CacheEntry {
  const resource = { type: 'EDS' as const, value: { priorities: [], drops: [] } };
  const used = { status: 'ACKED' as const, resource, bytes: new Uint8Array(bytes), version, server: 'p' };
  return { ...NAMED, ...used, updatedAt: 0, error: undefined };
}

function rejected(version: string, before: CacheEntry): CacheEntry {
  const status = { code: 3, message: 'bad' };
  const facts = { nature: 'data', origin: 'client', server: 'p', at: 7, failOnDataErrors: false } as const;
  const error = { cause: 'nack', status, version, effect: 'kept', ...facts } as const;
  return { ...before, status: 'NACKED', error, rejected: new Uint8Array([9]) };
}

const PAST: PastEntry[] = [
  { at: 1, entry: { ...accepted('', 0), status: 'REQUESTED', resource: undefined, bytes: undefined } },
  { at: 2, entry: accepted('1', 1) },
  { at: 3, entry: accepted('1', 1) },
  { at: 4, entry: accepted('2', 2) },
  { at: 7, entry: rejected('3', accepted('2', 2)) },
  { at: 8, entry: undefined },
];

describe('the contents of a resource over time', () => {
  it('are the versions that were used or rejected, each once', () => {
    expect(versionContents(PAST).map(({ at, version, isRejected }) => [at, version, isRejected])).toEqual([
      [2, '1', false],
      [4, '2', false],
      [7, '3', true],
    ]);
  });
});

describe('the changes of a resource', () => {
  it('are its states, without repetitions', () => {
    expect(resourceChanges(PAST).map(({ at, status, text }) => [at, status, text])).toEqual([
      [1, 'REQUESTED', ''],
      [2, 'ACKED', 'version 1 from p'],
      [4, 'ACKED', 'version 2 from p'],
      [7, 'NACKED', 'version 3: INVALID_ARGUMENT bad, version 2 kept'],
      [8, 'not subscribed', ''],
    ]);
  });
});
