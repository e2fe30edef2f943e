import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusCode } from '../../src/base/status.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { followDump } from '../../src/csds/follow-dump.js';
import { validateDump } from '../../src/csds/validate-dump.js';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { unknownVerdict, verdictOf } from '../../src/inspect/verdict/verdict.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { cluster, endpoints, route, routes, run, verdictNow } from './verdict-plane.js';

/** The verdict on a target whose only server fails with a message. */
function failing(reason: string, uri?: string, isByFlag = false) {
  const simulation = run({ primary: 'state: refusing' });
  const [snapshot] = simulation.engine.snapshot();
  const [channel] = snapshot?.channels ?? [];
  if (snapshot === undefined || channel === undefined) throw new Error('nothing is followed');
  const failure = { code: statusCode('UNAVAILABLE'), message: `xDS channel for server s: ${reason}` };
  const authorities = snapshot.authorities.map((authority) => ({
    ...authority,
    servers: authority.servers.map((server) => ({
      ...server,
      failure,
      uri: uri ?? server.uri,
      ...(isByFlag && { isByFlag }),
    })),
  }));
  return verdictOf({ ...snapshot, authorities }, channel, { facts: new VerdictFacts(), nodeId: 'n', now: 0 });
}

describe('a server that cannot be used', () => {
  it.each([
    [
      'self-signed certificate',
      'tls',
      'has a TLS certificate from a CA that this client does not trust (self-signed certificate)',
    ],
    ['certificate has expired', 'tls', 'has a TLS certificate that has expired'],
    [
      "Hostname/IP does not match certificate's altnames: Host: x.example. is not in the cert's altnames: DNS:y.example",
      'tls',
      'has a TLS certificate for DNS:y.example, not for x.example',
    ],
    [
      "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: ",
      'tls',
      'has a TLS certificate that is not for 127.0.0.1',
    ],
    ['ssl/tls alert certificate required', 'tls', 'requires a TLS client certificate'],
    ['tlsv1 alert unknown ca', 'tls', 'does not accept the TLS client certificate'],
    [
      'write EPROTO 0:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
      'tls',
      'does not speak TLS on this port',
    ],
    ['SSL alert number 70', 'tls', 'fails the TLS handshake: SSL alert number 70'],
    ['connect ECONNREFUSED 10.0.0.7:18000', 'unreachable', 'refuses connections'],
    ['connect ETIMEDOUT 10.0.0.7:18000', 'unreachable', 'does not respond to connection attempts'],
    ['connect EHOSTUNREACH 10.0.0.7:18000', 'unreachable', 'cannot be reached: no network route to it'],
    ['Name resolution failed for target dns:x', 'unreachable', 'cannot be reached: its host name does not resolve'],
    ['Failed to connect', 'unreachable', 'closes connections immediately'],
    [
      'connection attempt timed out before receiving SETTINGS frame',
      'unreachable',
      'accepts connections but sends nothing',
    ],
    ['Protocol error', 'unsupported-protocol', 'does not speak HTTP/2 on this port'],
    ['something new', 'unreachable', 'cannot be reached: something new'],
  ])('fails with %s', (reason, code, text) => {
    const last = `No connection established. Last error: ${reason} (2026-11-18T04:28:17.649Z)`;
    const found = failing(`channel in TRANSIENT_FAILURE: ${last}`);
    expect(found).toMatchObject({ verdict: 'fails', cause: { code, message: `memory:p ${text}` } });
  });

  it.each([
    ['certificate has expired', 'Renew the certificate of memory:p, or accept it with --insecure.'],
    [
      "Host: x. is not in the cert's altnames: DNS:*.y, DNS:y.example",
      'Name a server of the certificate: --authority y.example.',
    ],
    [
      "Host: x. is not in the cert's altnames: IP Address:10.0.0.1",
      'Name a server of the certificate: --authority 10.0.0.1.',
    ],
    ["Host: x. is not in the cert's altnames: DNS:*.y", 'Name a server of the certificate: --authority NAME.'],
    ["Host: x. is not cert's CN: y", 'Name the server of the certificate: --authority y.'],
    ['self-signed certificate', 'Trust its CA with --cacert FILE, or accept any certificate with --insecure.'],
    ['ssl/tls alert certificate required', 'Set --cert and --key.'],
    ['wrong version number', 'Use the TLS port of the control plane, or --plaintext.'],
    [
      'connect ECONNREFUSED 10.0.0.7:18000',
      'Start the control plane at memory:p, or correct the address of the server.',
    ],
    ['connect ENOENT /tmp/s', 'Start the control plane at memory:p, or correct the address of the server.'],
    ['kubectl port-forward failed (exit code 1): x', 'Check the pod, its port and its log with kubectl.'],
  ])('names flags instead of the bootstrap if a flag names it: %s', (reason, advice) => {
    const found = failing(`channel in TRANSIENT_FAILURE: ${reason}`, undefined, true);
    expect(found).toMatchObject({ cause: { advice } });
  });

  it.each([
    ['ipv4:not-an-address', 'not-an-address is not an IPv4 address with a port'],
    ['unix:', 'the path of the Unix socket is empty'],
    ['localhost:99999', 'the port 99999 is not between 1 and 65535'],
  ])('blames server_uri %s, not the control plane', (uri, why) => {
    const status = `UNKNOWN: Failed to create channel to '${uri}':the target uri is not valid: ${uri}`;
    const found = failing(`xDS call failed with no responses received; status: ${status}`, uri);
    expect(found).toMatchObject({
      verdict: 'fails',
      cause: {
        code: 'unreachable',
        message: `${uri} is not an address that a channel can connect to: ${why}`,
        advice: 'Correct server_uri in the bootstrap.',
      },
    });
  });

  it.each([
    ['PERMISSION_DENIED: not you', 'node-refused', 'refuses node "n": PERMISSION_DENIED "not you"'],
    ['INVALID_ARGUMENT: bad node id', 'node-refused', 'refuses node "n": INVALID_ARGUMENT "bad node id"'],
    [
      'UNKNOWN: invalid content-type: text/html',
      'unsupported-protocol',
      'responds with HTTP, not gRPC: UNKNOWN "invalid content-type: text/html"',
    ],
    [
      'UNIMPLEMENTED: Received HTTP status code 404',
      'unsupported-protocol',
      'responds with HTTP, not gRPC: UNIMPLEMENTED "Received HTTP status code 404"',
    ],
    [
      'UNIMPLEMENTED: unknown service x',
      'unsupported-protocol',
      'is a gRPC server without ADS: UNIMPLEMENTED "unknown service x"',
    ],
    [
      'UNAVAILABLE: Received HTTP status code 503',
      'unreachable',
      'ends the stream without a response: UNAVAILABLE "Received HTTP status code 503"',
    ],
    [
      'UNKNOWN: not implemented',
      'unsupported-protocol',
      'refuses the stream: UNKNOWN "not implemented"; it probably supports only the incremental xDS protocol',
    ],
    [
      'UNIMPLEMENTED: method StreamAggregatedResources not implemented',
      'unsupported-protocol',
      'refuses the stream: UNIMPLEMENTED "method StreamAggregatedResources not implemented"; it probably supports only the incremental xDS protocol',
    ],
    [
      "UNKNOWN: couldn't get the node ID from the first discovery request on stream 1",
      'node-refused',
      `refuses the stream: UNKNOWN "couldn't get the node ID from the first discovery request on stream 1"; it probably requires another node id`,
    ],
    [
      'UNKNOWN: oops',
      'unsupported-protocol',
      'refuses the stream: UNKNOWN "oops"; it probably requires another node id, or supports only the incremental xDS protocol',
    ],
    ['OK', 'unreachable', 'ends the stream without a response: OK'],
    ['OK: OK', 'unreachable', 'ends the stream without a response: OK'],
  ])('ends the stream with %s', (status, code, text) => {
    const reason = `xDS call failed with no responses received; status: ${status}`;
    expect(failing(reason)).toMatchObject({ verdict: 'fails', cause: { code, message: `memory:p ${text}` } });
  });
});

