import { Problems } from '../../../src/base/problem.js';
import { findVirtualHost } from '../../../src/deps/virtual-host.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { readResourceSwitches } from '../../../src/resources/context.js';
import { clusterNamesOf } from '../../../src/resources/references.js';
import { RESOURCE_VALIDATORS } from '../../../src/resources/registry.js';
import type { RouteConfigResource } from '../../../src/resources/route-configuration.js';
import { findRoute } from '../../../src/routing/match.js';
import type { Comparison } from './comparison.js';

/** Recorded choices of virtual hosts and of routes. */
export interface RouteRecording {
  cases: (VirtualHostCase | RouteCase)[];
}

interface VirtualHostCase {
  kind: 'virtual-host';
  authority: string;
  virtualHosts: { name: string; domains: string[] }[];
  chosen: number | null;
}

interface RouteCase {
  kind: 'route';
  routes: object[];
  clustersRequested: string[];
  calls: { method: string; metadata: [string, string][]; route: number | null | 'not forwarding' }[];
}

export function compareRoutes(recording: RouteRecording, comparison: Comparison): void {
  for (const [index, one] of recording.cases.entries()) {
    const id = `case ${index} (${one.kind})`;
    if (one.kind === 'virtual-host') {
      const { virtualHosts } = routesOf({ virtualHosts: one.virtualHosts });
      const host = findVirtualHost({ virtualHosts, plugins: new Map() }, one.authority);
      comparison.compare(id, 'chosen', one.chosen, host === undefined ? null : virtualHosts.indexOf(host));
    } else compareCalls(id, one, comparison);
  }
}

function compareCalls(id: string, one: RouteCase, comparison: Comparison): void {
  const { virtualHosts } = routesOf({ virtualHosts: [{ name: 'v', domains: ['*'], routes: one.routes }] });
  const [host] = virtualHosts;
  if (host === undefined) throw new Error(`${id} has no virtual host`);
  comparison.compare(id, 'clustersRequested', [...one.clustersRequested].sort(), clusterNamesOf(host).sort());
  for (const [call, { method, metadata, route }] of one.calls.entries()) {
    const matched = findRoute(host, { path: method, metadata }, () => 0);
    const isForwarding = matched?.action.kind === 'route';
    const here = matched === undefined ? null : isForwarding ? matched.displayOnly.index : 'not forwarding';
    comparison.compare(id, 'calls', route, here, `${call} to ${method}`);
  }
}

function routesOf(json: object): RouteConfigResource {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES.RDS, name: 'r', ...json }, problems);
  if (any === undefined) throw new Error(`recorded routes cannot be read: ${JSON.stringify(problems.list)}`);
  const validate = RESOURCE_VALIDATORS.get('envoy.config.route.v3.RouteConfiguration');
  const validation = validate?.(any.value, {
    switches: readResourceSwitches({}, false),
    certificateProviders: undefined,
    trustedServer: false,
    allowedGrpcServices: new Set(),
    interfaces: new Map(),
  });
  if (validation?.kind === 'validated' && validation.result.ok && validation.result.resource.type === 'RDS') {
    return validation.result.resource.value;
  }
  throw new Error('recorded routes were rejected');
}
