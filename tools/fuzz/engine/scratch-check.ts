import type { ConfigState } from '../../../src/deps/config.js';
import type { ChannelSnapshot } from '../../../src/engine/follower.js';
import { VerdictFacts } from '../../../src/inspect/verdict/facts.js';
import { verdictOf } from '../../../src/inspect/verdict/verdict.js';
import { stableText } from '../stable-text.js';
import { require } from '../violation.js';
import type { World } from './world.js';

const FRESH = 'fresh:';

/**
 * Follows every target a second time and compares the results. The new follower receives the cached resources (R4.5) and
 * needs no request, so it computes from scratch what the old one has computed step by step. Compared are states without
 * connection errors: an old follower keeps the note of an error that a new one never receives.
 */
export function checkFromScratch(world: World, resolutions: ReadonlyMap<string, readonly string[] | undefined>): void {
  if (world.snapshot().some(({ authorities }) => authorities.some(({ servers }) => servers.some(isDown)))) return;
  for (const { target, scope, listener, authority } of [...world.followed.values()]) {
    if (authority === undefined) continue;
    const before = channelOf(world, scope, target);
    if (before === undefined) continue;
    const fresh = `${FRESH}${target}`;
    const known = new Set(world.queries.keys());
    world.step({ kind: 'follow', scope, target: fresh, listener, authority });
    for (const [cluster, count] of before.held) {
      for (let i = 0; i < count; i++) world.step({ kind: 'hold', scope, target: fresh, cluster });
    }
    resolve(world, known, resolutions);
    compare(world, scope, target);
    world.step({ kind: 'unfollow', scope, target: fresh });
  }
}

/** Resolves the new queries as the earlier ones for the same host. */
function resolve(
  world: World,
  known: ReadonlySet<number>,
  resolutions: ReadonlyMap<string, readonly string[] | undefined>,
): void {
  for (const [query, host] of [...world.queries]) {
    if (known.has(query) || !resolutions.has(host)) continue;
    const addresses = resolutions.get(host);
    const result = addresses === undefined ? { failure: 'no such host' } : { addresses: [...addresses] };
    world.step({ kind: 'resolved', query, result });
  }
}

function isDown({ failure }: { failure: unknown }): boolean {
  return failure !== undefined;
}

function channelOf(world: World, scope: string, target: string): ChannelSnapshot | undefined {
  const found = world.snapshot().find((one) => one.scope === scope);
  return found?.channels.find((one) => one.target === target);
}

function compare(world: World, scopeName: string, target: string): void {
  const scope = world.snapshot().find((one) => one.scope === scopeName);
  const old = scope?.channels.find((one) => one.target === target);
  const fresh = scope?.channels.find((one) => one.target === `${FRESH}${target}`);
  if (scope === undefined || old === undefined || fresh === undefined) return;
  // An incomplete configuration keeps the previous one in use, which a new follower does not have.
  if (old.isWithheld || fresh.isWithheld || fresh.state.kind === 'none' || old.state.kind === 'none') return;
  const [was, is] = [stableText(comparable(old.state)), stableText(comparable(fresh.state))];
  require(was === is, 'from-scratch', () => `${target}: step by step ${was}, from scratch ${is}`);
  const context = { facts: new VerdictFacts(), nodeId: undefined, now: world.now };
  const words = [old, fresh].map((channel) => verdictOf(scope, channel, context).verdict);
  require(words[0] === words[1], 'from-scratch', () => `${target}: the verdicts are ${words.join(' and ')}`);
}

/** The state without notes and messages, which depend on the order of errors. */
function comparable(state: ConfigState): unknown {
  if (state.kind !== 'published') return { kind: state.kind };
  const { listener, routeConfigName, routeConfig, virtualHost, clusters } = state.config;
  const entries = [...clusters].map(([name, config]) => {
    if (config.kind === 'error') return [name, config.kind];
    if (config.kind === 'aggregate') return [name, config.kind, config.cluster, config.leaves];
    return [name, config.kind, config.cluster, config.endpoints.endpoints];
  });
  return { listener, routeConfigName, routeConfig, virtualHost, clusters: entries.sort() };
}
