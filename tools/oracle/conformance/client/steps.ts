import { fromBase64 } from '../../../../src/base/base64.js';
import { STATUS_CODES, type Status, type StatusName, statusCode } from '../../../../src/base/status.js';
import {
  type DiscoveryRequest,
  DiscoveryResponse,
} from '../../../../src/proto/generated/envoy.service.discovery.v3.js';
import { shortType, typeUrlOf } from '../../../../src/proto/resource-types.js';
import type { ClientRecording, Step } from './recording.js';

/** A request that a scripted server received. */
export interface ReceivedRequest {
  request: DiscoveryRequest;
  /** An `expect` step has matched it. */
  isMatched: boolean;
}

/** A response that a scripted server sent. */
export interface SentResponse {
  step: number;
  typeUrl: string;
  version: string;
  at: number;
}

const SAME_TIME_MS = 100;

/** Whether the client is idle after a step, so that its subscriptions are stable. */
export function isIdleAfter({ op, background }: Step): boolean {
  return ['csds', 'rpc', 'wait', 'join'].includes(op) && background !== true;
}

/** The response of a `send` step. */
export function responseOf(step: Step, resources: ClientRecording['resources']): DiscoveryResponse {
  return DiscoveryResponse.create({
    typeUrl: typeUrlOf(step.type ?? ''),
    versionInfo: step.version ?? '',
    nonce: step.nonce ?? '',
    resources: (step.resources ?? []).map((key) => {
      const { typeUrl, base64 } = resources[key] ?? { typeUrl: '', base64: '' };
      return { typeUrl, value: bytesOf(base64) };
    }),
    resourceErrors: (step.errors ?? []).map(({ name, code, message = '' }) => ({
      resourceName: name === null ? undefined : { name },
      errorDetail: code === null ? undefined : { code: codeOf(code), message, details: [] },
    })),
    ...(step.padBytes !== undefined && { controlPlane: { identifier: 'x'.repeat(step.padBytes) } }),
  });
}

/** The status with which a `close` step ends a stream, or a `reject` step every stream. */
export function stepStatus({ code = 'OK', message = '' }: Step): Status {
  return { code: codeOf(code), message };
}

/** Whether a request matches an `expect` step. */
export function isMatch({ request }: ReceivedRequest, { type, names, nonce }: Step): boolean {
  if (shortType(request.typeUrl) !== type) return false;
  if (nonce !== undefined && request.responseNonce !== nonce) return false;
  return names === undefined || [...request.resourceNames].sort().join('\n') === [...names].sort().join('\n');
}

/** The ACK or NACK of a client for the response with this nonce. */
export function answerTo(nonce: string, requests: readonly ReceivedRequest[] | undefined) {
  const request = requests?.find((one) => one.request.responseNonce === nonce)?.request;
  if (request === undefined) return { answer: 'none' as const };
  const { versionInfo: version, errorDetail } = request;
  if (errorDetail === undefined) return { answer: 'ACK' as const, version };
  return {
    answer: 'NACK' as const,
    version,
    error: { code: errorDetail.code, message: inStableOrder(errorDetail.message) },
  };
}

/** grpc-go lists the errors of resources in a random order. */
function inStableOrder(message: string): string {
  const at = message.indexOf('resource "');
  if (at < 0 || !message.includes(';\n')) return message;
  return `${message.slice(0, at)}${message.slice(at).split(';\n').sort().join(';\n')}`;
}

/** The step that sent a response. Recordings contain steps instead of times; of several equal responses, the last counts. */
export function stepAt(
  sent: readonly SentResponse[],
  typeUrl: string,
  version: string,
  at: number,
): number | undefined {
  return sent.findLast((one) => one.typeUrl === typeUrl && one.version === version && one.at <= at + SAME_TIME_MS)
    ?.step;
}

function codeOf(code: string | number): number {
  if (typeof code === 'number') return code;
  return (STATUS_CODES as readonly string[]).includes(code) ? statusCode(code as StatusName) : Number(code);
}

export function bytesOf(base64: string): Uint8Array {
  return fromBase64(base64) ?? new Uint8Array(0);
}
