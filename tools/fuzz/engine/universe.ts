import type { Input } from '../../../src/core/input.js';
import type { ShortType } from '../../../src/proto/resource-types.js';

/** Text that a terminal must not receive unescaped. */
export const HOSTILE = 'x\u001b[31m\u202e\u0007::error::';

const LISTENER = 'envoy.config.listener.v3.Listener';
const ROUTES = 'envoy.config.route.v3.RouteConfiguration';
const CLUSTER = 'envoy.config.cluster.v3.Cluster';
const ENDPOINTS = 'envoy.config.endpoint.v3.ClusterLoadAssignment';

/** The names of resources by type: few, so that they refer to each other often. `nobody` is in no bootstrap. */
export const NAMES: Record<ShortType, readonly string[]> = {
  LDS: ['a', 'b', `xdstp://auth/${LISTENER}/x`, 'server', HOSTILE, `xdstp://nobody/${LISTENER}/x`],
  RDS: ['r1', 'r2', `xdstp://auth/${ROUTES}/r`, HOSTILE],
  CDS: ['c1', 'c2', 'c3', 'c4', `xdstp://auth/${CLUSTER}/c?b=1&a=2`, HOSTILE, `xdstp://nobody/${CLUSTER}/c`],
  EDS: ['c1', 'c2', 'c3', 'e1', `xdstp://auth/${ENDPOINTS}/e`, HOSTILE],
};

export const SHORT_TYPES: readonly ShortType[] = ['LDS', 'RDS', 'CDS', 'EDS'];

type Follow = Extract<Input, { kind: 'follow' }>;

const follow = (scope: string, target: string, listener: string, authority: string | undefined): Follow => ({
  kind: 'follow',
  scope,
  target,
  listener,
  authority,
});

/** Two client_scopes with one target each, one of them with a second target; an authority; a server (A36). */
export const TARGETS: readonly Follow[] = [
  follow('xds:///a', 'xds:///a', 'a', 'a'),
  follow('xds:///a', 'xds:///a', 'a', 'a'),
  follow('xds:///b', 'xds:///b', 'b', 'b'),
  follow('xds:///a', 'xds:a', 'a', 'other'),
  follow('xds://auth/x', 'xds://auth/x', `xdstp://auth/${LISTENER}/x`, 'x'),
  follow('#server', '#server:127.0.0.1:80', 'server', undefined),
  follow('xds:///h', `xds:///${HOSTILE}`, HOSTILE, HOSTILE),
];

export const SCOPES: readonly string[] = [...new Set(TARGETS.map(({ scope }) => scope))];
