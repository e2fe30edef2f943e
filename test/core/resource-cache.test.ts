import { describe, expect, it } from 'vitest';
import { finish } from '../../src/base/slices.js';
import type { Status } from '../../src/base/status.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { serverRules } from '../../src/bootstrap/server-rules.js';
import type { CacheChange, CachedResource } from '../../src/core/cache-entry.js';
import { draftCallback, finalCallback } from '../../src/core/error-record.js';
import { ResourceCache } from '../../src/core/resource-cache.js';
import type { ResponseMetadata, ResponseServer } from '../../src/core/response-metadata.js';
import type { AppliedResponse } from '../../src/core/response-store.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { readResourceSwitches } from '../../src/resources/context.js';
import { CONTEXT } from '../resources/context.js';
import { bytesOf } from '../resources/validate.js';

const { CDS } = RESOURCE_TYPES;
const GOOD = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };

interface CacheOptions {
  a88?: boolean;
  fail?: boolean;
  ignoreDeletion?: boolean;
  transientTimer?: boolean;
}

/** A cache with a watcher of the cluster `c`. */
class WatchedResource {
  readonly cache: ResourceCache;
  readonly entry: CachedResource;
  readonly server: ResponseServer;
  isUnhealthy = false;

  constructor(
    { a88 = true, fail = false, ignoreDeletion = false, transientTimer = false }: CacheOptions,
    isCached: boolean,
  ) {
    this.cache = new ResourceCache({ ...CONTEXT, switches: readResourceSwitches({}, a88) }, PRESETS.spec.policies);
    const features = new Set([
      ...(fail ? ['fail_on_data_errors'] : []),
      ...(ignoreDeletion ? ['ignore_resource_deletion'] : []),
      ...(transientTimer ? ['resource_timer_is_transient_error'] : []),
    ]);
    this.server = { uri: 's', ...serverRules(features, { dataErrorHandling: a88 }, PRESETS.spec.policies) };
    this.entry = this.cache.add(CDS, 'c', '#old', 0);
    this.cache.addWatcher(this.entry, { kind: 'internal' });
    if (isCached) this.receive([GOOD]);
  }

  get metadata(): ResponseMetadata {
    return { server: this.server, version: '2', wasUnhealthy: this.isUnhealthy, stream: 1, now: 1000 };
  }

  receive(resources: object[], errors: { name: string; status: Status }[] = []): string[] {
    const response = DiscoveryResponse.create({
      typeUrl: CDS,
      versionInfo: '2',
      resources: resources.map((json) => ({ typeUrl: CDS, value: bytesOf('CDS', json) })),
      resourceErrors: errors.map(({ name, status }) => ({
        resourceName: { name },
        errorDetail: { ...status, details: [] },
      })),
    });
    const applied = store(this.cache, response, this.metadata);
    return [...applied.changes, ...this.cache.applyOmissions(applied, () => true)].map(textOf);
  }
}

/** Validates and stores a response. */
function store(cache: ResourceCache, response: DiscoveryResponse, metadata: ResponseMetadata): AppliedResponse {
  return finish(cache.read(response, metadata.server, () => {}))(metadata);
}

/** `callback CODE effect · draft callback(f)` */
function textOf(change: CacheChange): string {
  if (change.kind !== 'error') return change.kind;
  const { error } = change;
  return `${finalCallback(error)} ${error.status.code} ${error.effect} · ${draftCallback(error)}`;
}

const status = (code: number): Status => ({ code, message: 'because' });
const report = (w: WatchedResource, code: number): string[] => w.receive([], [{ name: 'c', status: status(code) }]);
const expireTimer = (w: WatchedResource): string[] => {
  const change = w.entry.timeOut(w.server, 1, 'no');
  return change === undefined ? [] : [textOf(change)];
};
const BAD = { name: 'c' };

