import type { Dice } from '../../../../tools/oracle/mutation/dice.js';
import { randomHeaderMatcher, randomPath } from './random-matchers.js';

const FILTERS = 'type.googleapis.com/envoy.extensions.filters';
const ROUTER = { name: 'router', typed_config: { '@type': `${FILTERS}.http.router.v3.Router` } };

/** The listener of an xDS-enabled server on a port of loopback: routes and RBAC (A36, A41). */
export function randomServer(port: number, dice: Dice): object[] {
  const rbac = Array.from({ length: dice.pick([0, 1, 1, 1, 2]) }, (_, i) => ({
    name: `rbac${i}`,
    typed_config: { '@type': `${FILTERS}.http.rbac.v3.RBAC`, ...rulesOf(port, dice) },
  }));
  const routes = Array.from({ length: 1 + dice.below(3) }, () => ({
    match: dice.chance(0.5)
      ? { prefix: '' }
      : { ...randomPath(dice), headers: dice.chance(0.3) ? [randomHeaderMatcher(dice)] : [] },
    ...(dice.chance(0.9) ? { non_forwarding_action: {} } : { route: { cluster: 'none' } }),
    ...(rbac.length > 0 && dice.chance(0.2) ? { typed_per_filter_config: { rbac0: override(port, dice) } } : {}),
  }));
  const domains = dice.pick([['*'], ['*'], ['*'], [`127.0.0.1:${port}`], ['other']]);
  const isInline = dice.chance(0.8);
  const config = { name: `server-${port}`, virtual_hosts: [{ name: 'v', domains, routes }] };
  const chain = {
    name: 'all',
    filter_chain_match: dice.pick(MATCHES),
    filters: [
      {
        name: 'http',
        typed_config: {
          '@type': `${FILTERS}.network.http_connection_manager.v3.HttpConnectionManager`,
          ...(isInline ? { route_config: config } : { rds: rds(`server-${port}`) }),
          http_filters: [...rbac, ROUTER],
        },
      },
    ],
  };
  return [
    {
      '@type': 'LDS',
      name: `grpc/server?xds.resource.listening_address=127.0.0.1:${port}`,
      address: { socket_address: { address: '127.0.0.1', port_value: port } },
      filter_chains: [chain],
      ...(dice.chance(0.2) ? { default_filter_chain: { ...chain, filter_chain_match: undefined } } : {}),
    },
    ...(isInline || dice.chance(0.1) ? [] : [{ '@type': 'RDS', ...config }]),
  ];
}

function rds(name: string): object {
  return { route_config_name: name, config_source: { ads: {}, resource_api_version: 'V3' } };
}

/** All of them match a call over loopback. */
const MATCHES: readonly object[] = [
  {},
  {},
  {},
  { prefix_ranges: [{ address_prefix: '127.0.0.0', prefix_len: 8 }] },
  { source_type: 'SAME_IP_OR_LOOPBACK' },
];

function override(port: number, dice: Dice): object {
  const rbac = dice.chance(0.3) ? {} : { rbac: rulesOf(port, dice) };
  return { '@type': `${FILTERS}.http.rbac.v3.RBACPerRoute`, ...rbac };
}

function rulesOf(port: number, dice: Dice): object {
  if (dice.chance(0.05)) return {};
  const names = ['b', 'a'].slice(0, 1 + dice.below(2));
  const policies = Object.fromEntries(
    names.map((name) => [
      name,
      {
        permissions: [randomPermission(port, 0, dice)],
        principals: [dice.chance(0.4) ? { any: true } : randomPrincipal(0, dice)],
      },
    ]),
  );
  return { rules: { action: dice.pick(['ALLOW', 'ALLOW', 'DENY', 'LOG']), policies } };
}

function randomPermission(port: number, depth: number, dice: Dice): object {
  const below = (): object => randomPermission(port, depth + 1, dice);
  const nested = depth < 2 ? 1 : 0;
  return dice.weighted<() => object>([
    [3, () => ({ any: true })],
    [3, () => ({ header: randomHeaderMatcher(dice) })],
    [2, () => ({ url_path: { path: { prefix: dice.pick(['/shop.', '/shop.Cart', '/x']) } } })],
    [1, () => ({ destination_port: dice.pick([port, port + 1]) })],
    [1, () => ({ destination_ip: { address_prefix: dice.pick(['127.0.0.0', '10.0.0.0']), prefix_len: 8 } })],
    [0.5, () => ({ requested_server_name: dice.pick([{ exact: '' }, { exact: 'x' }]) })],
    [nested, () => ({ not_rule: below() })],
    [nested, () => ({ and_rules: { rules: [below(), below()] } })],
    [nested, () => ({ or_rules: { rules: [below(), below()] } })],
  ])();
}

function randomPrincipal(depth: number, dice: Dice): object {
  const below = (): object => randomPrincipal(depth + 1, dice);
  const nested = depth < 2 ? 1 : 0;
  return dice.weighted<() => object>([
    [2, () => ({ any: true })],
    [4, () => ({ header: randomHeaderMatcher(dice) })],
    [1, () => ({ url_path: { path: { exact: '/shop.Cart/Get' } } })],
    [nested, () => ({ not_id: below() })],
    [nested, () => ({ and_ids: { ids: [below(), below()] } })],
    [nested, () => ({ or_ids: { ids: [below(), below()] } })],
  ])();
}
