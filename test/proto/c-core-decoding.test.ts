import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/wire/c-core-decoding.json' with { type: 'json' };
import { fromBase64 } from '../../src/base/base64.js';
import { Cluster } from '../../src/proto/generated/envoy.config.cluster.v3.js';
import { ClusterLoadAssignment } from '../../src/proto/generated/envoy.config.endpoint.v3.js';
import { Listener } from '../../src/proto/generated/envoy.config.listener.v3.js';
import { RouteConfiguration } from '../../src/proto/generated/envoy.config.route.v3.js';
import { HttpConnectionManager } from '../../src/proto/generated/envoy.extensions.filters.network.http_connection_manager.v3.js';
import { decode, type MessageType } from '../../src/proto/message-type.js';

const TYPES: MessageType<never>[] = [Listener, RouteConfiguration, Cluster, ClusterLoadAssignment] as never;

/**
 * Decodes a resource and the HttpConnectionManager of a client listener, as C-core does. Returns C-core's error for the
 * part that cannot be decoded.
 */
function rejectedPart(typeUrl: string, bytes: Uint8Array): string | undefined {
  const type = TYPES.find((t) => typeUrl.endsWith(`/${t.typeName}`));
  if (type === undefined) throw new Error(`no decoder for ${typeUrl}`);
  const decoded = decode(type, bytes);
  if (!decoded.ok) return `Can't parse ${type.typeName.split('.').pop()} resource.`;
  const api = (decoded.value as Listener).apiListener?.apiListener;
  if (api !== undefined && !decode(HttpConnectionManager, api.value).ok)
    return 'could not parse HttpConnectionManager config';
  return undefined;
}

describe('decode agrees with recorded C-core on', () => {
  for (const c of recorded.cases) {
    it(c.id, () => {
      const rejected = rejectedPart(c.typeUrl, fromBase64(c.bytes) as Uint8Array);
      const recordedPart = /Can't parse \w+ resource\.|could not parse HttpConnectionManager config/.exec(
        c.message ?? '',
      )?.[0];
      expect(rejected).toBe(recordedPart);
    });
  }
});
