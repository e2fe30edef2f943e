import { setTimeout as sleep } from 'node:timers/promises';
import { statusCode } from '../../../src/base/status.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import type { Command } from '../../peers/peers.js';
import type { RouteRecording } from '../conformance/routes.js';
import { CoreSession } from '../core-session.js';
import { bootstrapOf, variablesOf } from '../resources/core-validator.js';
import { type Any, resource } from '../resources/usable-resources.js';
import type { ScriptedStream } from '../scripted-server.js';

type Case = RouteRecording['cases'][number];
type RouteCase = Extract<Case, { kind: 'route' }>;
type VirtualHostCase = Extract<Case, { kind: 'virtual-host' }>;

const NOT_FOUND = { code: statusCode('NOT_FOUND'), message: 'none', details: [] };
const NONE_MS = 1000;
const MORE_MS = 150;
const PREFIX = 'type.googleapis.com/envoy.extensions.filters';

/** Records which virtual hosts and routes C-core selects: its CDS requests and failed calls name the clusters. */
export async function recordRoutes(recording: RouteRecording, command: Command): Promise<RouteRecording> {
  const session = await CoreSession.start(command, variablesOf({}), (port) => bootstrapOf({}, port));
  const cases: Case[] = [];
  for (const [index, one] of recording.cases.entries()) {
    const target = `xds:///case-${index}`;
    cases.push(
      await (one.kind === 'route' ? recordRoute(session, one, target) : recordVirtualHost(session, one, target)),
    );
    await session.core.close(target);
  }
  await session.stop();
  return { ...recording, cases };
}

async function recordVirtualHost(session: CoreSession, one: VirtualHostCase, target: string): Promise<VirtualHostCase> {
  const hosts = one.virtualHosts.map((host, index) => ({
    ...host,
    routes: [{ match: { prefix: '' }, route: { cluster: `${index}` } }],
  }));
  const options: [string, unknown][] = [['grpc.default_authority', one.authority]];
  const requested = await requestedClusters(session, target, hosts, options);
  return { ...one, chosen: requested.names[0] === undefined ? null : Number(requested.names[0]) };
}

async function recordRoute(session: CoreSession, one: RouteCase, target: string): Promise<RouteCase> {
  const { stream, names } = await requestedClusters(
    session,
    target,
    [{ name: 'v', domains: ['*'], routes: one.routes }],
    [],
  );
  // No cluster exists, so that failed calls name theirs.
  const resourceErrors = names.map((name) => ({ resourceName: { name }, errorDetail: NOT_FOUND }));
  if (names.length > 0) await session.sendResponse(stream, { type: 'CDS', resources: [], resourceErrors });
  const calls: RouteCase['calls'] = [];
  for (const { method, metadata } of one.calls) {
    const { message = '' } = await session.core.call({ channel: target, method, metadata });
    calls.push({ method, metadata, route: routeIn(message) });
  }
  return { ...one, clustersRequested: names, calls };
}

function routeIn(message: string): RouteCase['calls'][number]['route'] {
  const cluster = /^CDS resource r(\d+): /.exec(message)?.[1];
  if (cluster !== undefined) return Number(cluster);
  if (message.includes('inappropriate action')) return 'not forwarding';
  if (message.startsWith('No matching route found')) return null;
  throw new Error(`a call ended with a message that names no route: ${message}`);
}

async function requestedClusters(
  session: CoreSession,
  target: string,
  virtualHosts: object[],
  options: [string, unknown][],
): Promise<{ stream: ScriptedStream; names: string[] }> {
  const stream = await session.open(target, { options });
  if (stream === undefined) throw new Error(`${target}: the client opens no stream`);
  const listener = await session.firstRequest(stream, 'LDS');
  await session.serveInOrder(stream, { LDS: listenerWith(listener?.resourceNames[0] ?? '', virtualHosts) });
  // C-core may request them one after the other.
  if ((await session.firstRequest(stream, 'CDS', NONE_MS)) !== undefined) await sleep(MORE_MS);
  return { stream, names: [...(stream.subscriptions[RESOURCE_TYPES.CDS] ?? [])].sort() };
}

/** A listener with inline routes. */
export function listenerWith(name: string, virtualHosts: object[]): Any {
  return resource({
    '@type': 'LDS',
    name,
    api_listener: {
      api_listener: {
        '@type': `${PREFIX}.network.http_connection_manager.v3.HttpConnectionManager`,
        route_config: { name: 'inline', virtual_hosts: virtualHosts },
        http_filters: [{ name: 'router', typed_config: { '@type': `${PREFIX}.http.router.v3.Router` } }],
      },
    },
  });
}
