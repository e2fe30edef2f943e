import type { FindingKind } from '../../base/finding.js';

/** Findings about a resource file. */
export const RESOURCE_FINDINGS = {
  XI100: {
    severity: 'error',
    title: 'gRPC rejects this resource',
    what: 'The client sends a NACK with this error and keeps the cached version; without a cached version, its RPCs fail.',
    advice: 'Correct the field.',
    isGrpcError: true,
  },
  XI101: {
    severity: 'warning',
    title: 'gRPC ignores part of this resource',
    what: 'gRPC accepts the resource, but this part has no effect.',
    advice: 'Use a form that gRPC supports, or keep the part if only other clients such as Envoy need it.',
  },
  XI102: {
    severity: 'error',
    title: 'Other gRPC languages may reject this',
    what: 'A gRFC requires clients to reject this, but C-core accepts it: C++, Python and Ruby clients work, and Go, Java or Node clients may send a NACK.',
    advice: 'Follow the gRFC, so that all clients accept the resource.',
  },
  XI103: {
    severity: 'note',
    title: 'Validation requires the bootstrap',
    what: 'The resource names a certificate provider of the bootstrap, and no bootstrap was given.',
    advice: 'Pass the bootstrap of the clients with `-b`.',
  },
  XI104: {
    severity: 'note',
    title: 'Another implementation behaves differently',
    what: 'Another implementation rejects a resource that C-core accepts, or accepts one that C-core rejects.',
    advice: 'Look up the code of the note in docs/other-implementations.md.',
  },
  XI105: {
    severity: 'warning',
    title: 'A field that is not in the API',
    what: 'The xDS API of this gRPC release has no field with this name, so the field is not part of the validated resource; gRPC ignores fields that it does not know.',
    advice: 'Correct the name, or ignore the finding if the field belongs to a newer API or to another client.',
  },
  XI106: {
    severity: 'note',
    title: 'A type that is not in the API',
    what: 'The xDS API has no message of this type, so its contents are not part of the validated resource; gRPC decides by the type URL.',
    advice: 'Give the contents as base64 in "@value" if they matter to a client.',
  },
} as const satisfies Record<string, FindingKind>;

/** The codes of parts that are not in the API. */
export const UNKNOWN_PART_CODES = { field: 'XI105', type: 'XI106' } as const satisfies Record<string, ResourceCode>;

export type ResourceCode = keyof typeof RESOURCE_FINDINGS;
