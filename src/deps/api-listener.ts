import type { WatcherUpdate } from '../core/watcher.js';
import type { ConnectionManager } from '../resources/http-connection-manager.js';

/** The connection manager of a listener for clients; undefined for one of a server. */
export function apiListener(
  resource: Extract<WatcherUpdate, { resource: unknown }>['resource'],
): ConnectionManager | undefined {
  return resource.type === 'LDS' && resource.value.kind === 'client' ? resource.value.connectionManager : undefined;
}
