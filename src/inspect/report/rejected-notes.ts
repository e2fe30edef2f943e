import type { ScopeSnapshot } from '../../engine/scope.js';
import type { Note } from '../../peers/note.js';
import { isShortType, shortType } from '../../proto/resource-types.js';
import type { ClientContext, ResourceContext } from '../../resources/context.js';
import { validateResponse } from '../../resources/validate-response.js';
import { commentsOn } from '../validate/comments.js';

/** The behaviour of another implementation for a resource that gRPC (C-core) rejects. */
export interface RejectedNote extends Pick<Note, 'code' | 'implementation' | 'decides'> {
  scope: string;
  type: string;
  name: string;
  message: string;
}

/** Further resources are skipped: notes take many times as long as validation. */
const MAX_RESOURCES = 5;

/** Returns the notes of `validate` on resources that the client rejected. */
export function rejectedNotes(scopes: readonly ScopeSnapshot[], context: ClientContext): RejectedNote[] {
  const rejected = scopes.flatMap(({ scope, entries }) =>
    entries.flatMap(({ typeUrl, name, rejected: bytes, error }) =>
      bytes === undefined || error?.cause !== 'nack' || !isShortType(shortType(typeUrl))
        ? []
        : [{ scope, typeUrl, name, bytes }],
    ),
  );
  return rejected
    .slice(0, MAX_RESOURCES)
    .flatMap(({ scope, typeUrl, name, bytes }) =>
      notesOnRejected(typeUrl, bytes, context).map((note) => ({ scope, type: shortType(typeUrl), name, ...note })),
    );
}

/** The behaviour of other implementations for a version of a resource that gRPC (C-core) rejects. */
export function notesOnRejected(
  typeUrl: string,
  bytes: Uint8Array,
  context: ClientContext,
): Omit<RejectedNote, 'scope' | 'type' | 'name'>[] {
  // A trusted server does not change the result for a resource that is rejected for another reason.
  const untrusted: ResourceContext = { ...context, trustedServer: false };
  const response = { typeUrl, resources: [{ typeUrl, value: bytes }], resourceErrors: [] };
  const [result] = validateResponse({ ...NO_RESPONSE, ...response }, untrusted).resources;
  const notes = result === undefined ? [] : commentsOn(result, typeUrl, typeUrl, untrusted).notes;
  return notes.map(({ code, implementation, decides, text: message }) => ({ code, implementation, decides, message }));
}

const NO_RESPONSE = { versionInfo: '', nonce: '', controlPlane: undefined };
