import type { Note } from '../../peers/note.js';
import { notesOn } from '../../peers/notes.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { ResourceContext } from '../../resources/context.js';
import { type UnreadField, unreadFields } from '../../resources/files/unread-fields.js';
import type { ValidatedResource } from '../../resources/validate-response.js';

/** What can be said about a resource beyond gRPC's own verdict. */
export interface Comments {
  /** Where other implementations decide differently. */
  notes: Note[];
  unread: UnreadField[];
}

const NONE: Comments = { notes: [], unread: [] };

/** Larger resources are judged without comments, which take many times as long as the verdict. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Only resources of the type that was asked for are commented on. `outer` is the type URL of a wrapper, or their own. */
export function commentsOn(
  { resource, result }: ValidatedResource,
  outer: string,
  requestedTypeUrl: string,
  context: ResourceContext,
): Comments {
  if (resource === undefined || typeNameOf(resource.typeUrl) !== typeNameOf(requestedTypeUrl)) return NONE;
  const { typeUrl, value: bytes } = resource;
  if (bytes.length > MAX_BYTES) return NONE;
  const typeName = typeNameOf(typeUrl);
  const json = result && printAny(xdsCatalogue, typeUrl, bytes);
  const envelope = { typeUrls: outer === typeUrl ? [typeUrl] : [outer, typeUrl] };
  return {
    notes: notesOn({ typeName, json, bytes, result, context, envelope }),
    unread: json === undefined ? [] : unreadFields(typeName, json),
  };
}