/** The decision table of A88: event, cached before, settings; then callbacks, cache status, cached afterwards. */
const ROWS: [
  title: string,
  isCached: boolean,
  setting: CacheOptions,
  run: (w: WatchedResource) => string[],
  callbacks: string[],
  status: string,
  isKept: boolean,
][] = [
  [
    'connection fails',
    false,
    {},
    (w) => [textOf(w.entry.connectionError('channel', status(14), w.server, 1))],
    ['OnResourceChanged 14 none-cached · OnTransientError'],
    'REQUESTED',
    false,
  ],
  [
    'connection fails',
    true,
    { fail: true },
    (w) => [textOf(w.entry.connectionError('stream', status(14), w.server, 1))],
    ['OnAmbientError 14 kept · OnTransientError'],
    'ACKED',
    true,
  ],
  [
    'NACK',
    false,
    {},
    (w) => w.receive([BAD]),
    ['OnResourceChanged 3 none-cached · OnClientDataError'],
    'NACKED',
    false,
  ],
  ['NACK', true, {}, (w) => w.receive([BAD]), ['OnAmbientError 3 kept · OnClientDataError'], 'NACKED', true],
  [
    'NACK',
    true,
    { fail: true },
    (w) => w.receive([BAD]),
    ['OnResourceChanged 3 dropped · OnClientDataError'],
    'NACKED',
    false,
  ],
  [
    'NACK',
    true,
    { fail: true, a88: false },
    (w) => w.receive([BAD]),
    ['OnAmbientError 3 kept · OnClientDataError'],
    'NACKED',
    true,
  ],
  ['timer', false, {}, expireTimer, ['OnResourceChanged 5 none-cached · OnServerDataError'], 'DOES_NOT_EXIST', false],
  [
    'timer, transient',
    false,
    { transientTimer: true },
    expireTimer,
    ['OnResourceChanged 14 none-cached · OnTransientError'],
    'TIMEOUT',
    false,
  ],
  ['timer', true, {}, expireTimer, [], 'ACKED', true],
  ['omitted', false, {}, (w) => w.receive([]), [], 'REQUESTED', false],
  ['omitted', true, {}, (w) => w.receive([]), ['OnAmbientError 5 kept · OnServerDataError'], 'DOES_NOT_EXIST', true],
  [
    'omitted',
    true,
    { fail: true },
    (w) => w.receive([]),
    ['OnResourceChanged 5 dropped · OnServerDataError'],
    'DOES_NOT_EXIST',
    false,
  ],
  [
    'omitted',
    true,
    { a88: false },
    (w) => w.receive([]),
    ['OnResourceChanged 5 dropped · OnServerDataError'],
    'DOES_NOT_EXIST',
    false,
  ],
  [
    'omitted',
    true,
    { a88: false, ignoreDeletion: true },
    (w) => w.receive([]),
    ['OnAmbientError 5 kept · OnServerDataError'],
    'DOES_NOT_EXIST',
    true,
  ],
  [
    'reported NOT_FOUND',
    false,
    {},
    (w) => report(w, 5),
    ['OnResourceChanged 5 none-cached · OnServerDataError'],
    'RECEIVED_ERROR',
    false,
  ],
  [
    'reported PERMISSION_DENIED',
    true,
    {},
    (w) => report(w, 7),
    ['OnAmbientError 7 kept · OnServerDataError'],
    'RECEIVED_ERROR',
    true,
  ],
  [
    'reported PERMISSION_DENIED',
    true,
    { fail: true },
    (w) => report(w, 7),
    ['OnResourceChanged 7 dropped · OnServerDataError'],
    'RECEIVED_ERROR',
    false,
  ],
  [
    'reported UNAVAILABLE',
    false,
    { fail: true },
    (w) => report(w, 14),
    ['OnResourceChanged 14 none-cached · OnServerDataError'],
    'RECEIVED_ERROR',
    false,
  ],
  [
    'reported UNAVAILABLE',
    true,
    { fail: true },
    (w) => report(w, 14),
    ['OnAmbientError 14 kept · OnServerDataError'],
    'RECEIVED_ERROR',
    true,
  ],
  [
    'reported without A88',
    true,
    { a88: false, ignoreDeletion: true },
    (w) => w.receive([GOOD], [{ name: 'c', status: status(5) }]),
    [],
    'ACKED',
    true,
  ],
  ['valid and new', false, {}, (w) => w.receive([GOOD]), ['updated'], 'ACKED', true],
  ['valid and changed', true, {}, (w) => w.receive([{ ...GOOD, lb_policy: 'RING_HASH' }]), ['updated'], 'ACKED', true],
  ['valid and unchanged', true, {}, (w) => w.receive([{ ...GOOD, connect_timeout: '1s' }]), [], 'ACKED', true],
  [
    'valid and unchanged after a connection error',
    true,
    {},
    (w) => {
      w.isUnhealthy = true;
      return w.receive([GOOD]);
    },
    ['cleared'],
    'ACKED',
    true,
  ],
];

