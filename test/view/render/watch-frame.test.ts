import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/base/display-width.js';
import type { CacheEntry } from '../../../src/core/resource-cache.js';
import type { ScopeSnapshot } from '../../../src/engine/scope.js';
import type { ProtocolFinding } from '../../../src/findings/finding.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { watchFrame } from '../../../src/view/render/watch-frame.js';
import { watchedScope } from '../../../src/view/watch.js';

const paint = await paintFor(false);
let looks = 0;

function entry(name: string, status: CacheEntry['status'], updatedAt = 1000): CacheEntry {
  const facts = {
    typeUrl: RESOURCE_TYPES.EDS,
    name,
    authority: '#old',
    watchers: [1],
    requestedAt: 0,
    status,
    bytes: undefined,
    version: '1',
    server: 's:1',
    updatedAt,
    error: undefined,
  };
  return Object.defineProperty(facts as unknown as CacheEntry, 'resource', {
    get: () => {
      looks++;
      return status === 'ACKED' ? { type: 'EDS', value: { priorities: [], drops: [] } } : undefined;
    },
  });
}

function scopeOf(entries: CacheEntry[], scope = 'xds:///greeter'): ScopeSnapshot {
  const server = { uri: 's:1', priority: 0, failure: undefined, isActive: true, retryAt: undefined };
  const metrics = {
    connected: [],
    serverFailure: [],
    resourceUpdatesValid: [],
    resourceUpdatesInvalid: [],
    resources: [],
  };
  return {
    scope,
    authorities: [{ name: '#old', servers: [server] }],
    entries,
    channels: [],
    metrics,
    entry: () => undefined,
  };
}

const OPTIONS = {
  isWide: false,
  showsTimes: false,
  ageOf: (time: string) => 10_000 - Date.parse(time),
  continuesErrors: false,
  maxFindings: 3,
  nodeId: 'n',
};

function frame(scopes: ScopeSnapshot[], rows: number, columns: number): string[] {
  const options = { ...OPTIONS, width: columns };
  return watchFrame(
    scopes.map((scope) => watchedScope(scope, [], () => true, [], 0)),
    rows,
    options,
    paint,
  );
}

describe('the table of watch with ten thousand resources', () => {
  const many = [
    ...Array.from({ length: 9_994 }, (_, i) => entry(`service-${i}`, 'ACKED', i)),
    entry('asked', 'REQUESTED'),
    entry('asked too', 'REQUESTED'),
    entry('late', 'TIMEOUT'),
    entry('gone', 'DOES_NOT_EXIST'),
    entry('denied', 'RECEIVED_ERROR'),
    entry('bad', 'NACKED'),
  ];

  it('shows as many as fit, the worst first, then the latest changes, and counts the rest', () => {
    expect(frame([scopeOf(many)], 13, 80)).toEqual([
      'xds:///greeter  UNKNOWN  it has no listener, so its targets are unknown',
      '  10,000 resources · 1 NACKED · 1 RECEIVED_ERROR · 1 DOES_NOT_EXIST · 1 TIMEOUT',
      '    · 2 REQUESTED · s:1 · node n',
      '',
      'TYPE  NAME          STATUS          VERSION  AGE     SERVER  DETAIL',
      'EDS   bad           NACKED          –        10.0 s  –',
      'EDS   denied        RECEIVED_ERROR  –        10.0 s  –',
      'EDS   gone          DOES_NOT_EXIST  –        10.0 s  –',
      'EDS   late          TIMEOUT         –        10.0 s  –',
      'EDS   asked         REQUESTED       –        10.0 s  –       not received yet',
      'EDS   asked too     REQUESTED       –        10.0 s  –       not received yet',
      'EDS   service-9993  ACKED           1        7 ms    1       0 endpoints in 0 l…',
      '… and 9,993 more: 9,993 ACKED',
    ]);
    expect(frame([scopeOf(many)], 9, 80).at(-1)).toBe('… and 9,997 more: 1 TIMEOUT, 2 REQUESTED, 9,994 ACKED');
  });

  it('converts only the resources that it shows', () => {
    looks = 0;
    frame([scopeOf(many)], 50, 80);
    expect(looks).toBeLessThan(500);
  });

  it.each([
    [40, 10],
    [80, 24],
    [200, 60],
    [30, 5],
  ])('fits in %i columns and %i rows', (columns, rows) => {
    const lines = frame([scopeOf(many), scopeOf(many.slice(9_990), 'xds:///other')], rows, columns);
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
  });
});

describe('the table of watch with several targets', () => {
  const three = [entry('c', 'ACKED', 1), entry('a', 'ACKED', 2), entry('b', 'NACKED', 3)];

  it('sorts resources of the same status by name if all fit', () => {
    const names = frame([scopeOf(three)], 24, 80).map((line) => line.split(/ +/)[1]);
    expect(names.slice(4)).toEqual(['b', 'a', 'c']);
  });

  it('shares the rows, and gives unused rows of one target to the others', () => {
    const many = Array.from({ length: 100 }, (_, i) => entry(`s${i}`, 'ACKED', i));
    const lines = frame([scopeOf(many), scopeOf(three, 'xds:///small')], 24, 80);
    expect(lines).toHaveLength(24);
    expect(lines.filter((line) => / [abc] /.test(line))).toHaveLength(3);
    expect(lines).toContain('… and 89 more: 89 ACKED');
  });

  it('counts the targets whose first lines do not fit', () => {
    const scopes = Array.from({ length: 50 }, (_, i) => scopeOf(three, `xds:///t${i}`));
    const lines = frame(scopes, 10, 80);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatch(/^xds:\/\/\/t0 /);
    expect(lines.at(-1)).toBe('… and 41 more targets');
  });

  it('leaves room for the table below findings', () => {
    const found = Array.from({ length: 9 }, (_, i) => ({
      code: `XI20${i}`,
      severity: 'error' as const,
      scope: 'xds:///greeter',
      server: 's:1',
      typeUrl: undefined,
      names: [],
      count: 1,
      rate: undefined,
      isOngoing: false,
      begin: 0,
      last: 0,
      message: 'something is wrong',
      advice: 'correct it',
    }));
    const scope = watchedScope(scopeOf(three), [], () => true, found as unknown as ProtocolFinding[], 0);
    const lines = watchFrame([scope], 24, { ...OPTIONS, width: 80 }, paint);
    expect(lines.filter((line) => line.startsWith('  XI'))).toHaveLength(3);
    expect(lines).toContain('  … and 6 more findings');
    expect(lines.at(-1)).toMatch(/^EDS {3}c /);
  });
});
