import { ClientResourceStatus } from '../../../src/proto/generated/envoy.admin.v3.js';
import type { Node } from '../../../src/proto/generated/envoy.config.core.v3.js';
import {
  type ClientConfigGenericXdsConfig,
  ClientStatusResponse,
} from '../../../src/proto/generated/envoy.service.status.v3.js';
import type { Timestamp } from '../../../src/proto/generated/google.protobuf.js';
import { decode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES, shortType } from '../../../src/proto/resource-types.js';
import { structToJson } from '../../../src/resources/common/struct-json.js';

/** Placeholders for the parts of a dump that differ in each run. */
export interface DumpPlaceholders {
  /** The last step that sent a response of this type and version by this time. */
  stepOf(typeUrl: string, version: string, at: number): number | undefined;
  resourceOf(typeUrl: string, bytes: Uint8Array): string;
}

const ORDER: readonly string[] = Object.values(RESOURCE_TYPES);

/** grpc-js-xds shows names of types instead of type URLs. */
function fullTypeUrl(shown: string): string {
  return shown.includes('/') ? shown : `type.googleapis.com/${shown}`;
}

const STATUS_NAMES = new Map<number, string>(
  Object.entries(ClientResourceStatus).map(([name, number]) => [number, name]),
);

/** A ClientStatusResponse in the format of the recordings, sorted by scope, type and name. */
export function recordedDump(bytes: Uint8Array, placeholders: DumpPlaceholders): unknown[] {
  const decoded = decode(ClientStatusResponse, bytes);
  if (!decoded.ok) throw new Error(`a CSDS response cannot be read: ${decoded.reason}`);
  return [...decoded.value.config]
    .sort((a, b) => (a.clientScope < b.clientScope ? -1 : 1))
    .map(({ clientScope, node, genericXdsConfigs }) => ({
      client_scope: clientScope,
      node: node && recordedNode(node),
      generic_xds_configs: [...genericXdsConfigs]
        .sort(byTypeAndName)
        .map((config) => recordedConfig(config, placeholders)),
    }));
}

export function recordedNode(node: Node): Record<string, unknown> {
  const { region = '', zone = '', subZone = '' } = node.locality ?? {};
  return {
    id: node.id || undefined,
    cluster: node.cluster || undefined,
    metadata: node.metadata && structToJson(node.metadata),
    locality: node.locality && { region: region || undefined, zone: zone || undefined, sub_zone: subZone || undefined },
    user_agent_name: node.userAgentName && '{user_agent_name}',
    user_agent_version: node.userAgentVersionType && '{user_agent_version}',
    client_features: node.clientFeatures,
  };
}

function byTypeAndName(a: ClientConfigGenericXdsConfig, b: ClientConfigGenericXdsConfig): number {
  const rank = ({ typeUrl }: ClientConfigGenericXdsConfig): number => ORDER.indexOf(fullTypeUrl(typeUrl));
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

function recordedConfig(config: ClientConfigGenericXdsConfig, { stepOf, resourceOf }: DumpPlaceholders): unknown {
  const { typeUrl, name, versionInfo, xdsConfig, errorState } = config;
  const stepAt = (version: string, at: Timestamp | undefined): string | undefined =>
    at && `{step:${stepOf(fullTypeUrl(typeUrl), version, Number(at.seconds) * 1000 + at.nanos / 1e6)}}`;
  return {
    type: shortType(fullTypeUrl(typeUrl)),
    type_url: typeUrl,
    name,
    client_status: STATUS_NAMES.get(config.clientStatus),
    version_info: versionInfo || undefined,
    last_updated: stepAt(versionInfo, config.lastUpdated),
    xds_config: xdsConfig && resourceOf(xdsConfig.typeUrl, xdsConfig.value),
    error_state: errorState && {
      details: errorState.details,
      version_info: errorState.versionInfo || undefined,
      last_update_attempt: stepAt(errorState.versionInfo, errorState.lastUpdateAttempt),
    },
  };
}
