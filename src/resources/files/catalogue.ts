import type { FindingKind } from '../../base/finding.js';

/** What can be found in a resource file. */
export const RESOURCE_FINDINGS = {
  XI100: {
    severity: 'error',
    title: 'gRPC rejects this resource',
    what: 'A client sends a NACK that lists this problem and keeps the cached version; a client without one fails its RPCs.',
    advice: 'Correct the field.',
    isVerdict: true,
  },
  XI101: {
    severity: 'warning',
    title: 'gRPC ignores this part',
    what: 'gRPC accepts the resource, and this part of it has no effect.',
    advice: 'Remove the part if it is meant for others, or write it so that gRPC understands it.',
  },
  XI102: {
    severity: 'error',
    title: 'Other gRPC languages may refuse this',
    what: 'A gRFC requires clients to reject this and C-core accepts it: C++, Python and Ruby clients work, and Go, Java or Node clients may send a NACK.',
    advice: 'Write what the gRFC requires: it works everywhere.',
  },
  XI103: {
    severity: 'note',
    title: 'Only a bootstrap can tell',
    what: 'The resource names a certificate provider, and no bootstrap was given to look it up in.',
    advice: 'Pass the bootstrap of the clients with `-b`.',
  },
  XI104: {
    severity: 'note',
    title: 'Another implementation decides otherwise',
    what: 'Another implementation rejects what C-core accepts, or accepts what C-core rejects.',
    advice: 'Look up the code of the note in docs/other-implementations.md.',
  },
} as const satisfies Record<string, FindingKind>;

export type ResourceCode = keyof typeof RESOURCE_FINDINGS;
