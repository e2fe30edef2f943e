import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { serverRules } from '../../src/bootstrap/server-rules.js';
import type { CachedResource } from '../../src/core/cache-entry.js';
import { MessageReader } from '../../src/core/message-reader.js';
import { ResourceCache } from '../../src/core/resource-cache.js';
import type { AppliedResponse } from '../../src/core/response-store.js';
import { SOTW_PROTOCOL } from '../../src/core/sotw.js';
import { DiscoveryResponse } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { CONTEXT } from '../resources/context.js';
import { bytesOf } from '../resources/validate.js';

const { CDS } = RESOURCE_TYPES;
const { policies } = PRESETS.spec;
const BAD = { name: 'c', lb_policy: 'MAGLEV' };
const GOOD = { name: 'c', type: 'EDS', eds_cluster_config: { eds_config: { ads: {} } } };
const NONCE_FIELD = 5;

interface Sent {
  nonce?: string;
  version?: string;
  resources?: object[];
  typeUrl?: string;
  /** A field after the nonce. */
  sentBy?: string;
}

function message({ nonce = '1', version = 'v', resources = [BAD], typeUrl = CDS, sentBy }: Sent): Uint8Array {
  const list = resources.map((json) => ({ typeUrl: CDS, value: bytesOf('CDS', json) }));
  const fields = { typeUrl, versionInfo: version, nonce, resources: list };
  const controlPlane = sentBy === undefined ? undefined : { identifier: sentBy };
  return encode(DiscoveryResponse, DiscoveryResponse.create({ ...fields, controlPlane }));
}

/** A nonce field at the end of a message. */
function withNonce(bytes: Uint8Array, nonce: string): Uint8Array {
  const text = new TextEncoder().encode(nonce);
  return new Uint8Array([...bytes, (NONCE_FIELD << 3) | 2, text.length, ...text]);
}

/** Counts the validated responses of a cache with a watcher of the cluster `c`. */
class CountingCache extends ResourceCache {
  validated = 0;

  constructor(forgetUnwatchedTypes = false) {
    super(CONTEXT, { ...policies, forgetUnwatchedTypes });
    this.watch('c');
  }

  watch(name: string): void {
    this.addWatcher(this.add(CDS, name, '#old', 0), { kind: 'internal' });
  }

  unwatch(name: string): void {
    const entry = this.get(CDS, name) as CachedResource;
    for (const watcher of entry.watchers) this.removeWatcher(entry, watcher);
  }

  override read(...args: Parameters<ResourceCache['read']>): ReturnType<ResourceCache['read']> {
    this.validated++;
    return super.read(...args);
  }
}

class Receiver {
  readonly cache: CountingCache;
  readonly #server = { uri: 's', ...serverRules(new Set(), { dataErrorHandling: true }, policies) };
  readonly #reader: MessageReader;

  constructor(cache = new CountingCache()) {
    this.cache = cache;
    this.#reader = new MessageReader(SOTW_PROTOCOL, cache, this.#server);
  }

