import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { Listener } from '../proto/generated/envoy.config.listener.v3.js';
import { decode } from '../proto/message-type.js';
import { RESOURCE_TYPES } from '../proto/resource-types.js';
import { hasResponse, openGet } from './get.js';
import { followTarget, type Resolver, resolverOf } from './resolve-targets.js';
import type { LiveSource } from './source.js';
import type { WaitEnding, WaitOptions } from './until.js';

/** The listeners of a control plane as targets of a client. */
export interface ListedTargets {
  ending: WaitEnding;
  targets: string[];
  /** Number of listeners for gRPC servers. They are not targets: only the server knows the address to inspect. */
  servers: number;
  /** Number of listeners that no target of this bootstrap resolves to. */
  unreachable: number;
  /** Whether the server responded. */
  hasResponded: boolean;
}

/** Returns a target for each listener that the control plane sends for a wildcard subscription. */
export async function listTargets(
  source: Pick<LiveSource, 'client' | 'ports'>,
  wait: WaitOptions,
): Promise<ListedTargets> {
  const inspection = await openGet({ kind: 'live', ...source, inputs: [] }, new Set(), {
    typeUrl: RESOURCE_TYPES.LDS,
    names: [],
    ignoresAuthorities: true,
    nack: undefined,
    follows: false,
    timeoutMs: wait.limit,
  });
  const ending = await inspection.until(hasResponse(inspection), wait);
  inspection.close();
  const { fetch } = inspection;
  const resolver = resolverOf(source.client);
  const found = fetch.resources.map(({ received: { name, resource } }) => ({
    name,
    isServer: resource !== undefined && isForServers(resource.value),
  }));
  const clients = found.filter(({ isServer }) => !isServer);
  const targets = clients.flatMap(({ name }) => targetFor(name, resolver) ?? []);
  return {
    ending,
    targets,
    servers: found.length - clients.length,
    unreachable: clients.length - targets.length,
    hasResponded: fetch.silent.length === 0,
  };
}

/** A resource that cannot be decoded counts as a listener for clients, so that the report shows its rejection. */
function isForServers(bytes: Uint8Array): boolean {
  const listener = decode(Listener, bytes);
  return listener.ok && listener.value.apiListener === undefined;
}

/** The target that resolves to a listener through the template of the bootstrap; undefined if there is none. */
function targetFor(listener: string, resolver: Resolver): string | undefined {
  const candidates = [listener, templateArgument(listener, resolver.bootstrap)].flatMap((id) =>
    id === undefined ? [] : [`xds:///${id}`],
  );
  return candidates.find((target) => {
    const resolved = followTarget(target, resolver, undefined);
    return resolved.kind === 'follow' && resolved.listener === listener;
  });
}

/** The part of a listener name that replaces `%s` in the template. */
function templateArgument(listener: string, { clientDefaultListenerTemplate }: Bootstrap): string | undefined {
  const [prefix = '', suffix] = clientDefaultListenerTemplate.split('%s');
  if (suffix === undefined || !listener.startsWith(prefix) || !listener.endsWith(suffix)) return undefined;
  return listener.slice(prefix.length, listener.length - suffix.length);
}
