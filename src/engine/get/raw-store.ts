import { eachInSlices, type Slices } from '../../base/slices.js';
import { canonicalName } from '../../base/xds-name.js';
import { reportedStatus } from '../../core/response.js';
import type { ResponseMetadata, ResponseServer } from '../../core/response-metadata.js';
import type { AppliedResponse, ResponseStore } from '../../core/response-store.js';
import { SOTW_PROTOCOL } from '../../core/sotw.js';
import type { DiscoveryResponse } from '../../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../../proto/generated/google.protobuf.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { ClientContext } from '../../resources/context.js';
import { isSmallResource } from '../../resources/small-resource.js';
import { responseValidator } from '../../resources/validate-response.js';
import { type ReceivedResource, receivedResource } from './received-resource.js';
import { ResourceSet } from './resource-set.js';

/** Limits the unrequested names in an event. */
const MAX_NAMES = 5;

/** Limits the resources of a few bytes each that are kept. */
const MAX_SMALL = 20_000;

const MAX_ERRORS = 20_000;

/** The parts of a response that are kept. */
interface ReadParts {
  received: ReceivedResource[];
  /** The number of resources that are not kept. */
  omitted: number;
  errors: ReturnType<typeof reportedStatus>[];
}

interface RawStoreOptions {
  typeUrl: string;
  /** As typed by the user. An empty list is a wildcard subscription. */
  names: readonly string[];
  context: ClientContext;
  /** If set, every response is rejected with this message. */
  nack: string | undefined;
}

/** Stores the resources of one type as received. gRPC's validation decides between ACK and NACK, but drops nothing. */
export class RawStore implements ResponseStore {
  /** A response is kept as it was received. */
  readonly revision = undefined;
  readonly resources: ResourceSet;
  /** The message of the last NACK; undefined after an ACK. */
  nack: string | undefined;
  responses = 0;
  /** The version of the last response. */
  version: string | undefined;
  /** The numbers of resources and errors of the last response that were too many to keep. */
  omitted = { resources: 0, errors: 0 };
  /** The time of the last response that changed a resource or an error. */
  changedAt = 0;
  readonly #options: RawStoreOptions;
  /** The names as typed, by their canonical spelling. */
  readonly #typed: ReadonlyMap<string, string>;

  constructor(options: RawStoreOptions) {
    this.#options = options;
    this.#typed = new Map(options.names.map((name) => [this.#keyOf(name), name]));
    this.resources = new ResourceSet((name) => this.#keyOf(name));
  }

  isKnownType(typeUrl: string): boolean {
    return typeUrl === this.#options.typeUrl;
  }

  /** `get` has one timer for the subscription, so channels start no resource timers. */
  onTimerStarted(): void {}

  isResolved(): boolean {
    return true;
  }

  /** Requested names that no response has mentioned. */
  get missing(): string[] {
    return this.#options.names.filter((name) => !isCollection(name) && !this.resources.has(name));
  }

  /** The subscription includes the wildcard or a glob collection. */
  get isWildcard(): boolean {
    return this.#options.names.length === 0 || this.#options.names.some(isCollection);
  }

  *read(
    response: DiscoveryResponse,
    server: ResponseServer,
    onResource: (any: Any, name: string | undefined) => void,
  ): Slices<(metadata: ResponseMetadata) => AppliedResponse> {
    const context = { ...this.#options.context, trustedServer: server.isTrusted };
    const validator = responseValidator(response.typeUrl, context);
    const read: ReadParts = { received: [], omitted: 0, errors: [] };
    let small = 0;
    yield* eachInSlices(
      response.resources,
      ({ value }) => value.length,
      (any, i) => {
        onResource(any, undefined);
        const validated = validator.validate(any, i);
        if (isSmallResource(any) && ++small > MAX_SMALL) read.omitted++;
        else read.received.push(receivedResource(any, response.versionInfo, validated));
      },
    );
    yield* eachInSlices(
      response.resourceErrors,
      () => 0,
      (reported, i) => {
        validator.checkError(reported, i);
        if (i < MAX_ERRORS) read.errors.push(reportedStatus(reported));
      },
    );
    return (metadata) => this.#store(response, validator.nack, read, metadata);
  }

  #store(
    response: DiscoveryResponse,
    validationNack: string | undefined,
    { received, omitted, errors }: ReadParts,
    metadata: ResponseMetadata,
  ): AppliedResponse {
    const { nack, typeUrl } = this.#options;
    const { server, now } = metadata;
    this.responses++;
    this.version = response.versionInfo;
    this.omitted = { resources: omitted, errors: response.resourceErrors.length - errors.length };
    const isExhaustive = SOTW_PROTOCOL.isExhaustive(typeUrl);
    const result = this.resources.apply(received, errors, isExhaustive, { at: now, server: server.uri });
    if (result.isNew || this.responses === 1) this.changedAt = now;
    this.nack = nack ?? validationNack;
    const mentioned = new Set(this.#options.names.filter(isCollection));
    for (const { name } of received) this.#mention(name, mentioned);
    for (const { name } of errors) this.#mention(name, mentioned);
    return {
      typeUrl,
      metadata,
      nack: this.nack,
      isAccepted: this.nack === undefined,
      mentioned,
      changes: [],
      ...this.#counts(received, errors.length),
      added: result.added,
      changed: result.changed,
      unrequested: this.#unrequested(received),
    };
  }

  /** A78: the numbers of valid and of invalid resources. gRPC does not validate resources of all types. */
  #counts(received: readonly ReceivedResource[], errors: number): { valid: number; invalid: number } {
    const isRefused = this.#options.nack !== undefined;
    const rejected = isRefused ? received.length : received.filter(({ verdict }) => verdict === 'rejected').length;
    return { valid: received.length - rejected, invalid: rejected + errors };
  }

  #mention(name: string, mentioned: Set<string>): void {
    const typed = this.#typed.get(this.#keyOf(name));
    if (typed !== undefined) mentioned.add(typed);
  }

  #unrequested(received: readonly ReceivedResource[]): string[] {
    if (this.isWildcard) return [];
    const others = received.filter(({ name }) => !this.#typed.has(this.#keyOf(name)));
    return others.slice(0, MAX_NAMES).map(({ name }) => name);
  }

  #keyOf(name: string): string {
    const { typeUrl, context } = this.#options;
    return canonicalName(name, typeNameOf(typeUrl), context.switches.federation, 'xdstp:///') ?? name;
  }
}

/** The wildcard `*`, or an xdstp name of a glob collection. */
function isCollection(name: string): boolean {
  return name === '*' || /^xdstp:[^?#]*\/\*(?:[?#]|$)/.test(name);
}
