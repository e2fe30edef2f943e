import { eachInSlices, type Slices } from '../base/slices.js';
import type { Status } from '../base/status.js';
import { DiscoveryResponse, Resource, type ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import { decode, decodeInSlices } from '../proto/message-type.js';
import { resourceName } from '../proto/resource-name.js';
import { Reader } from '../proto/wire/reader.js';

/** Limits what one response adds to the log. */
const MAX_TYPES = 5;
const MAX_NAMES = 100_000;
const MAX_ERRORS = 10_000;

/** An error that the server reports for a resource. */
interface ReportedStatus {
  name: string;
  status: Status | undefined;
}

/** A response before its resources are validated. */
export interface ReceivedResponse {
  typeUrl: string;
  version: string;
  nonce: string;
  /** Errors that the server reports for single resources (xRFC TP3). */
  errors: readonly ReportedStatus[];
  /** The number of further errors that are not listed; undefined if there are none. */
  omittedErrors?: number;
  /** The complete message; undefined if it cannot be decoded. */
  message: DiscoveryResponse | undefined;
  /** D1: the reason why the client ignores the message, without ACK or NACK: decoding failed, or unrequested type. */
  ignored: string | undefined;
}

/** Decodes a DiscoveryResponse; its resources stay encoded. */
export function* readResponse(bytes: Uint8Array, isKnownType: (typeUrl: string) => boolean): Slices<ReceivedResponse> {
  const decoded = yield* decodeInSlices(DiscoveryResponse, bytes);
  if (!decoded.ok) {
    const ignored = `not a DiscoveryResponse: ${decoded.reason} at byte ${decoded.offset}`;
    return { typeUrl: '', version: '', nonce: '', errors: [], message: undefined, ignored };
  }
  const { versionInfo, nonce } = decoded.value;
  const typeUrl = withHost(decoded.value.typeUrl);
  return {
    typeUrl,
    version: versionInfo,
    nonce,
    ...reportedErrors(decoded.value),
    message: { ...decoded.value, typeUrl },
    ignored: isKnownType(typeUrl) ? undefined : 'of a type that was never requested',
  };
}

/** A part of a message: `bytes[from, to)`. */
export interface NonceRange {
  from: number;
  to: number;
}

const NONCE_TAG = 42;

/** Where a DiscoveryResponse that can be decoded has its nonce, from its length on; undefined without a single one. */
export function nonceRange(bytes: Uint8Array): NonceRange | undefined {
  const reader = new Reader(bytes);
  let range: NonceRange | undefined;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    const from = reader.pos;
    reader.skip(tag);
    if (tag !== NONCE_TAG) continue;
    if (range !== undefined) return undefined;
    range = { from, to: reader.pos };
  }
  return range;
}

/** Errors that the server reports for single resources (xRFC TP3). */
function reportedErrors({ resourceErrors }: DiscoveryResponse): Pick<ReceivedResponse, 'errors' | 'omittedErrors'> {
  const errors: ReportedStatus[] = [];
  const omittedErrors = resourceErrors.length - MAX_ERRORS;
  for (const error of resourceErrors) if (errors.push(reportedStatus(error)) === MAX_ERRORS) break;
  return { errors, ...(omittedErrors > 0 && { omittedErrors }) };
}

export function reportedStatus({ resourceName, errorDetail }: ResourceError): ReportedStatus {
  const status = errorDetail && { code: errorDetail.code, message: errorDetail.message };
  return { name: resourceName?.name ?? '', status };
}

/** The contents of a response, for the log. */
export interface Contents {
  /** The name of each resource; '' if it is unknown. */
  names: readonly string[];
  /** The number of further resources, whose names are not listed; undefined if there are none. */
  omitted?: number;
  /** Names in wrappers without a resource: the heartbeats of a server that uses TTLs. */
  heartbeats: readonly string[];
  /** Types that differ from the type of the response. */
  otherTypes: readonly string[];
}

const WRAPPER = `/${Resource.typeName}`;

/** Collects the contents of a response, up to a limit. */
export class ContentsList {
  readonly #typeUrl: string;
  readonly #names: string[] = [];
  readonly #heartbeats: string[] = [];
  readonly #otherTypes: string[] = [];
  #omitted = 0;

  constructor(typeUrl: string) {
    this.#typeUrl = typeUrl;
  }

  /** `known` is the name from validation. Only other resources are decoded here. */
  add(any: Any, known: string | undefined): void {
    if (this.#names.length === MAX_NAMES) {
      this.#omitted++;
      return;
    }
    if (known) {
      this.#names.push(known);
      return;
    }
    const { wrapperName, resource } = unwrap(any);
    this.#names.push(wrapperName || resourceName(resource?.value ?? NO_BYTES));
    if (resource === undefined && wrapperName !== '') this.#heartbeats.push(wrapperName);
    if (resource === undefined || withHost(resource.typeUrl) === this.#typeUrl) return;
    const types = this.#otherTypes;
    if (types.length < MAX_TYPES && !types.includes(resource.typeUrl)) types.push(resource.typeUrl);
  }

  *addAll(message: DiscoveryResponse): Slices<void> {
    yield* eachInSlices(
      message.resources,
      ({ value }) => value.length,
      (any) => this.add(any, undefined),
    );
  }

  get contents(): Contents {
    return {
      names: this.#names,
      ...(this.#omitted > 0 && { omitted: this.#omitted }),
      heartbeats: this.#heartbeats,
      otherTypes: this.#otherTypes,
    };
  }
}

const NO_BYTES = new Uint8Array(0);

function unwrap(any: Any): { wrapperName: string; resource: Any | undefined } {
  if (!any.typeUrl.endsWith(WRAPPER)) return { wrapperName: '', resource: any };
  const wrapper = decode(Resource, any.value);
  return wrapper.ok
    ? { wrapperName: wrapper.value.name, resource: wrapper.value.resource }
    : { wrapperName: '', resource: undefined };
}

/** gRPC accepts a type name without a host as a type URL. */
function withHost(type: string): string {
  return type.includes('/') ? type : `type.googleapis.com/${type}`;
}
