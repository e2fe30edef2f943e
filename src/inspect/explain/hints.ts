import { statusName } from '../../base/status.js';
import type { CacheEntry } from '../../core/resource-cache.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { shortType } from '../../proto/resource-types.js';
import type { Call } from '../../routing/match.js';
import type { Prediction } from '../../routing/predict.js';
import { lostCause } from '../verdict/server-cause.js';

interface HintContext {
  prediction: Prediction;
  channel: ChannelSnapshot;
  scope: ScopeSnapshot;
  blocked: CacheEntry | undefined;
  nodeId: string | undefined;
  call: Call;
}

/** Suggests what to check next. Empty if that would be a guess. */
export function hintsFor(context: HintContext): string[] {
  const lost = lostAdvice(context);
  if (lost !== undefined && context.prediction.outcome.kind !== 'connects') return [lost];
  if (context.blocked !== undefined) return resourceHints(context.blocked, context);
  const { outcome } = context.prediction;
  if (outcome.kind !== 'fails') return [];
  switch (outcome.blocked.by) {
    case 'routes':
      return routeHints(context);
    case 'fault':
      return [
        outcome.status.message === 'Deadline Exceeded'
          ? 'The fault filter of the listener or the route delays such RPCs beyond their timeout.'
          : 'The fault filter of the listener or the route aborts such RPCs on purpose.',
      ];
    case 'drop':
      return ['The load assignment, or the circuit breaker of the cluster, drops all RPCs on purpose.'];
    case 'policy':
      return [
        'C-core never connects to a ring_hash below wrr_locality: use ring_hash as the LB policy of the cluster.',
      ];
    case 'target':
      return hostHints(context);
    default:
      return [];
  }
}

/** The advice of the verdict for an authority without a usable server. */
export function lostAdvice({ scope, nodeId }: Pick<HintContext, 'scope' | 'nodeId'>): string | undefined {
  const causes = scope.authorities.map((authority) => lostCause(authority, nodeId));
  return causes.find((cause) => cause !== undefined)?.advice;
}

/** Suggests what to check for a resource that blocks RPCs. */
export function resourceHints(entry: CacheEntry, { scope, nodeId }: Pick<HintContext, 'scope' | 'nodeId'>): string[] {
  const type = shortType(entry.typeUrl);
  const what = `${type} "${entry.name}"`;
  const node = nodeId === undefined ? 'this node' : `node "${nodeId}"`;
  switch (entry.error?.cause) {
    case 'timer':
    case 'deletion':
    case 'absence': {
      const others = scope.entries.filter((one) => one.resource !== undefined).length;
      const many = others === 1 ? 'another resource' : `${others} other resources`;
      const up = others === 0 ? '' : `The control plane sent ${many}, so it is up. `;
      return [`${up}Does it serve ${what} to ${node}?`.replace(/^Does it/, 'Does the control plane')];
    }
    case 'server-error':
      return [
        `The control plane reports ${statusName(entry.error.status.code)} for ${what} to ${node}: check its log.`,
      ];
    case 'nack':
      return [`The control plane sends ${what}, but gRPC rejects it: correct the fields that the error names.`];
    case undefined:
      if (entry.resource !== undefined) return [`${what} contains no usable endpoint.`];
      return entry.status === 'REQUESTED' ? [`The control plane has not sent ${what} yet.`] : [];
    default:
      return [];
  }
}

function routeHints({ prediction: { selection }, call }: HintContext): string[] {
  if (selection?.kind === 'no action')
    return ['The first matching route redirects or sends a direct response, which gRPC does not support.'];
  return call.path === '/'
    ? ['No route matches every path: set --method /package.Service/Method.']
    : ['gRPC tries routes in order; the list above shows why each one does not match.'];
}

function hostHints({ channel: { state, authority } }: HintContext): string[] {
  if (state.kind !== 'error' || !state.message.includes('could not find VirtualHost')) return [];
  return [
    `No virtual host has a domain that matches "${authority}": add one, or set --default-authority to one that does.`,
  ];
}
