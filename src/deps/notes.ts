import { compareUtf8 } from '../base/utf8-order.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { EndpointResource } from '../resources/endpoint.js';
import type { ClusterConfig, XdsConfig } from './config.js';

/** The resolution note for an EDS resource without localities or with empty localities (R7.16). */
export function emptyEndpointsNote(name: string, { priorities }: EndpointResource): string {
  if (priorities.length === 0) return `EDS resource ${name}: contains no localities`;
  const empty = priorities
    .flat()
    .filter(({ endpoints }) => endpoints.length === 0)
    .map(({ name: { region, zone, subZone } }) => `{region="${region}", zone="${zone}", sub_zone="${subZone}"}`);
  if (empty.length === 0) return '';
  return `EDS resource ${name}: contains empty localities: [${[...new Set(empty)].sort(compareUtf8).join('; ')}]`;
}

/** The text in parentheses that gRPC appends to the error of an RPC without usable endpoints (A88). */
export function resolutionNote(config: XdsConfig, cluster: ClusterConfig, nodeId: string | undefined): string {
  if (cluster.kind === 'error') return cluster.message;
  if (cluster.kind === 'aggregate') return cluster.note;
  const notes = [config.listenerNote, config.routesNote, cluster.note, cluster.endpoints.note].filter((n) => n !== '');
  if (notes.length > 0) return notes.join('; ');
  return statusTexts(config.statusTexts).nodeNote(nodeId);
}
