import type { Note } from '../../peers/note.js';
import { notesOn } from '../../peers/notes.js';
import { xdsCatalogue } from '../../proto/json/catalogue.js';
import { printAny } from '../../proto/json/print.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import type { ResourceContext } from '../../resources/context.js';
import { type UnreadField, unreadFields } from '../../resources/files/unread-fields.js';
import type { ValidatedResource } from '../../resources/response-validator.js';
import type { ValidationResult } from '../../resources/validation-result.js';

/** Information about a resource in addition to gRPC's validation result. */
export interface Comments {
  /** Differences of other implementations. */
  notes: Note[];
  unread: UnreadField[];
}

/** Comments do not depend on gRPC's representation of the resource. */
export interface CommentedResource extends Pick<ValidatedResource, 'resource'> {
  result: ValidationResult<unknown> | undefined;
  /** C-core's result, if another implementation decides: the notes say who differs from C-core. */
  cCore?: ValidationResult<unknown> | undefined;
}

const NONE: Comments = { notes: [], unread: [] };

/** Larger resources get no comments, because these take many times as long as validation. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Comments only on resources of the requested type. `outer` is the type URL of the wrapper, or of the resource itself. */
export function commentsOn(
  { resource, result: decided, cCore }: CommentedResource,
  outer: string,
  requestedTypeUrl: string,
  context: ResourceContext,
): Comments {
  if (resource === undefined || typeNameOf(resource.typeUrl) !== typeNameOf(requestedTypeUrl)) return NONE;
  const result = cCore ?? decided;
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
