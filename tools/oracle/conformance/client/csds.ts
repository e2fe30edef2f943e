import type { BootstrapNode } from '../../../../src/bootstrap/bootstrap.js';
import { policiesOf } from '../../../../src/bootstrap/presets.js';
import type { Preset } from '../../../../src/bootstrap/switches.js';
import { statusNode } from '../../../../src/core/node.js';
import { genericConfigs } from '../../../../src/csds/client-config.js';
import type { ScopeSnapshot } from '../../../../src/engine/scope.js';
import { shortType } from '../../../../src/proto/resource-types.js';
import { structToJson } from '../../../../src/resources/common/struct-json.js';

/** A CSDS dump in the format of the recordings: steps instead of times, bytes instead of resources. */
export function csdsClients(
  scopes: readonly ScopeSnapshot[],
  node: BootstrapNode | undefined,
  preset: Preset,
  stepOf: (typeUrl: string, version: string, at: number) => number | undefined,
): unknown[] {
  const stepAt = (typeUrl: string, version: string | undefined, at: number | undefined): string | undefined =>
    at === undefined ? undefined : `{step:${stepOf(typeUrl, version ?? '', at)}}`;
  return [...scopes]
    .sort((a, b) => (a.scope < b.scope ? -1 : 1))
    .map(({ scope, entries }) => ({
      client_scope: scope,
      node: nodeJson(node, preset),
      generic_xds_configs: genericConfigs(entries, policiesOf(preset)).map((config) => ({
        type: shortType(config.typeUrl),
        type_url: config.shownType,
        name: config.name,
        client_status: config.clientStatus,
        version_info: config.versionInfo || undefined,
        last_updated: stepAt(config.typeUrl, config.versionInfo, config.lastUpdated),
        xds_config: config.xdsConfig && Buffer.from(config.xdsConfig).toString('base64'),
        error_state: config.errorState && {
          details: config.errorState.details,
          version_info: config.errorState.versionInfo,
          last_update_attempt: stepAt(
            config.typeUrl,
            config.errorState.versionInfo,
            config.errorState.lastUpdateAttempt,
          ),
        },
      })),
    }));
}

function nodeJson(node: BootstrapNode | undefined, preset: Preset): unknown {
  const identity = {
    id: node?.id ?? '',
    userAgentName: '{user_agent_name}',
    userAgentVersion: '{user_agent_version}',
    ...(node && { bootstrap: node }),
  };
  const message = statusNode(identity, policiesOf(preset));
  const { locality } = message;
  return {
    id: message.id || undefined,
    cluster: message.cluster || undefined,
    metadata: message.metadata && structToJson(message.metadata),
    locality: locality && {
      region: locality.region || undefined,
      zone: locality.zone || undefined,
      sub_zone: locality.subZone || undefined,
    },
    user_agent_name: message.userAgentName,
    user_agent_version: '{user_agent_version}',
    client_features: message.clientFeatures,
  };
}
