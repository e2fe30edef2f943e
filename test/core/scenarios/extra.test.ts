import { describe, expect, it } from 'vitest';
import { DiscoveryResponse, Resource } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { Any } from '../../../src/proto/generated/google.protobuf.js';
import { encode } from '../../../src/proto/message-type.js';
import { type HarnessOptions, NODE, scenario, type TestClient } from './harness.js';
import { bad, cluster, endpoints, garbage, listener, REASONS } from './resources.js';

const FAILING: HarnessOptions = { servers: [{ uri: 'default', features: ['fail_on_data_errors'] }] };
const INVALID = `INVALID_ARGUMENT: invalid resource: ${REASONS.CDS}${NODE}`;
const GONE = `NOT_FOUND: does not exist${NODE}`;

const nack = (...errors: string[]): string =>
  ` NACK INVALID_ARGUMENT: xDS response validation errors: [${errors.join('; ')}]`;

/** Sends a message that the client ignores. C-core does not read from the stream again; others do. */
function expectIgnored(t: TestClient, bytes: Uint8Array): void {
  const foo1 = t.watch('EDS', 'foo1');
  t.requests();
  t.timers();
  t.send(bytes);
  expect([t.requests(), t.received(foo1), t.csds()]).toEqual([[], [], ['EDS foo1 REQUESTED']]);
  const keepsReading = t.preset === 'spec';
  expect(t.wire().isReading).toBe(keepsReading);
  t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
  expect(t.received(foo1)).toEqual(keepsReading ? ['RC(6)'] : []);
  expect(t.requests()).toEqual(keepsReading ? ['default EDS{foo1; 1; A}'] : []);
  // A client that does not read still sends requests, and its resource timers still expire.
  t.watch('EDS', 'foo2');
  expect(t.requests()).toEqual([`default EDS{foo1,foo2; ${keepsReading ? '1; A' : '-; -'}}`]);
  t.advance(15_000);
  expect(t.received(foo1)).toEqual(keepsReading ? [] : [`RE(${GONE})`]);
}

