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

/** What to look at next; nothing where that would be a guess. */
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
          ? 'The fault filter of the listener or the route holds such RPCs up for longer than they may take.'
          : 'The fault filter of the listener or the route fails such RPCs on purpose.',
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

/** What to do about an authority without a usable server, as the verdict says it. */
export function lostAdvice({ scope, nodeId }: Pick<HintContext, 'scope' | 'nodeId'>): string | undefined {
  const causes = scope.authorities.map((authority) => lostCause(authority, nodeId));
  return causes.find((cause) => cause !== undefined)?.advice;
}

/** What to look at when a resource is not as it should be. */
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
      const up = others === 0 ? '' : `The control plane answered for ${many}, so it is up. `;
      return [`${up}Does it serve ${what} to ${node}?`.replace(/^Does it/, 'Does the control plane')];
    }
    case 'server-error':
      return [`The control plane answered ${statusName(entry.error.status.code)} for ${what} to ${node}: ask there.`];
    case 'nack':
      return [`The control plane sends ${what}, but gRPC rejects it: correct what the message names.`];
    case undefined:
      if (entry.resource !== undefined)
        return [`${what} is there, but holds no endpoint that an RPC could be sent to.`];
      return entry.status === 'REQUESTED' ? [`The control plane has not answered for ${what} yet.`] : [];
    default:
      return [];
  }
}

function routeHints({ prediction: { selection }, call }: HintContext): string[] {
  if (selection?.kind === 'no action')
    return ['The first route that matches redirects or answers itself, which gRPC does not do.'];
  return call.path === '/'
    ? ['No route takes every path: name one with --method /package.Service/Method.']
    : ['Routes are tried in order; the list above says what each one wants.'];
}

function hostHints({ channel: { state, authority } }: HintContext): string[] {
  if (state.kind !== 'error' || !state.message.includes('could not find VirtualHost')) return [];
  return [
    `No virtual host has a domain that fits "${authority}": add one, or set --default-authority to one that does.`,
  ];
}
