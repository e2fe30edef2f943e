import type { ClientMetrics } from '../../core/metrics.js';
import type { SeriesTable } from './series-table.js';

/** Adds the metrics of A78 of one client_scope. */
export function addClientMetrics(table: SeriesTable, scope: string, metrics: ClientMetrics): void {
  const failures = new Map(metrics.serverFailure.map(({ server, value }) => [server, value]));
  for (const { server, value } of metrics.connected) {
    table.add('grpc.xds_client.connected', [scope, server], value ? 1 : 0);
    // A counter that starts at 0 makes the first failure visible to queries of increases.
    if (!failures.has(server)) failures.set(server, 0);
  }
  for (const [server, value] of failures) table.add('grpc.xds_client.server_failure', [scope, server], value);
  for (const { server, resourceType, value } of metrics.resourceUpdatesValid)
    table.add('grpc.xds_client.resource_updates_valid', [scope, server, resourceType], value);
  for (const { server, resourceType, value } of metrics.resourceUpdatesInvalid)
    table.add('grpc.xds_client.resource_updates_invalid', [scope, server, resourceType], value);
  for (const { authority, resourceType, cacheState, value } of metrics.resources)
    table.add('grpc.xds_client.resources', [scope, authority, cacheState, resourceType], value);
}
