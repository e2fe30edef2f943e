import type { ResourceError } from '../proto/generated/envoy.service.discovery.v3.js';
import type { Any } from '../proto/generated/google.protobuf.js';
import type { ResourceContext } from './context.js';
import type { XdsResource } from './resource.js';
import type { ValidationCache } from './validation-cache.js';
import type { ValidationResult } from './validation-result.js';

/** One resource of a response, with its name and the result of its validation. */
export interface ValidatedResource {
  index: number;
  /** `undefined` if the resource has the wrong type or its wrapper cannot be decoded. */
  name: string | undefined;
  /** The resource without its `Resource` wrapper; `undefined` if the wrapper cannot be decoded. */
  resource: Any | undefined;
  /** The bytes are a copy, so the caller may keep them. */
  isOwn: boolean;
  /** `undefined` if the resource was not validated: it cannot be decoded or has the wrong type. */
  result: ValidationResult<XdsResource> | undefined;
  /** C-core's result, if another implementation decides. */
  cCore?: ValidationResult<XdsResource> | undefined;
  /** The entries of this resource in the NACK message. */
  errors: readonly string[];
  /** The message for watchers and CSDS if the resource is invalid; by default C-core's. */
  watcherMessage?: string;
}

/** IGNORED: gRPC does not support the type and sends neither an ACK nor a NACK. */
export type ResponseVerdict = 'ACK' | 'NACK' | 'IGNORED';

/**
 * Validates the parts of a response one by one and collects the NACK message, so that the caller decides which results
 * to keep: a hostile response has millions of parts.
 */
export interface ResponseValidator {
  /** Returns undefined for a type that gRPC does not support. */
  validate(any: Any, index: number): ValidatedResource | undefined;
  /** Checks an error that the server reports for a resource (xRFC TP3). */
  checkError(reported: ResourceError, index: number): void;
  readonly verdict: ResponseVerdict;
  /** The exact NACK message (R1.20). */
  readonly nack: string | undefined;
  /** The message for the watchers of every invalid resource, if the implementation does not distinguish them. */
  readonly watcherMessage?: string | undefined;
}

/**
 * Creates the validator of one response in an implementation. Some implementations ignore resources that have no
 * watcher; without `isWatched`, every resource has one.
 */
export type NewResponseValidator = (
  typeUrl: string,
  context: ResourceContext,
  cache?: ValidationCache,
  isWatched?: (name: string) => boolean,
) => ResponseValidator;
