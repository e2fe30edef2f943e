import type { Policies } from '../bootstrap/policies.js';
import { type NodeIdentity, statusNode } from '../core/node.js';
import { ClientResourceStatus, UpdateFailureState } from '../proto/generated/envoy.admin.v3.js';
import {
  ClientConfig,
  ClientConfigGenericXdsConfig,
  ClientStatusResponse,
} from '../proto/generated/envoy.service.status.v3.js';
import type { Timestamp } from '../proto/generated/google.protobuf.js';
import { type CsdsEntry, type GenericXdsConfig, genericConfigs } from './client-config.js';

/** An xDS client and its cached resources. */
export interface CsdsClientState {
  scope: string;
  node: NodeIdentity;
  entries: readonly CsdsEntry[];
}

export interface StatusOptions {
  policies: Policies;
  /** Omits the contents of resources. */
  excludeContents?: boolean;
  isShown?: (entry: CsdsEntry) => boolean;
}

/** R8.1: builds a response with one ClientConfig per client. */
export function clientStatus(
  clients: readonly CsdsClientState[],
  { policies, excludeContents = false, isShown = () => true }: StatusOptions,
): ClientStatusResponse {
  const config = clients.map(({ scope, node, entries }) =>
    ClientConfig.create({
      node: statusNode(node, policies),
      genericXdsConfigs: genericConfigs(entries.filter(isShown), policies).map((one) => message(one, excludeContents)),
      clientScope: scope,
    }),
  );
  return ClientStatusResponse.create({ config });
}

function message(config: GenericXdsConfig, excludeContents: boolean): ClientConfigGenericXdsConfig {
  const {
    typeUrl,
    shownType,
    name,
    clientStatus: status,
    versionInfo = '',
    lastUpdated,
    xdsConfig,
    errorState,
  } = config;
  return ClientConfigGenericXdsConfig.create({
    typeUrl: shownType,
    name,
    versionInfo,
    xdsConfig: xdsConfig === undefined || excludeContents ? undefined : { typeUrl, value: xdsConfig },
    lastUpdated: timestampOf(lastUpdated),
    clientStatus: ClientResourceStatus[status],
    errorState:
      errorState &&
      UpdateFailureState.create({
        details: errorState.details,
        versionInfo: errorState.versionInfo ?? '',
        lastUpdateAttempt: timestampOf(errorState.lastUpdateAttempt),
      }),
  });
}

function timestampOf(ms: number | undefined): Timestamp | undefined {
  if (ms === undefined) return undefined;
  const seconds = Math.floor(ms / 1000);
  return { seconds: BigInt(seconds), nanos: Math.round((ms - seconds * 1000) * 1_000_000) };
}