describe('the client', () => {
  it(
    'ignores a response of a type that was never requested (N01)',
    scenario({}, (t) => {
      const response = (typeUrl: string): Uint8Array =>
        encode(DiscoveryResponse, DiscoveryResponse.create({ typeUrl, versionInfo: '1', nonce: 'X' }));
      expectIgnored(t, response('type.googleapis.com/no.such.Type'));
      t.close();
      // A type that gRPC knows is ignored too if it was never watched. A new client, since C-core stopped reading.
      expectIgnored(t, response('type.googleapis.com/envoy.config.listener.v3.Listener'));
    }),
  );

  it(
    'ignores a message that cannot be decoded (N02)',
    scenario({}, (t) => expectIgnored(t, Uint8Array.of(0xff))),
  );

  it('rejects a listener whose name cannot be read, and deletes the cached one as omitted (N03)', () => {
    const heartbeat = Any.create({
      typeUrl: `type.googleapis.com/${Resource.typeName}`,
      value: encode(Resource, Resource.create({ name: 'l' })),
    });
    const cases: [resource: Any, error: string][] = [
      [garbage('LDS'), "resource index 0: INVALID_ARGUMENT: Can't parse Listener resource."],
      [heartbeat, 'resource index 0: No resource present in Resource proto wrappe'],
    ];
    for (const [resource, error] of cases) {
      for (const setting of [{}, FAILING]) {
        scenario(setting, (t) => {
          const l = t.watch('LDS', 'l');
          t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l', 'r')] });
          expect(t.received(l)).toEqual(['RC(r)']);
          t.requests();
          t.respond('LDS', { version: '2', nonce: 'B', resources: [resource] });
          expect(t.requests()).toEqual([`default LDS{l; 1; B}${nack(error)}`]);
          const isKept = setting !== FAILING;
          expect(t.received(l)).toEqual([isKept ? `AE(${GONE})` : `RE(${GONE})`]);
          const data = isKept ? ', 1 at 0' : '';
          expect(t.csds()).toEqual([`LDS l DOES_NOT_EXIST${data}, error 2 at 0: does not exist`]);
          expect(t.metrics().invalid).toEqual(['default LDS 1']);
        })();
      }
    }
  });

  it('processes both copies of a resource in a response; the last one decides (N04)', () => {
    const expectedNack = nack(`resource index 1: c: INVALID_ARGUMENT: ${REASONS.CDS}`);
    for (const setting of [{}, FAILING]) {
      scenario(setting, (t) => {
        const c = t.watch('CDS', 'c');
        t.requests();
        t.respond('CDS', { version: '1', nonce: 'A', resources: [cluster('c', 6), cluster('c', 7)] });
        expect(t.received(c)).toEqual(['RC(6)', 'RC(7)']);
        expect(t.requests()).toEqual(['default CDS{c; 1; A}']);
        t.respond('CDS', { version: '2', nonce: 'B', resources: [cluster('c', 8), bad('CDS', 'c')] });
        const isKept = setting !== FAILING;
        expect(t.received(c)).toEqual(['RC(8)', isKept ? `AE(${INVALID})` : `RE(${INVALID})`]);
        expect(t.requests()).toEqual([`default CDS{c; 2; B}${expectedNack}`]);
        const data = isKept ? ', 2 at 0' : '';
        expect(t.csds()).toEqual([`CDS c NACKED${data}, error 2 at 0: invalid resource: ${REASONS.CDS}`]);
        t.respond('CDS', { version: '3', nonce: 'C', resources: [bad('CDS', 'c'), cluster('c', 9)] });
        expect(t.received(c)).toEqual([isKept ? `AE(${INVALID})` : `RE(${INVALID})`, 'RC(9)']);
        expect(t.requests()).toEqual([`default CDS{c; 3; C}${expectedNack.replace('index 1', 'index 0')}`]);
        expect(t.csds()).toEqual(['CDS c ACKED, 3 at 0']);
        expect(t.metrics()).toMatchObject({ valid: ['default CDS 4'], invalid: ['default CDS 2'] });
      })();
    }
  });

  it(
    'clears the error when the valid resource arrives again (C-core does not notify watchers) (N05)',
    scenario({}, (t) => {
      const c = t.watch('CDS', 'c');
      t.respond('CDS', { version: '1', nonce: 'A', resources: [cluster('c', 6)] });
      t.respond('CDS', { version: '2', nonce: 'B', resources: [bad('CDS', 'c')] });
      expect(t.received(c)).toEqual(['RC(6)', `AE(${INVALID})`]);
      t.respond('CDS', { version: '3', nonce: 'C', resources: [cluster('c', 6)] });
      expect(t.received(c)).toEqual(t.preset === 'spec' ? ['AE(OK)'] : []);
      expect(t.csds()).toEqual(['CDS c ACKED, 3 at 0']);
      expect(t.requests().at(-1)).toBe('default CDS{c; 3; C}');
      t.respond('CDS', { version: '4', nonce: 'D', resources: [cluster('c', 6)] });
      expect(t.received(c)).toEqual([]);
    }),
  );

  it('keeps a reported error when later responses omit the resource (C-core deletes the resource) (N06)', () => {
    for (const setting of [{}, FAILING]) {
      scenario(setting, (t) => {
        const l = t.watch('LDS', 'l');
        const never = t.watch('LDS', 'never');
        t.respond('LDS', { version: '1', nonce: 'A', resources: [listener('l', 'r')] });
        const errors = ['l', 'never'].map((name) => ({ name, code: 'UNAVAILABLE' as const, message: 'later' }));
        t.respond('LDS', { version: '2', nonce: 'B', errors });
        expect(t.received(l)).toEqual(['RC(r)', `AE(UNAVAILABLE: later${NODE})`]);
        expect(t.received(never)).toEqual([`RE(UNAVAILABLE: later${NODE})`]);
        t.requests();
        t.respond('LDS', { version: '3', nonce: 'C' });
        expect(t.requests()).toEqual(['default LDS{l,never; 3; C}']);
        const isFailing = setting === FAILING;
        const deleted = isFailing ? `RE(${GONE})` : `AE(${GONE})`;
        expect(t.received(l)).toEqual(t.preset === 'spec' ? [] : [deleted]);
        expect(t.received(never)).toEqual([]);
        const data = isFailing ? '' : ', 1 at 0';
        expect(t.csds()).toEqual([
          t.preset === 'spec'
            ? 'LDS l RECEIVED_ERROR, 1 at 0, error 2 at 0: later'
            : `LDS l DOES_NOT_EXIST${data}, error 3 at 0: does not exist`,
          'LDS never RECEIVED_ERROR, error 2 at 0: later',
        ]);
      })();
    }
  });

  it(
    'rejects a reported error without a name or without an error code (N07)',
    scenario({}, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      t.requests();
      const unreadable = 'xdstp://a';
      t.respond('EDS', {
        version: '1',
        nonce: 'A',
        errors: [
          { code: 'NOT_FOUND' },
          { name: '', code: 'NOT_FOUND' },
          { name: 'foo1', code: 'OK' },
          { name: 'foo1' },
          { name: unreadable, code: 'NOT_FOUND' },
        ],
      });
      expect(t.requests()).toEqual([
        `default EDS{foo1; -; A}${nack(
          'resource_errors index 0: resource_name unset',
          'resource_errors index 1: resource_name unset',
          'resource_errors index 2: foo1: error_detail must be non-OK',
          'resource_errors index 3: foo1: error_detail must be non-OK',
          `resource_errors index 4: ${unreadable}: Cannot parse xDS resource name`,
        )}`,
      ]);
      expect(t.received(foo1)).toEqual([]);
      expect(t.csds()).toEqual(['EDS foo1 REQUESTED']);
      expect(t.metrics()).toMatchObject({ invalid: ['default EDS 5'], resources: ['#old EDS requested 1'] });
      t.advance(15_000);
      expect(t.received(foo1)).toEqual([`RE(${GONE})`]);
    }),
  );

  it(
    'writes names of the empty authority as xdstp:/// (C-core: xdstp:/) (N10)',
    scenario({ authorities: { '': ['other'] } }, (t) => {
      const type = 'envoy.config.endpoint.v3.ClusterLoadAssignment';
      const wire = t.preset === 'spec' ? `xdstp:///${type}/x` : `xdstp:/${type}/x`;
      const watchers = [`xdstp:///${type}/x`, `xdstp:/${type}/x`].map((name) => t.watch('EDS', name));
      expect(t.requests()).toEqual([`other EDS{${wire}; -; -} node`]);
      // A server may answer with either.
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints(`xdstp:///${type}/x`, 6)] }, 'other');
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints(`xdstp:/${type}/x`, 7)] }, 'other');
      expect(watchers.map((watcher) => t.received(watcher))).toEqual([
        ['RC(6)', 'RC(7)'],
        ['RC(6)', 'RC(7)'],
      ]);
      expect(t.requests()).toEqual([`other EDS{${wire}; 1; A}`, `other EDS{${wire}; 2; B}`]);
      expect(t.csds()).toEqual([`EDS ${wire} ACKED, 2 at 0`]);
    }),
  );
});
