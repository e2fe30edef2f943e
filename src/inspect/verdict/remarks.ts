import type { XdsConfig } from '../../deps/config.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { clusterOutcome } from '../../routing/predict.js';
import { delayRemark, leafText, missingChild } from './cluster-cause.js';
import { externalDecision } from './depends-on.js';
import { endpointsCause } from './endpoints-cause.js';
import { keptCause, resourceCause } from './resource-cause.js';
import { degradedCause } from './server-cause.js';
import { neededEntries } from './target-cause.js';
import { tearCause } from './tear-cause.js';
import type { Cause, RouteOutcome, TargetCase } from './verdict.js';

/** Returns the cause to show although every route finds a usable endpoint: the first that applies. */
export function remarkOf(one: TargetCase, routes: readonly RouteOutcome[]): Cause | null {
  const { channel } = one;
  const config = channel.state.kind === 'published' ? channel.state.config : undefined;
  const entries = neededEntries(one);
  return (
    serverRemark(one, entries) ??
    firstOf(entries, (entry) => keptCause(one, entry)) ??
    (config && missingLeaf(one, config, routes)) ??
    (config && externalDecision(config, routes)) ??
    (config && delayRemark(config, routes)) ??
    tearCause(channel) ??
    null
  );
}

function serverRemark(one: TargetCase, entries: ScopeSnapshot['entries']): Cause | undefined {
  const needed = new Set(entries.map(({ authority }) => authority));
  const authorities = one.scope.authorities.filter(({ name }) => needed.has(name));
  return firstOf(authorities, (authority) => degradedCause(one, authority));
}

/** Reports an unusable leaf of an aggregate cluster whose RPCs use another leaf. */
function missingLeaf(one: TargetCase, config: XdsConfig, routes: readonly RouteOutcome[]): Cause | undefined {
  const names = new Set(routes.flatMap(({ clusters }) => clusters));
  const aggregates = [...names].filter((name) => config.clusters.get(name)?.kind === 'aggregate');
  if (aggregates.length === 0) return undefined;
  const options = { nodeId: one.nodeId };
  return firstOf(aggregates, (name) => {
    const aggregate = config.clusters.get(name);
    const leaves = aggregate?.kind === 'aggregate' ? aggregate.leaves : [];
    const child = missingChild(one.scope, name);
    const leaf = leaves.find((cluster) => {
      const outcome = clusterOutcome(cluster, config, options);
      return outcome.kind === 'fails' && outcome.blocked.by === 'endpoints';
    });
    const lost = child ?? leaf;
    if (lost === undefined) return undefined;
    const dead =
      child === undefined
        ? endpointsCause(one, config, lost)
        : resourceCause(one, 'CDS', child, '', `aggregate cluster ${name}`);
    const used = clusterOutcome(name, config, options);
    const instead = used.kind === 'connects' ? `; RPCs use ${used.leaf}` : '';
    const message = `a leaf of aggregate cluster ${name} cannot be used: ${leafText(dead, lost)}${instead}`;
    return { ...dead, code: 'missing-leaf', message };
  });
}

function firstOf<T>(list: Iterable<T>, causeOf: (one: T) => Cause | undefined): Cause | undefined {
  for (const one of list) {
    const cause = causeOf(one);
    if (cause !== undefined) return cause;
  }
  return undefined;
}
