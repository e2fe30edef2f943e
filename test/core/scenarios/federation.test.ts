import { describe, expect, it } from 'vitest';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../../src/bootstrap/switches.js';
import { resolveTarget } from '../../../src/bootstrap/target.js';
import { NODE, scenario } from './harness.js';
import { cluster, endpoints, listener, routes } from './resources.js';

const AUTHORITY = 'xds.example.com';
const EDS_TYPE = 'envoy.config.endpoint.v3.ClusterLoadAssignment';
const LDS_TYPE = 'envoy.config.listener.v3.Listener';
const FOO2 = `xdstp://${AUTHORITY}/${EDS_TYPE}/foo2`;
const C2 = `xdstp://${AUTHORITY}/envoy.config.cluster.v3.Cluster/c`;
const FEDERATED = { authorities: { [AUTHORITY]: ['other'] } };

/** The listener name of a target, or the error of its RPCs. */
function resolve(target: string, more: object): string {
  const switches = readSwitches({}, 'spec');
  const text = JSON.stringify({
    xds_servers: [{ server_uri: 'default', channel_creds: [{ type: 'insecure' }] }],
    node: { id: 'me' },
    ...more,
  });
  const read = readBootstrap(new TextEncoder().encode(text), switches);
  if (!read.ok) throw new Error(read.message);
  const resolved = resolveTarget(target, read.bootstrap, { preset: 'spec', switches, defaultAuthority: undefined });
  return resolved.ok ? resolved.resolution.listener : `${resolved.status}: ${resolved.message}`;
}