describe('CSDS', () => {
  const typeUrl = RESOURCE_TYPES.LDS;
  const dumped = { typeUrl, name: 'greeter', sync: undefined, version: '1', updatedAt: 1, phase: undefined, path: [] };
  const follow = (status: 'ACKED' | 'DOES_NOT_EXIST' | 'REQUESTED') => {
    const resources = [{ ...dumped, status, contents: undefined, error: undefined }];
    const dump = { clientScope: 'xds:///greeter', node: undefined, resources, bytes: new Uint8Array() };
    const policies = PRESETS.spec.policies;
    return followDump(validateDump(dump, policies), { policies, now: 2, resolutions: new Map() });
  };
  const context = { facts: new VerdictFacts(), nodeId: undefined, now: 2 };

  it('without contents gives no verdict', () => {
    const { channels, unfollowed } = follow('ACKED');
    expect(channels).toEqual([]);
    expect(unfollowed.map(({ target }) => unknownVerdict(target))).toMatchObject([
      { target: 'xds:///greeter', verdict: 'unknown', cause: null },
    ]);
  });

  it('does not show why a listener is absent', () => {
    const scope = follow('DOES_NOT_EXIST');
    expect(scope.channels.map((channel) => verdictOf(scope, channel, context))).toMatchObject([
      { verdict: 'fails', cause: { code: 'no-listener', message: 'listener greeter does not exist', server: null } },
    ]);
  });

  it('does not show which server has not responded', () => {
    const scope = follow('REQUESTED');
    expect(scope.channels.map((channel) => verdictOf(scope, channel, context))).toMatchObject([
      { verdict: 'waiting', cause: null },
    ]);
  });
});

