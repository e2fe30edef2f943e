import { behaviourOf } from '../bootstrap/behaviour.js';
import type { Bootstrap } from '../bootstrap/bootstrap.js';
import { resolveTarget } from '../bootstrap/target.js';
import type { ResolveDocument } from './documents.js';

type Settings = Parameters<typeof resolveTarget>[2];

/** The servers of a target. Of the credentials it contains only the types. */
export function resolveDocument(
  target: string,
  source: string,
  bootstrap: Bootstrap,
  settings: Settings,
): ResolveDocument {
  const { preset: as, switches } = settings;
  const base = { schema: 'xds-inspect/resolve/v1' as const, as, source, target };
  const result = resolveTarget(target, bootstrap, settings);
  if (!result.ok) return { ...base, error: { code: result.status, message: result.message } };
  const { xdsAuthority: authority, servers, ...resolution } = result.resolution;
  const described = servers.map((server, priority) => ({
    uri: server.uri,
    priority,
    creds: server.creds.type,
    callCreds: server.callCreds.map((creds) => creds.type),
    features: [...server.features],
    behaviour: behaviourOf(server, switches, as),
  }));
  return { ...base, error: null, ...resolution, authority, servers: described };
}