  /** Reads and stores a message; returns its nonce and what the client did. */
  receive(bytes: Uint8Array): { nonce: string; version: string; applied: AppliedResponse | undefined } {
    const { response, apply } = this.#reader.read(bytes);
    const { nonce, version } = response;
    const applied = apply?.({ server: this.#server, version, wasUnhealthy: false, stream: 1, now: 1 });
    return { nonce, version, applied };
  }
}

/** Receives two messages, and returns how many were validated. */
function validated(first: Uint8Array, second: Uint8Array, between: (cache: CountingCache) => void = () => {}): number {
  const receiver = new Receiver();
  receiver.receive(first);
  between(receiver.cache);
  receiver.receive(second);
  return receiver.cache.validated;
}

describe('the reader of messages', () => {
  it('validates a rejected response once if the control plane resends it with other nonces', () => {
    const receiver = new Receiver();
    const [first, ...later] = ['1', '2', '10', '4ecb0b1e-0b0b', ''.padEnd(127, 'n')].map((nonce) => {
      const { nonce: read, applied } = receiver.receive(message({ nonce }));
      expect(read).toBe(nonce);
      return applied;
    });
    expect(receiver.cache.validated).toBe(1);
    expect(first?.nack).toContain('resource index 0: c: INVALID_ARGUMENT');
    for (const applied of later) expect(applied).toEqual(first);
  });

  it('keeps the last rejected response of each type', () => {
    const receiver = new Receiver();
    receiver.cache.registerType(RESOURCE_TYPES.EDS);
    for (const nonce of ['1', '2', '3']) {
      for (const typeUrl of [CDS, RESOURCE_TYPES.EDS]) {
        const { nonce: read, applied } = receiver.receive(message({ nonce, typeUrl }));
        expect([read, applied?.typeUrl]).toEqual([nonce, typeUrl]);
      }
    }
    expect(receiver.cache.validated).toBe(2);
  });

  const changes: [title: string, first: Uint8Array, second: Uint8Array, between?: (cache: CountingCache) => void][] = [
    ['has another version', message({}), message({ version: 'w' })],
    ['has another resource', message({}), message({ resources: [{ ...BAD, name: 'd' }] })],
    ['has one more resource', message({}), message({ resources: [BAD, BAD] })],
    [
      'has another type',
      message({}),
      message({ typeUrl: RESOURCE_TYPES.EDS }),
      (cache) => cache.registerType(RESOURCE_TYPES.EDS),
    ],
    ['is sent by another control plane', message({ sentBy: 'a' }), message({ sentBy: 'b', nonce: '2' })],
    ['was accepted', message({ resources: [GOOD] }), message({ resources: [GOOD], nonce: '2' })],
    ['arrives after a subscription', message({}), message({ nonce: '2' }), (cache) => cache.watch('d')],
    ['has no nonce', message({}), message({ nonce: '' })],
    ['has a nonce that is not ASCII', message({}), message({ nonce: 'é' })],
    ['has a nonce of 128 bytes', message({}), message({ nonce: ''.padEnd(128, 'n') })],
    ['has two nonces', withNonce(message({}), '2'), withNonce(message({ nonce: '3' }), '2')],
    ['has a second nonce', message({}), withNonce(message({}), '2')],
    [
      'has more than 64 KiB',
      message({ version: ''.padEnd(2 ** 16) }),
      message({ version: ''.padEnd(2 ** 16), nonce: '2' }),
    ],
  ];
  it.each(changes)('validates a response again that %s', (_title, first, second, between) => {
    expect(validated(first, second, between)).toBe(2);
  });

  it('reads the second nonce of a resent response, as C-core does', () => {
    const receiver = new Receiver();
    receiver.receive(message({}));
    expect(receiver.receive(withNonce(message({}), '2')).nonce).toBe('2');
    expect(receiver.receive(message({ nonce: 'é' })).nonce).toBe('é');
  });

  it('reports a resource that was requested after it was rejected', () => {
    const receiver = new Receiver();
    const resources = [{ ...BAD, name: 'd' }];
    expect(receiver.receive(message({ resources })).applied?.changes).toEqual([]);
    receiver.cache.watch('d');
    expect(receiver.receive(message({ resources, nonce: '2' })).applied?.changes).toMatchObject([{ kind: 'error' }]);
  });

  it('does not report a resource to an entry that has left the cache', () => {
    const receiver = new Receiver();
    receiver.cache.watch('d');
    const resources = [{ ...BAD, name: 'd' }];
    receiver.cache.unwatch('d');
    expect(receiver.receive(message({ resources })).applied?.changes).toHaveLength(1);
    receiver.cache.removeUnwatched(() => true);
    expect(receiver.receive(message({ resources, nonce: '2' })).applied).toMatchObject({
      changes: [],
      unrequested: ['d'],
    });
  });

  it('ignores a rejected response that is resent after the last unsubscription of its type, if the client forgets types', () => {
    const receiver = new Receiver(new CountingCache(true));
    expect(receiver.receive(message({})).applied?.nack).toBeDefined();
    receiver.cache.unwatch('c');
    expect(receiver.receive(message({ nonce: '2' })).applied).toBeUndefined();
  });

  it('treats a nonce that is longer than the message as malformed', () => {
    const receiver = new Receiver();
    receiver.receive(message({}));
    const head = message({}).slice(0, -2);
    const bytes = new Uint8Array([...head, 0x85, ...new TextEncoder().encode(''.padEnd(0x85, 'n'))]);
    expect(receiver.receive(bytes)).toEqual({ nonce: '', version: '', applied: undefined });
  });

  it('treats a truncated copy of a rejected response as malformed', () => {
    const receiver = new Receiver();
    receiver.receive(message({}));
    for (let length = message({}).length - 1; length > 0; length--) {
      const { nonce } = receiver.receive(message({}).slice(0, length));
      expect(nonce).toBe('');
    }
  });
});