describe('federation', () => {
  it(
    'has separate streams and versions for the servers of each authority (S55)',
    scenario(FEDERATED, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', FOO2);
      expect(t.connectionCalls()).toEqual(['connect default', 'open default', 'connect other', 'open other']);
      expect(t.requests()).toEqual(['default EDS{foo1; -; -} node', `other EDS{${FOO2}; -; -} node`]);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      expect(t.requests()).toEqual(['default EDS{foo1; 1; A}']);
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(6)'], []]);
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints(FOO2, 3)] }, 'other');
      expect(t.requests()).toEqual([`other EDS{${FOO2}; 2; B}`]);
      expect([t.received(foo1), t.received(foo2)]).toEqual([[], ['RC(3)']]);
      expect(t.csds()).toEqual(['EDS foo1 ACKED, 1 at 0', `EDS ${FOO2} ACKED, 2 at 0`]);
      expect(t.metrics()).toEqual({
        connected: ['default 1', 'other 1'],
        failures: [],
        valid: ['default EDS 1', 'other EDS 1'],
        invalid: [],
        resources: ['#old EDS acked 1', `${AUTHORITY} EDS acked 1`],
      });
      // A response deletes omitted clusters only in the authorities of its server.
      const own = t.watch('CDS', 'c');
      const others = t.watch('CDS', C2);
      t.respond('CDS', { version: '1', nonce: 'C', resources: [cluster('c', 6)] });
      t.respond('CDS', { version: '1', nonce: 'D', resources: [cluster(C2, 7, 'e')] }, 'other');
      t.respond('CDS', { version: '2', nonce: 'E', resources: [] });
      expect(t.received(own)).toEqual(['RC(6)', `AE(NOT_FOUND: does not exist${NODE})`]);
      expect(t.received(others)).toEqual(['RC(7)']);
      t.cancel(own);
      t.cancel(others);
      t.cancel(foo1);
      expect(t.connectionCalls()).toEqual(['cancel default', 'disconnect default']);
      t.cancel(foo2);
      expect(t.connectionCalls()).toEqual(['cancel other', 'disconnect other']);
    }),
  );

  it(
    'reports unknown authorities and names that cannot be parsed as errors, and never requests them (S57)',
    scenario(FEDERATED, (t) => {
      const unknown = t.watch('EDS', `xdstp://nobody.example.com/${EDS_TYPE}/foo2`);
      const unreadable = t.watch('EDS', 'xdstp://x');
      expect(t.received(unknown)).toEqual([
        `RE(FAILED_PRECONDITION: authority "nobody.example.com" not present in bootstrap config${NODE})`,
      ]);
      expect(t.received(unreadable)).toEqual([`RE(INVALID_ARGUMENT: Unable to parse resource name xdstp://x${NODE})`]);
      expect([t.connectionCalls(), t.requests(), t.csds()]).toEqual([[], [], []]);
      t.advance(60_000);
      expect([t.received(unknown), t.received(unreadable), t.connectionCalls()]).toEqual([[], [], []]);
    }),
  );

  it(
    'treats xdstp names as plain names when it is off (S58)',
    scenario({ ...FEDERATED, federation: false }, (t) => {
      const foo2 = t.watch('EDS', FOO2);
      expect(t.connectionCalls()).toEqual(['connect default', 'open default']);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints(FOO2, 6)] });
      expect(t.requests()).toEqual([`default EDS{${FOO2}; -; -} node`, `default EDS{${FOO2}; 1; A}`]);
      expect(t.received(foo2)).toEqual(['RC(6)']);
      expect(t.metrics().resources).toEqual(['#old EDS acked 1']);
    }),
  );

  it(
    'reports the failure of a server only to its own authority (S59)',
    scenario(FEDERATED, (t) => {
      const foo1 = t.watch('EDS', 'foo1');
      const foo2 = t.watch('EDS', FOO2);
      t.respond('EDS', { version: '1', nonce: 'A', resources: [endpoints('foo1', 6)] });
      t.respond('EDS', { version: '2', nonce: 'B', resources: [endpoints(FOO2, 3)] }, 'other');
      expect([t.received(foo1), t.received(foo2)]).toEqual([['RC(6)'], ['RC(3)']]);
      t.connectivity('transient-failure', 'connection failed', 'other');
      expect(t.received(foo1)).toEqual([]);
      expect(t.received(foo2)).toEqual([
        `AE(UNAVAILABLE: xDS channel for server other: channel in TRANSIENT_FAILURE: connection failed${NODE})`,
      ]);
      expect(t.metrics()).toMatchObject({ connected: ['default 1', 'other 0'], failures: ['other 1'] });
    }),
  );

  it('builds the listener name from the template of the authority of the target (S61)', () => {
    const template = `xdstp://${AUTHORITY}/${LDS_TYPE}/client/%s?psm_project_id=1234`;
    const authorities = { [AUTHORITY]: { client_listener_resource_name_template: template } };
    expect(resolve(`xds://${AUTHORITY}/whee%25/server.example.com`, { authorities })).toBe(
      `xdstp://${AUTHORITY}/${LDS_TYPE}/client/whee%25/server.example.com?psm_project_id=1234`,
    );
  });

  it('uses the top-level template for a target without an authority (S62)', () => {
    const authorities = {
      [AUTHORITY]: { client_listener_resource_name_template: `xdstp://${AUTHORITY}/${LDS_TYPE}/wrong/%s` },
    };
    const top = `xdstp://${AUTHORITY}/${LDS_TYPE}/client/%s?psm_project_id=1234`;
    const bootstrap = { authorities, client_default_listener_resource_name_template: top };
    expect(resolve('xds:whee%25/server.example.com', bootstrap)).toBe(
      `xdstp://${AUTHORITY}/${LDS_TYPE}/client/whee%25/server.example.com?psm_project_id=1234`,
    );
  });

  it('fails RPCs at the first name with an authority that is not in the bootstrap (S63)', () => {
    expect(resolve('xds://nobody/s', {})).toBe('UNAVAILABLE: Invalid target URI -- authority not found for nobody');
    const unknown = `authority "nobody" not present in bootstrap config${NODE}`;
    const name = (type: string): string => `xdstp://nobody/${type}/x`;
    const rds = name('envoy.config.route.v3.RouteConfiguration');
    const cds = name('envoy.config.cluster.v3.Cluster');
    const eds = name(EDS_TYPE);
    scenario({}, (t) => {
      t.follow('s');
      t.respond('LDS', { version: '1', nonce: 'l1', resources: [listener('s', rds)] });
      expect(t.rpc('s')).toBe(`UNAVAILABLE: empty address list (RDS resource ${rds}: ${unknown})`);
      t.respond('LDS', { version: '2', nonce: 'l2', resources: [listener('s', 'r')] });
      t.respond('RDS', { version: '1', nonce: 'r1', resources: [routes('r', cds)] });
      expect(t.rpc('s', cds)).toBe(`UNAVAILABLE: CDS resource ${cds}: ${unknown}`);
      t.respond('RDS', { version: '2', nonce: 'r2', resources: [routes('r', 'c')] });
      t.respond('CDS', { version: '1', nonce: 'c1', resources: [cluster('c', 1, eds)] });
      expect(t.rpc('s', 'c')).toBe(
        `UNAVAILABLE: no children in weighted_target policy (EDS resource ${eds}: ${unknown})`,
      );
      expect(t.requests().filter((line) => line.includes('nobody'))).toEqual([]);
    })();
  });
});
