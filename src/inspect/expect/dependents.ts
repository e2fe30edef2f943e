import { isLost } from '../../engine/lost-servers.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { routeNamesOf } from '../../resources/references.js';
import type { Expectation, ResourceKey } from './expectations.js';
import { isAboutVerdict } from './expected-failure.js';
import { type Evaluation, entryOf, type Observation } from './observation.js';
import { missingConfiguration } from './readiness.js';

/** An expectation of a target, with its evaluation. */
export interface ExpectationResult {
  expectation: Expectation;
  evaluation: Evaluation;
}

/** A failure in the report that other failures may depend on. */
interface RootFailure {
  /** `LDS greeter`, or the xDS server that does not send it. */
  text: string;
  isServer: boolean;
}

/** Root failures by resource. */
type Roots = ReadonlyMap<string, RootFailure>;

/**
 * Returns for each failed expectation the failure of the same report that it depends on: a resource above it on the path
 * of the target, the resource that blocks an RPC, or an xDS server. A cause that no failure shows does not count.
 */
export function dependencies(results: readonly ExpectationResult[], observation: Observation): (string | undefined)[] {
  const roots = rootsOf(results, observation);
  return results.map(({ expectation, evaluation }) => {
    if (evaluation.ok || roots.size === 0) return undefined;
    return dependency(expectation, evaluation, roots, observation);
  });
}

/** The root failures: the cause of an unexpected verdict, and expected resources that are missing. */
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

/** The resource that blocks the configuration; undefined if there is a configuration. */
function missingPart({ channel, verdict }: Observation): ResourceKey | undefined {
  return missingConfiguration(channel) === undefined ? undefined : (verdict.cause?.resource ?? undefined);
}

/** The resources that may refer to a resource that was not requested, starting at the root. */
function ancestors({ type, name }: ResourceKey, { scope, channel }: Observation): ResourceKey[] {
  const listener: ResourceKey = { type: 'LDS', name: channel.listener };
  if (type === 'LDS') return [];
  const found = scope.entry(RESOURCE_TYPES.LDS, channel.listener)?.resource;
  const names = found?.type === 'LDS' ? routeNamesOf(found.value) : [];
  const routes = names.map((route): ResourceKey => ({ type: 'RDS', name: route }));
  if (type !== 'EDS') return type === 'RDS' ? [listener] : [listener, ...routes];
  // Any missing cluster may name these endpoints. Most clusters and endpoint resources have the same name.
  const absent = scope.entries.filter((one) => shortType(one.typeUrl) === 'CDS' && one.resource === undefined);
  const clusters = absent.map((one): ResourceKey => ({ type: 'CDS', name: one.name }));
  return [listener, ...routes, ...clusters.filter((one) => one.name === name), ...clusters];
}

/** Whether a resource was requested and has no usable version. */
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