describe('a cache entry and its watchers (A88)', () => {
  it.each(ROWS)('%s; cached before: %s; %o', (_, isCached, setting, run, expected, status_, isKept) => {
    const watched = new WatchedResource(setting, isCached);
    expect(run(watched)).toEqual(expected);
    expect(watched.entry.status).toBe(status_);
    expect(watched.entry.resource !== undefined).toBe(isKept);
  });

  it.each(ROWS)(
    'have a version, bytes, time and server only with a resource in use: %s; cached before: %s; %o',
    (_, isCached, setting, run) => {
      const watched = new WatchedResource(setting, isCached);
      run(watched);
      const { resource, version, bytes, updatedAt, server, stream } = watched.entry;
      const inUse = resource !== undefined;
      expect({ version, updatedAt, server, stream }).toEqual(
        inUse
          ? { version: '2', updatedAt: 1000, server: 's', stream: 1 }
          : { version: '', updatedAt: undefined, server: undefined, stream: undefined },
      );
      expect(bytes !== undefined).toBe(inUse);
    },
  );

  it('keep an error until another one replaces it or a valid resource clears it (D2)', () => {
    const watched = new WatchedResource({}, true);
    watched.receive([BAD]);
    expect(watched.entry.error).toMatchObject({ cause: 'nack', version: '2', at: 1000, server: 's' });
    expect(watched.entry.error?.status.message).toBe(
      'invalid resource: errors validating Cluster resource: [field:type error:unknown discovery type]',
    );
    watched.receive([]);
    expect(watched.entry.error).toMatchObject({ cause: 'deletion', status: { code: 5, message: 'does not exist' } });
    expect(watched.receive([GOOD])).toEqual(['cleared']);
    expect(watched.entry).toMatchObject({ status: 'ACKED', error: undefined, version: '2' });
  });

  it('keep a reported error when a later response omits the resource (D3)', () => {
    const watched = new WatchedResource({}, true);
    report(watched, 14);
    expect(watched.receive([])).toEqual([]);
    expect(watched.entry.status).toBe('RECEIVED_ERROR');
  });

  it('are notified of both if a response contains a resource twice; the last one decides (R1.25)', () => {
    const watched = new WatchedResource({}, false);
    expect(watched.receive([GOOD, BAD])).toEqual(['updated', 'OnAmbientError 3 kept · OnClientDataError']);
    expect(watched.entry.status).toBe('NACKED');
    expect(watched.receive([BAD, GOOD])).toEqual(['OnAmbientError 3 kept · OnClientDataError', 'cleared']);
    expect(watched.entry.status).toBe('ACKED');
  });
});

describe('whether the version of a response is accepted (R1.11)', () => {
  const apply = (...resources: object[]) => {
    const { cache, server } = new WatchedResource({}, false);
    const list = resources.map((json) => ({ typeUrl: CDS, value: bytesOf('CDS', json) }));
    return store(cache, DiscoveryResponse.create({ typeUrl: CDS, resources: list }), {
      server,
      version: '',
      wasUnhealthy: false,
      stream: 1,
      now: 0,
    }).isAccepted;
  };
  it.each([
    ['a valid resource', [GOOD], true],
    ['no resource', [], true],
    ['a valid and an invalid resource', [GOOD, { name: 'x' }], true],
    ['an invalid resource', [BAD], false],
    ['an unrequested resource', [{ ...GOOD, name: 'x' }], true],
    ['an unrequested and an invalid resource', [{ ...GOOD, name: 'x' }, BAD], false],
  ])('%s', (_, resources, accepted) => expect(apply(...resources)).toBe(accepted));
});

describe('a response', () => {
  it('is validated by the trust in its server, even if another server sent the same bytes', () => {
    const { RDS } = RESOURCE_TYPES;
    const cache = new ResourceCache(CONTEXT, PRESETS.spec.policies);
    const entry = cache.add(RDS, 'r', '#old', 0);
    const routes = [{ match: { prefix: '' }, route: { cluster: 'c', auto_host_rewrite: true } }];
    const value = bytesOf('RDS', { name: 'r', virtual_hosts: [{ domains: ['*'], routes }] });
    const response = DiscoveryResponse.create({ typeUrl: RDS, resources: [{ typeUrl: RDS, value }] });
    const rewrites = [true, false, true].map((isTrusted) => {
      const features = new Set(isTrusted ? ['trusted_xds_server'] : []);
      const server = { uri: 's', ...serverRules(features, { dataErrorHandling: true }, PRESETS.spec.policies) };
      store(cache, response, { server, version: '', wasUnhealthy: false, stream: 1, now: 0 });
      return JSON.stringify(entry.resource?.value).includes('"autoHostRewrite":true');
    });
    expect(rewrites).toEqual([true, false, true]);
  });
});
