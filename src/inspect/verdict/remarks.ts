import type { XdsConfig } from '../../deps/config.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { clusterOutcome } from '../../routing/predict.js';
import { neededEntries } from './blocked.js';
import { keptCause, resourceCause } from './cause.js';
import { deadChild, endpointsCause } from './cluster.js';
import { degradedCause } from './server.js';
import type { Case, Cause, RouteOutcome } from './verdict.js';

/** What a user has to know although every route finds a usable endpoint; the first that applies. */
export function remarkOf(one: Case, routes: readonly RouteOutcome[]): Cause | null {
  const { channel } = one;
  const config = channel.state.kind === 'published' ? channel.state.config : undefined;
  const entries = neededEntries(one);
  return (
    serverRemark(one, entries) ??
    firstOf(entries, keptCause) ??
    (config && missingLeaf(one, config, routes)) ??
    (config && externalDecision(config, routes)) ??
    tearRemark(channel) ??
    null
  );
}

function serverRemark(one: Case, entries: ScopeSnapshot['entries']): Cause | undefined {
  const needed = new Set(entries.map(({ authority }) => authority));
  const authorities = one.scope.authorities.filter(({ name }) => needed.has(name));
  return firstOf(authorities, (authority) => degradedCause(one, authority));
}

/** An aggregate cluster with a dead leaf finds a usable endpoint in another. */
function missingLeaf(one: Case, config: XdsConfig, routes: readonly RouteOutcome[]): Cause | undefined {
  const names = new Set(routes.flatMap(({ clusters }) => clusters));
  const aggregates = [...names].filter((name) => config.clusters.get(name)?.kind === 'aggregate');
  if (aggregates.length === 0) return undefined;
  return firstOf(aggregates, (name) => {
    const aggregate = config.clusters.get(name);
    const leaves = aggregate?.kind === 'aggregate' ? aggregate.leaves : [];
    const child = deadChild(one.scope, name);
    const leaf = leaves.find((cluster) => clusterOutcome(cluster, config, { nodeId: one.nodeId }).kind === 'fails');
    if (child === undefined && leaf === undefined) return undefined;
    const dead =
      child === undefined
        ? endpointsCause(one, config, leaf ?? name)
        : resourceCause(one, 'CDS', child, `cluster ${child}`);
    return { ...dead, code: 'missing-leaf', message: `aggregate cluster ${name}: ${dead.message}` };
  });
}

/** A cluster specifier plugin (RLS) chooses the cluster of each RPC, or a filter sends each RPC to another service first. */
function externalDecision(config: XdsConfig, routes: readonly RouteOutcome[]): Cause | undefined {
  const cause = { code: 'depends-on', resource: null, server: null } as const;
  const counted = new Set(routes.flatMap(({ outcome, index }) => (outcome === 'never-matches' ? [] : [index])));
  for (const { action, aside } of config.virtualHost.routes) {
    if (action.kind !== 'route' || action.destination.kind !== 'plugin' || !counted.has(aside.index)) continue;
    return { ...cause, message: `the plugin ${action.destination.name} chooses the cluster of each RPC` };
  }
  const filter = config.listener.filters.find((one) => one.config?.kind === 'ext_proc' && !one.disabled);
  return filter && { ...cause, message: `the ext_proc filter ${filter.name} sends each RPC to an external service` };
}

function tearRemark({ tears }: ChannelSnapshot): Cause | undefined {
  const shown = tears.find(({ end }) => end === undefined) ?? tears.at(-1);
  if (shown === undefined) return undefined;
  const open = tears.filter(({ end }) => end === undefined).length;
  const count = tears.length === 1 ? '1 config tear' : `${tears.length} config tears`;
  const state = open === 0 ? (tears.length === 1 ? 'resolved' : 'all resolved') : `${open} still open`;
  const [resource] = shown.resources;
  const names = shown.resources.map(({ type, name }) => `${type} ${name}`).join(', ');
  return {
    code: 'config-tear',
    message: `${count}, ${state}: ${shown.kind} ${names}`,
    resource: resource === undefined ? null : { type: resource.type, name: resource.name },
    server: resource?.server ?? null,
  };
}

function firstOf<T>(list: Iterable<T>, causeOf: (one: T) => Cause | undefined): Cause | undefined {
  for (const one of list) {
    const cause = causeOf(one);
    if (cause !== undefined) return cause;
  }
  return undefined;
}
