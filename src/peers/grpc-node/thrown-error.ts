/**
 * An error that grpc-js-xds throws while it validates a resource. Its text becomes the entry of the resource in the NACK;
 * grpc-js-xds does not learn the name of the resource and tells no watcher.
 */
export class ThrownError extends Error {}

/** The error of JavaScript for a field of a value that is missing. */
export function missingValue(value: 'null' | 'undefined', field: string): ThrownError {
  return new ThrownError(`Cannot read properties of ${value} (reading '${field}')`);
}
