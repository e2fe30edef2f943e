import { isLost } from '../../engine/lost-servers.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { routeNamesOf } from '../../resources/references.js';
import type { Expectation, ResourceKey } from './expectations.js';
import { isAboutVerdict } from './expected-failure.js';
import { type Evaluation, entryOf, type Observation } from './observation.js';
import { missingConfiguration } from './readiness.js';

/** An expectation of a target, and whether it holds. */
export interface ExpectationResult {
  expectation: Expectation;
  evaluation: Evaluation;
}

/** A failure that a report shows, for the resource that it is about. */
interface RootFailure {
  /** `LDS greeter`, or the xDS server that does not send it. */
  text: string;
  isServer: boolean;
}

/** The failures nearest the root, by resource. */
type Roots = ReadonlyMap<string, RootFailure>;

/**
 * What a failed expectation depends on, if that is a failure of the same report: a resource above it on the path of the
 * target, the resource that blocks an RPC, or an xDS server. A cause that no failure shows hides nothing.
 */
export function dependencies(results: readonly ExpectationResult[], observation: Observation): (string | undefined)[] {
  const roots = rootsOf(results, observation);
  return results.map(({ expectation, evaluation }) => {
    if (evaluation.ok || roots.size === 0) return undefined;
    return dependency(expectation, evaluation, roots, observation);
  });
}

/** The cause of a verdict that is not as expected, and resources that are expected to be there and are not. */
function rootsOf(results: readonly ExpectationResult[], observation: Observation): Roots {
  const roots = new Map<string, RootFailure>();
  for (const { expectation, evaluation } of results) {
    if (evaluation.ok || !('resource' in expectation)) continue;
    const { resource } = expectation;
    if (isBroken(resource, observation)) roots.set(keyOf(resource), { text: keyOf(resource), isServer: false });
  }
  const { verdict, cause } = observation.verdict;
  const isReported = results.some(({ expectation, evaluation }) => !evaluation.ok && isAboutVerdict(expectation));
  if (!isReported || verdict === 'ok' || cause === null || cause.resource === null) return roots;
  const { resource, server } = cause;
  const isServer = server !== null && hasLostServers(resource, observation);
  return roots.set(keyOf(resource), { text: isServer ? `xDS server ${server}` : keyOf(resource), isServer });
}

function dependency(
  expectation: Expectation,
  evaluation: Evaluation,
  roots: Roots,
  observation: Observation,
): string | undefined {
  if (expectation.kind === 'rpc') {
    const blocker = evaluation.blockedBy ?? missingPart(observation);
    return blocker && roots.get(keyOf(blocker))?.text;
  }
  if (expectation.kind === 'settled') return [...roots.values()].find(({ isServer }) => isServer)?.text;
  if (!('resource' in expectation)) return undefined;
  const { resource } = expectation;
  const own = roots.get(keyOf(resource));
  if (own?.isServer === true) return own.text;
  if (entryOf(observation, resource) !== undefined) return undefined;
  const above = ancestors(resource, observation).find((one) => roots.has(keyOf(one)));
  return above && roots.get(keyOf(above))?.text;
}

/** Why no RPC has a configuration. */
function missingPart({ channel, verdict }: Observation): ResourceKey | undefined {
  return missingConfiguration(channel) === undefined ? undefined : (verdict.cause?.resource ?? undefined);
}

/** What may lead to a resource that nobody has requested, nearest the root first. */
function ancestors({ type, name }: ResourceKey, { scope, channel }: Observation): ResourceKey[] {
  const listener: ResourceKey = { type: 'LDS', name: channel.listener };
  if (type === 'LDS') return [];
  const found = scope.entry(RESOURCE_TYPES.LDS, channel.listener)?.resource;
  const names = found?.type === 'LDS' ? routeNamesOf(found.value) : [];
  const routes = names.map((route): ResourceKey => ({ type: 'RDS', name: route }));
  if (type !== 'EDS') return type === 'RDS' ? [listener] : [listener, ...routes];
  // A cluster that is not there names no endpoints, so it may be any of them; most have the same name.
  const absent = scope.entries.filter((one) => shortType(one.typeUrl) === 'CDS' && one.resource === undefined);
  const clusters = absent.map((one): ResourceKey => ({ type: 'CDS', name: one.name }));
  return [listener, ...routes, ...clusters.filter((one) => one.name === name), ...clusters];
}

/** Requested, and without a version that could be used. */
function isBroken(resource: ResourceKey, observation: Observation): boolean {
  const entry = entryOf(observation, resource);
  return entry !== undefined && entry.resource === undefined;
}

function hasLostServers({ type, name }: ResourceKey, { scope }: Observation): boolean {
  const entry = scope.entry(RESOURCE_TYPES[type], name);
  return scope.authorities.some((one) => one.name === entry?.authority && isLost(one));
}

function keyOf({ type, name }: ResourceKey): string {
  return `${type} ${name}`;
}
