import recorded from '../../fixtures/resources/c-core.json' with { type: 'json' };
import { fromBase64 } from '../../src/base/base64.js';
import { DiscoveryResponse, ResourceError } from '../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../src/proto/message-type.js';
import { type ResourceContext, readResourceSwitches } from '../../src/resources/context.js';
import { type ValidatedResponse, validateResponse } from '../../src/resources/validate-response.js';

/** A response, and C-core's ACK or NACK. */
export interface RecordedCase {
  id: string;
  type: string;
  env?: Record<string, string | null>;
  bootstrap?: { server_features?: string[]; certificate_providers?: object; allowed_grpc_services?: object };
  response: { type_url: string; bytes: string }[];
  resource_errors?: string[];
  response_type_url?: string;
  expect: {
    verdict: string;
    error_detail?: { code: number; message: string };
    /** Set where the recording contains only the message of the NACK. */
    message?: string;
    version_info?: string;
  };
}

export const TYPE_URLS: Record<string, string> = {
  Listener: 'type.googleapis.com/envoy.config.listener.v3.Listener',
  RouteConfiguration: 'type.googleapis.com/envoy.config.route.v3.RouteConfiguration',
  Cluster: 'type.googleapis.com/envoy.config.cluster.v3.Cluster',
  ClusterLoadAssignment: 'type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment',
};

export const bytesOfCase = (text: string): Uint8Array => fromBase64(text) as Uint8Array;

/** The recorded response. */
export function responseOf(recordedCase: RecordedCase): DiscoveryResponse {
  const resourceErrors = (recordedCase.resource_errors ?? []).map((text) => {
    const decoded = decode(ResourceError, bytesOfCase(text));
    if (!decoded.ok) throw new Error(decoded.reason);
    return decoded.value;
  });
  return DiscoveryResponse.create({
    typeUrl: recordedCase.response_type_url ?? (TYPE_URLS[recordedCase.type] as string),
    resources: recordedCase.response.map((r) => ({ typeUrl: r.type_url, value: bytesOfCase(r.bytes) })),
    resourceErrors,
  });
}

/** The environment and the bootstrap of the recorded C-core. */
export function contextOf({ env = {}, bootstrap = {} }: RecordedCase): ResourceContext {
  const variables: Record<string, string | undefined> = { ...recorded.env };
  for (const [name, value] of Object.entries(env)) variables[name] = value ?? undefined;
  return {
    switches: readResourceSwitches(variables, false),
    variables,
    certificateProviders: new Set(Object.keys(bootstrap.certificate_providers ?? {})),
    trustedServer: bootstrap.server_features?.includes('trusted_xds_server') ?? false,
    allowedGrpcServices: new Set(Object.keys(bootstrap.allowed_grpc_services ?? {})),
    interfaces: new Map([['lo', 1]]),
  };
}

export function validateRecorded(recordedCase: RecordedCase): ValidatedResponse {
  return validateResponse(responseOf(recordedCase), contextOf(recordedCase));
}
