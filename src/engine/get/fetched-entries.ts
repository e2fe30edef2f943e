import { type Status, statusCode } from '../../base/status.js';
import type { CacheStatus } from '../../core/cache-status.js';
import { isCompleteInEveryResponse } from '../../proto/resource-types.js';
import type { ReceivedResource } from './received-resource.js';
import type { ChangedResource, ReportedError } from './resource-set.js';
import type { Subscription } from './subscription.js';

/** A resource of `get`, as a cache entry of a gRPC client. */
export interface FetchedEntry {
  typeUrl: string;
  name: string;
  status: CacheStatus;
  /** Undefined if no version was accepted. */
  bytes: Uint8Array | undefined;
  version: string;
  updatedAt: number | undefined;
  error: { status: Status; version: string | undefined; at: number } | undefined;
}

const EMPTY = { bytes: undefined, version: '', updatedAt: undefined, error: undefined };

/** The cache entries of a subscription. `nack` is the message with which `get` rejects every response, if set. */
export function fetchedEntries(
  { store: { resources, missing }, hasResponse }: Subscription,
  typeUrl: string,
  nack: string | undefined,
): FetchedEntry[] {
  const errors = new Map(resources.errors.map((error) => [error.name, error]));
  const received = resources.resources.map((change) => {
    const error = errors.get(change.received.name);
    errors.delete(change.received.name);
    return entryOf(change, error, typeUrl, nack);
  });
  const isDeleted = hasResponse && isCompleteInEveryResponse(typeUrl);
  return [
    ...received,
    ...[...errors.values()].map((error) => ({ ...EMPTY, typeUrl, name: error.name, ...errorFields(error) })),
    ...missing.map((name): FetchedEntry => {
      return { ...EMPTY, typeUrl, name, status: isDeleted ? 'DOES_NOT_EXIST' : 'REQUESTED' };
    }),
  ];
}

function entryOf(
  { at, received }: ChangedResource,
  error: ReportedError | undefined,
  typeUrl: string,
  nack: string | undefined,
): FetchedEntry {
  const { name, version, resource } = received;
  const nackMessage = nack ?? (received.verdict === 'rejected' ? problemsText(received) : undefined);
  if (nackMessage !== undefined) {
    const status = { code: statusCode('INVALID_ARGUMENT'), message: nackMessage };
    return { ...EMPTY, typeUrl, name, status: 'NACKED', error: { status, version, at } };
  }
  const accepted = { typeUrl: resource?.typeUrl ?? typeUrl, name, bytes: resource?.value, version, updatedAt: at };
  return { ...accepted, status: 'ACKED', error: undefined, ...(error && errorFields(error)) };
}

function errorFields({ status, at }: ReportedError): Pick<FetchedEntry, 'status' | 'error'> {
  const unknownError = { code: statusCode('UNKNOWN'), message: '' };
  return { status: 'RECEIVED_ERROR', error: { status: status ?? unknownError, version: undefined, at } };
}

function problemsText({ problems }: ReceivedResource): string {
  return problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
}
