import { describe, expect, it } from 'vitest';
import { explainView } from '../../src/inspect/explain/explain.js';
import type { ExplainStep, ExplainView } from '../../src/inspect/explain/explanation.js';
import { run } from './verdict-plane.js';

const HCM = 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const FILTERS = 'type.googleapis.com/envoy.extensions.filters.http';
const ROUTER = `{ name: router, typed_config: { "@type": ${FILTERS}.router.v3.Router } }`;
const rbac = (rules: string): string =>
  `{ name: rbac, typed_config: { "@type": ${FILTERS}.rbac.v3.RBAC, rules: ${rules} } }, `;
const DENY_ALL = rbac(
  '{ action: DENY, policies: { p: { permissions: [{ any: true }], principals: [{ any: true }] } } }',
);
const ALLOW_NET = rbac(
  '{ action: ALLOW, policies: { p: { permissions: [{ any: true }], principals: [{ direct_remote_ip: { address_prefix: 10.0.0.0, prefix_len: 8 } }] } } }',
);

const inline = (...routes: string[]): string =>
  `route_config: { virtual_hosts: [{ domains: ["*"], routes: [${routes.join(', ')}] }] }`;
const SERVED = '{ match: { prefix: /a }, non_forwarding_action: {} }';
const FORWARDED = '{ match: { prefix: "" }, route: { cluster: blue } }';
const RDS = 'rds: { route_config_name: rt, config_source: { ads: {} } }';
const chain = (routes: string, { filters = '', match = '' } = {}): string =>
  `{ ${match}filters: [{ name: h, typed_config: { "@type": ${HCM}, http_filters: [${filters}${ROUTER}], ${routes} } }] }`;
const PORT = 'filter_chain_match: { source_ports: [7] }, ';

interface Served {
  chains?: string[];
  fallback?: string;
  resources?: Record<string, string>;
  at?: number;
  authority?: string;
  path?: string;
}

/** What `explain` shows for one RPC that reaches a server on 127.0.0.1:8080. */
function explained({ chains = [], fallback, resources = {}, at, authority, path = '/a.B/C' }: Served): ExplainView {
  const address = 'address: { socket_address: { address: 127.0.0.1, port_value: 8080 } }';
  const other = fallback === undefined ? '' : `, default_filter_chain: ${fallback}`;
  const l = `{ "@type": LDS, name: greeter, ${address}, filter_chains: [${chains.join(', ')}]${other} }`;
  const simulation = run({ resources: { l, ...resources }, target: '#server:127.0.0.1:8080', ...(at && { at }) });
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  const call = { path, metadata: [] };
  return explainView(scope, channel, {
    ...{ call, deadlineMs: undefined, rules: 'today', nodeId: 'n', random: () => 0, serverAuthority: authority },
  });
}

const text = ({ what, detail, isBad }: ExplainStep): string => `${isBad ? '✗ ' : ''}${what}: ${detail}`;

describe('an RPC to a server', () => {
  it('is accepted by a route with non_forwarding_action', () => {
    const { outcome, status, hints, chains } = explained({ chains: [chain(inline(SERVED))] });
    expect({ outcome, status, hints }).toEqual({ outcome: 'ok', status: { code: 'OK', message: '' }, hints: [] });
    expect(chains.map(({ steps, ...rest }) => ({ ...rest, steps: steps.map(text) }))).toEqual([
      {
        ...{ match: 'any connection', outcome: 'ok', status: null, dependsOn: [] },
        steps: ['virtual host *: ', 'route: prefix /a'],
      },
    ]);
  });

  it('shows the match of each filter chain, and the default chain last', () => {
    const chains = [chain(inline(SERVED), { match: PORT })];
    const matches = explained({ chains, fallback: chain(inline(SERVED)) }).chains.map(({ match }) => match);
    expect(matches).toEqual([expect.stringContaining('7'), 'any other connection']);
  });

  it('fails if no route matches, with the status of the chain and no hint about RBAC', () => {
    const view = explained({ chains: [chain(inline(SERVED))], path: '/x' });
    const status = { code: 'UNAVAILABLE', message: 'UNAVAILABLE:no route matched' };
    expect(view).toMatchObject({ outcome: 'fails', status, hints: [], chains: [{ outcome: 'fails', status }] });
    expect(view.chains[0]?.steps.map(text)).toEqual(['virtual host *: ', '✗ no route: none of 1 matches the RPC']);
  });

  it('fails at a route that forwards, with a hint', () => {
    const view = explained({ chains: [chain(inline(FORWARDED))] });
    expect(view.hints).toEqual(['Routes of a server need non_forwarding_action: gRPC servers do not forward RPCs.']);
    expect(view.chains[0]?.steps.map(text)).toEqual(['virtual host *: ', '✗ route: any path']);
  });

  it('fails at a filter that rejects every caller, with a hint', () => {
    const view = explained({ chains: [chain(inline(SERVED), { filters: DENY_ALL })] });
    expect(view).toMatchObject({
      ...{ outcome: 'fails', status: { code: 'PERMISSION_DENIED', message: 'Unauthorized RPC rejected' } },
      hints: ['The RBAC filter rejects this RPC from every caller.'],
    });
    expect(view.chains[0]?.steps.map(text).at(-1)).toBe('✗ filter rbac: rejects the RPC');
  });

  it('has no certain status if the caller decides', () => {
    const view = explained({ chains: [chain(inline(SERVED), { filters: ALLOW_NET })] });
    expect(view).toMatchObject({ outcome: 'unknown', status: null, chains: [{ outcome: 'depends', status: null }] });
    expect(view.hints).toEqual([expect.stringMatching(/^The outcome depends on .+\.$/)]);
  });

  it('has no certain status if filter chains disagree', () => {
    const chains = [chain(inline(SERVED), { match: PORT })];
    expect(explained({ chains, fallback: chain(inline(FORWARDED)) })).toMatchObject({
      outcome: 'unknown',
      status: null,
    });
  });

  it('names the routes of the filter chain and its virtual host', () => {
    const rt = `{ "@type": RDS, name: rt, virtual_hosts: [{ domains: [a.example], routes: [${SERVED}] }] }`;
    const served = { chains: [chain(RDS)], resources: { r: rt } };
    expect(explained({ ...served, authority: 'a.example' }).chains[0]?.steps.map(text)).toEqual([
      'routes rt: ACKED 1 · 1 route in 1 virtual host',
      'virtual host a.example: ',
      'route: prefix /a',
    ]);
    expect(explained({ ...served, authority: 'b' }).chains[0]?.steps.map(text)).toEqual([
      'routes rt: ACKED 1 · 1 route in 1 virtual host',
      '✗ no virtual host: UNAVAILABLE:could not find VirtualHost for b in RouteConfiguration',
    ]);
  });

  it('fails while the routes of a filter chain are missing', () => {
    const view = explained({ chains: [chain(RDS)], at: 20 });
    expect(view).toMatchObject({ outcome: 'fails', status: { code: 'UNAVAILABLE' }, hints: [] });
    expect(view.chains[0]?.steps.map(({ what, isBad }) => [what, isBad])).toEqual([['routes rt', true]]);
  });
});
