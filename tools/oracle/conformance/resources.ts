import { fromBase64 } from '../../../src/base/base64.js';
import { policiesOf } from '../../../src/bootstrap/presets.js';
import { readBootstrap } from '../../../src/bootstrap/read-bootstrap.js';
import { readSwitches } from '../../../src/bootstrap/switches.js';
import { genericConfigs } from '../../../src/csds/client-config.js';
import { engineOptions } from '../../../src/engine/options.js';
import { DiscoveryResponse, ResourceError } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode, encode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import type { Comparison } from './comparison.js';
import { type WatchResult, watchOne } from './watch-one.js';

/** Recorded responses, each with the ACK or NACK of C-core. */
export interface ResourceRecording {
  env: Record<string, string>;
  bootstrap: { xds_servers: object[] };
  subscribed_name: string;
  response_version_info: string;
  cases: ResourceCase[];
}

interface ResourceCase {
  id: string;
  type: string;
  env?: Record<string, string | null>;
  bootstrap?: { server_features?: string[] };
  response: { type_url: string; bytes: string }[];
  resource_errors?: string[];
  response_type_url?: string;
  expect: {
    verdict: string;
    error_detail?: { code: number; message: string };
    version_info?: string;
    csds?: { name: string; client_status: string }[];
  };
}

const SHORT_TYPES: Record<string, keyof typeof RESOURCE_TYPES> = {
  Listener: 'LDS',
  RouteConfiguration: 'RDS',
  Cluster: 'CDS',
  ClusterLoadAssignment: 'EDS',
};

/** Compares the verdict, the NACK, the version and the CSDS entry of the requested resource. */
export function compareResources(recording: ResourceRecording, comparison: Comparison): void {
  for (const one of recording.cases) {
    const { verdict, error_detail: detail, version_info: version, csds = [] } = one.expect;
    const { reply, entry } = watchCase(recording, one);
    const error = reply?.errorDetail && { code: reply.errorDetail.code, message: reply.errorDetail.message };
    comparison.compare(one.id, 'verdict', verdict, reply === undefined ? 'NONE' : error === undefined ? 'ACK' : 'NACK');
    comparison.compare(one.id, 'error_detail', detail, error);
    comparison.compare(one.id, 'version_info', version, reply?.versionInfo);
    comparison.compare(one.id, 'csds', csds, entry === undefined ? [] : [csdsOf(entry)]);
  }
}

function csdsOf(entry: NonNullable<WatchResult['entry']>): unknown {
  const [config] = genericConfigs([entry], policiesOf('c-core'));
  return {
    name: config?.name,
    client_status: config?.clientStatus,
    version_info: config?.versionInfo || undefined,
    has_config: config?.xdsConfig !== undefined,
    error_state: config?.errorState && {
      details: config.errorState.details,
      version_info: config.errorState.versionInfo,
    },
  };
}

function watchCase(recording: ResourceRecording, one: ResourceCase): WatchResult {
  const { server_features: features, ...rest } = one.bootstrap ?? {};
  const servers = recording.bootstrap.xds_servers.map((server) => ({
    ...server,
    ...(features && { server_features: features }),
  }));
  const variables: Record<string, string | undefined> = { ...recording.env };
  for (const [name, value] of Object.entries(one.env ?? {})) variables[name] = value ?? undefined;
  const text = JSON.stringify({ ...recording.bootstrap, ...rest, xds_servers: servers });
  const read = readBootstrap(new TextEncoder().encode(text), readSwitches(variables, 'c-core'));
  if (!read.ok) throw new Error(`the bootstrap of ${one.id} cannot be used: ${read.message}`);
  const options = engineOptions(read.bootstrap, {
    preset: 'c-core',
    variables,
    userAgentName: '',
    userAgentVersion: '',
    interfaces: new Map([['lo', 1]]),
    seed: 1,
  });
  const typeUrl = RESOURCE_TYPES[SHORT_TYPES[one.type] ?? 'LDS'];
  return watchOne(options, typeUrl, recording.subscribed_name, responseOf(recording, one, typeUrl));
}

function responseOf(recording: ResourceRecording, one: ResourceCase, typeUrl: string): Uint8Array {
  return encode(
    DiscoveryResponse,
    DiscoveryResponse.create({
      typeUrl: one.response_type_url ?? typeUrl,
      versionInfo: recording.response_version_info,
      nonce: 'n',
      resources: one.response.map(({ type_url, bytes }) => ({ typeUrl: type_url, value: bytesOf(bytes) })),
      resourceErrors: (one.resource_errors ?? []).map((text) => {
        const decoded = decode(ResourceError, bytesOf(text));
        return decoded.ok ? decoded.value : ResourceError.create({});
      }),
    }),
  );
}

function bytesOf(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array(0);
}
