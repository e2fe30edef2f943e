import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/resources/c-core-eds.json' with { type: 'json' };
import { fromBase64 } from '../../src/base/base64.js';
import { DiscoveryResponse, ResourceError } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import type { ResourceContext } from '../../src/resources/context.js';
import { judgeResponse } from '../../src/resources/judge-response.js';

interface RecordedCase {
  id: string;
  env?: Record<string, string | null>;
  response: { type_url: string; bytes: string }[];
  resource_errors?: string[];
  response_type_url?: string;
  expect: { verdict: string; error_detail?: { message: string } };
}

const EDS = 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment';
const bytes = (text: string): Uint8Array => fromBase64(text) as Uint8Array;

function contextOf(env: Record<string, string | null> = {}): ResourceContext {
  const isOn = (name: string, byDefault: boolean): boolean => {
    const value = { ...recorded.env, ...env }[name as keyof typeof recorded.env];
    return value === undefined || value === null ? byDefault : /^(1|t|true|y|yes)$/i.test(value);
  };
  return {
    federation: isOn('GRPC_EXPERIMENTAL_XDS_FEDERATION', true),
    dataErrorHandling: isOn('GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING', false),
    dualstackEndpoints: isOn('GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS', true),
    httpConnect: isOn('GRPC_EXPERIMENTAL_XDS_HTTP_CONNECT', false),
    hashKeyCompat: isOn('GRPC_XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT', true),
    interfaces: new Map([['lo', 1]]),
  };
}

describe('load assignments, as recorded C-core judges them', () => {
  for (const c of recorded.cases as RecordedCase[]) {
    it(c.id, () => {
      const resourceErrors = (c.resource_errors ?? []).map((text) => {
        const decoded = decode(ResourceError, bytes(text));
        if (!decoded.ok) throw new Error(decoded.reason);
        return decoded.value;
      });
      const resources = c.response.map((r) => ({ typeUrl: r.type_url, value: bytes(r.bytes) }));
      const judged = judgeResponse(
        DiscoveryResponse.create({ typeUrl: c.response_type_url ?? EDS, resources, resourceErrors }),
        contextOf(c.env),
      );
      expect({ verdict: judged.verdict, nack: judged.nack }).toEqual({
        verdict: c.expect.verdict === 'NONE' ? 'IGNORED' : c.expect.verdict,
        nack: c.expect.error_detail?.message,
      });
    });
  }
});
