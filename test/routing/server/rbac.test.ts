import { expect, it } from 'vitest';
import { evaluateRbac } from '../../../src/routing/server/rbac.js';
import { acceptedJson } from '../../resources/validate.js';

const CALL = {
  path: '/a.B/C',
  metadata: [],
  authority: 'greeter',
  local: { address: undefined, port: 8080 },
};

/** The decision for a call from an unknown caller. */
function decision(rules: object, isSecure = true): string {
  const type = (name: string): string => `type.googleapis.com/envoy.extensions.filters.${name}`;
  const manager = {
    '@type': type('network.http_connection_manager.v3.HttpConnectionManager'),
    http_filters: [
      { name: 'rbac', typed_config: { '@type': type('http.rbac.v3.RBAC'), rules } },
      { name: 'router', typed_config: { '@type': type('http.router.v3.Router') } },
    ],
    route_config: { virtual_hosts: [{ domains: ['*'], routes: [] }] },
  };
  const resource = acceptedJson('LDS', {
    name: 'l',
    address: { socket_address: { address: '0.0.0.0', port_value: 8080 } },
    filter_chains: [{ filters: [{ name: 'h', typed_config: manager }] }],
  });
  const listener = resource.type === 'LDS' && resource.value.kind === 'server' ? resource.value : undefined;
  const config = listener?.filterChains[0]?.connectionManager?.filters[0]?.config;
  if (config?.kind !== 'rbac' || config.rbac === undefined) throw new Error('no rules');
  const decided = evaluateRbac(config.rbac, CALL, isSecure);
  return decided.kind === 'depends' ? `depends on ${decided.on.join('; ')}` : `${decided.kind} by ${decided.policy}`;
}

const any = [{ any: true }];
const range = { address_prefix: '10.0.0.0', prefix_len: 8 };
const named = { authenticated: { principal_name: { exact: 'spiffe://x' } } };
const allow = (policies: object): object => ({ action: 'ALLOW', policies });
const deny = (policies: object): object => ({ action: 'DENY', policies });

it.each([
  [
    'a source address',
    allow({ p: { permissions: any, principals: [{ source_ip: range }] } }),
    "depends on the caller's address: 10.0.0.0/8 (policy p)",
  ],
  [
    'the address of the connection',
    allow({ p: { permissions: any, principals: [{ direct_remote_ip: range }] } }),
    "depends on the caller's address: 10.0.0.0/8 (policy p)",
  ],
  [
    'an inverted address',
    deny({ p: { permissions: any, principals: [{ not_id: { remote_ip: range } }] } }),
    "depends on the caller's address: 10.0.0.0/8 (policy p)",
  ],
  [
    'a certificate name',
    allow({ p: { permissions: any, principals: [named] } }),
    'depends on the caller\'s certificate: principal name exact "spiffe://x" (policy p)',
  ],
  ['any caller with TLS', allow({ p: { permissions: any, principals: [{ authenticated: {} }] } }), 'allowed by p'],
  [
    'the destination address',
    allow({ p: { permissions: [{ destination_ip: range }], principals: any } }),
    'depends on the destination address: 10.0.0.0/8 (policy p)',
  ],
  [
    "the caller's user-agent",
    deny({ p: { permissions: [{ header: { name: 'user-agent', present_match: true } }], principals: any } }),
    "depends on the caller's user-agent (policy p)",
  ],
  [
    'a permission that does not match',
    allow({ p: { permissions: [{ destination_port: 1 }], principals: [{ source_ip: range }] } }),
    'denied by undefined',
  ],
  [
    'another policy that matches every caller',
    allow({ a: { permissions: any, principals: [{ source_ip: range }] }, b: { permissions: any, principals: any } }),
    'allowed by b',
  ],
  [
    'a range that is not an address',
    deny({ p: { permissions: any, principals: [{ source_ip: { address_prefix: 'x', prefix_len: 8 } }] } }),
    'allowed by undefined',
  ],
])('evaluates an RBAC policy with %s', (_what, rules, expected) => {
  expect(decision(rules)).toBe(expected);
});

it('makes RBAC depend on the fallback credentials of the server if the filter chain has no TLS', () => {
  expect(decision(allow({ p: { permissions: any, principals: [named] } }), false)).toContain('fallback credentials');
});
