import { typeNameOf } from '../../proto/json/type-name.js';
import type { MessageView } from '../message-view.js';
import { quoted } from './go-text.js';
import { Rejection } from './rejection.js';
import { wireError } from './wire.js';

const PREFIX = 'type.googleapis.com/';

export const XDS_TYPED_STRUCT = 'xds.type.v3.TypedStruct';
export const UDPA_TYPED_STRUCT = 'udpa.type.v1.TypedStruct';

/** The type URL of an Any that may be missing. */
export function typeUrlOf(any: MessageView | undefined): string {
  return any?.text('type_url') ?? '';
}

/** Whether an Any has exactly this type URL, with the usual host. */
export function hasUrlOf(any: MessageView | undefined, typeName: string): boolean {
  return typeUrlOf(any) === PREFIX + typeName;
}

/** Whether an Any contains this type; the host of the type URL does not matter. */
export function containsType(any: MessageView | undefined, typeName: string): any is MessageView {
  const url = typeUrlOf(any);
  return any !== undefined && (url === typeName || url.endsWith(`/${typeName}`));
}

/** Decodes the bytes of an Any as a type, whatever its type URL is. An Any that is missing has no bytes. */
export function unmarshal(
  typeName: string,
  any: MessageView | undefined,
  parent: MessageView,
  context: (message: string) => string,
): MessageView {
  const bytes = any?.blob('value') ?? new Uint8Array(0);
  const error = wireError(typeName, bytes);
  if (error !== undefined) throw new Rejection(context(error), any ?? parent, error);
  return (any ?? parent).holding(typeName, bytes);
}

/** Decodes the contents of an Any, whose type must be right. */
export function unmarshalTo(typeName: string, any: MessageView, context: (message: string) => string): MessageView {
  if (!containsType(any, typeName)) {
    const error = `proto: mismatched message type: got ${quoted(typeName)}, want ${quoted(typeNameOf(typeUrlOf(any)))}`;
    throw new Rejection(context(error), any, error);
  }
  return unmarshal(typeName, any, any, context);
}