describe('RPCs that match no route', () => {
  it('are reported but do not change the verdict', () => {
    const rest = { c: cluster('blue'), e: endpoints('blue') };
    const some = verdictNow(run({ resources: { l: routes(route('/a', 'blue')), ...rest } }));
    expect([some.verdict, some.hasUnmatchedCalls]).toEqual(['ok', true]);
    const all = verdictNow(run({ resources: { l: routes(route('/a', 'blue'), route('', 'blue')), ...rest } }));
    expect([all.verdict, all.hasUnmatchedCalls]).toEqual(['ok', false]);
  });
});

const NAMES = ['blue', 'red', 'green'];
const HEALTHS = ['HEALTHY', 'UNKNOWN', 'UNHEALTHY', 'DRAINING'];

/** Random routes to clusters; some clusters exist, and some of these have endpoints. */
const planes = fc.record({
  to: fc.array(fc.tuple(fc.constantFrom('/a', '/b', ''), fc.constantFrom(...NAMES)), { minLength: 1, maxLength: 4 }),
  clusters: fc.subarray(NAMES),
  healths: fc.tuple(...NAMES.map(() => fc.array(fc.constantFrom(...HEALTHS), { maxLength: 3 }))),
  hasListener: fc.boolean(),
  at: fc.constantFrom(0, 1, 20),
});

describe('for any control plane', () => {
  it('the verdict is ok if and only if every reachable route has a usable endpoint', () => {
    const property = fc.property(planes, ({ to, clusters, healths, hasListener, at }) => {
      const resources = Object.fromEntries([
        ['l', routes(...to.map(([prefix, name]) => route(prefix, name)))],
        ...clusters.map((name) => [`c_${name}`, cluster(name)]),
        ...NAMES.map((name, i) => [`e_${name}`, endpoints(name, healths[i])]),
      ]);
      const serves = Object.keys(resources).filter((key) => hasListener || key !== 'l');
      const simulation = run({ resources, serves, at });
      const found = verdictNow(simulation);
      const isUsable = (name: string): boolean =>
        clusters.includes(name) &&
        (healths[NAMES.indexOf(name)] ?? []).some((one) => /HEALTHY|UNKNOWN/.test(one) && one !== 'UNHEALTHY');
      const last = to.findIndex(([prefix]) => prefix === '');
      const reached = to
        .slice(0, last < 0 ? undefined : last + 1)
        .filter(([prefix], i) => to.findIndex(([other]) => other === prefix) === i);
      const state = simulation.engine.snapshot()[0]?.channels[0]?.state.kind;
      const good = reached.filter(([, name]) => isUsable(name)).length;
      if (state === 'none') expect(found.verdict).toBe('waiting');
      else if (state === 'error') expect(found.verdict).toBe('fails');
      else expect(found.verdict).toBe(good === reached.length ? 'ok' : good === 0 ? 'fails' : 'partly');
      expect(found.verdict === 'ok' || found.cause !== null).toBe(true);
    });
    fc.assert(property, { numRuns: 150 });
  });
});
