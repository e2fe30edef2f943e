import { joinBytes } from '../base/bytes.js';
import { ClientConfig, type ClientConfigGenericXdsConfig } from '../proto/generated/envoy.service.status.v3.js';
import { decode } from '../proto/message-type.js';
import { Malformed } from '../proto/wire/malformed.js';
import { Reader, WireType } from '../proto/wire/reader.js';
import { dumpedByType } from './config-dumps.js';
import type { ClientDump, DumpedResource } from './dump.js';
import { cacheStatus, errorOf, isBareType, millisOf, syncStatus, withPrefix } from './dumped-values.js';

export interface ReadStatus {
  clients: ClientDump[];
  /** Messages about parts that cannot be read. */
  problems: string[];
}

const CONFIG_TAG = (1 << 3) | WireType.bytes;

/** Reads a ClientStatusResponse. Skips malformed parts and reports them as problems. */
export function readClientStatus(bytes: Uint8Array): ReadStatus {
  const clients: ClientDump[] = [];
  const problems: string[] = [];
  const broken = eachField(bytes, (field, tag) => {
    if (tag !== CONFIG_TAG) return;
    const reader = new Reader(field);
    reader.tag();
    clients.push(readConfig(reader.blob(), problems));
  });
  if (broken !== undefined) problems.push(`the response is malformed: ${broken}`);
  return { clients, problems };
}

function readConfig(bytes: Uint8Array, problems: string[]): ClientDump {
  const whole = decode(ClientConfig, bytes);
  if (whole.ok) return dumpOf(whole.value, bytes);
  const good: Uint8Array[] = [];
  let bad = 0;
  const broken = eachField(bytes, (field) => {
    if (decode(ClientConfig, field).ok) good.push(field);
    else bad++;
  });
  const rest = joinBytes(good);
  const again = decode(ClientConfig, rest);
  const config = again.ok ? again.value : ClientConfig.create();
  const parts = bad + (broken === undefined ? 0 : 1);
  problems.push(
    `${parts} part${parts === 1 ? '' : 's'} of client_scope "${config.clientScope}" cannot be read: ${whole.reason}`,
  );
  return dumpOf(config, rest);
}

function dumpOf(config: ClientConfig, bytes: Uint8Array): ClientDump {
  const { clientScope, node, xdsConfig, genericXdsConfigs } = config;
  const resources = [...genericXdsConfigs.map(dumpedResource), ...dumpedByType(xdsConfig)];
  return { clientScope, node, resources, bytes };
}

function dumpedResource(config: ClientConfigGenericXdsConfig, i: number): DumpedResource {
  const { typeUrl, name, versionInfo, xdsConfig, lastUpdated, configStatus, clientStatus, isStaticResource } = config;
  const error = errorOf(config.errorState);
  // Node sends the cached resource in the field in which others send the rejected one.
  const kept = isBareType(typeUrl) && cacheStatus(clientStatus) === 'NACKED' ? error?.failed : undefined;
  return {
    typeUrl: withPrefix(typeUrl || (xdsConfig?.typeUrl ?? '')),
    name,
    status: cacheStatus(clientStatus),
    sync: syncStatus(configStatus),
    version: versionInfo,
    updatedAt: millisOf(lastUpdated),
    contents: (xdsConfig ?? kept)?.value,
    phase: isStaticResource ? 'static' : undefined,
    error,
    path: ['genericXdsConfigs', i],
  };
}

/** Calls `take` with each field of a message, including its tag. Returns an error if the message is malformed. */
function eachField(bytes: Uint8Array, take: (field: Uint8Array, tag: number) => void): string | undefined {
  const reader = new Reader(bytes);
  try {
    while (reader.pos < reader.end) {
      const start = reader.pos;
      const tag = reader.tag();
      reader.skip(tag);
      take(bytes.subarray(start, reader.pos), tag);
    }
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return `${error.reason} at byte ${error.offset}`;
  }
  return undefined;
}
