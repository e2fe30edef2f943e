import { didYouMean } from '../../base/nearest.js';
import { isSecretName } from '../../base/secret-name.js';
import { type CatalogueField, type CatalogueMessage, xdsCatalogue } from '../../proto/json/catalogue.js';
import { typeNameOf } from '../../proto/json/type-name.js';
import { hasCustomJson } from '../../proto/json/well-known.js';
import { NAMED_VALUES } from '../../proto/secret-places.js';
import { type FieldStep, formatFieldPath } from './field-path.js';

/** The type of a part of a resource in the xDS API. */
export type FieldType =
  | { kind: 'message'; message: CatalogueMessage }
  | { kind: 'list' | 'map'; of: FieldType }
  | { kind: 'leaf' }
  /** An Any, or a message with a special JSON form: only the value has the type. */
  | { kind: 'open' };

const LEAF: FieldType = { kind: 'leaf' };
const OPEN: FieldType = { kind: 'open' };

export function messageType(typeUrl: string): FieldType {
  const name = typeNameOf(typeUrl);
  const message = hasCustomJson(name) ? undefined : xdsCatalogue.message(name);
  return message === undefined ? OPEN : { kind: 'message', message };
}

/** Looks up a field by either spelling: `lb_policy` or `lbPolicy`. */
export function fieldOf(type: FieldType, step: FieldStep): CatalogueField | undefined {
  return type.kind === 'message' && typeof step === 'string' ? type.message.byName.get(step) : undefined;
}

export function typeOfField({ type, repeated, mapKey }: CatalogueField): FieldType {
  const one = type.kind === 'message' ? messageType(type.name) : LEAF;
  if (mapKey !== undefined) return { kind: 'map', of: one };
  return repeated ? { kind: 'list', of: one } : one;
}

/** The type after a step, or an error if the API does not allow the step. */
export function stepInto(type: FieldType, step: FieldStep): FieldType | string {
  switch (type.kind) {
    case 'open':
      return OPEN;
    case 'leaf':
      return 'it has no fields';
    case 'map':
      return typeof step === 'string' ? type.of : 'it is a mapping: name a key';
    case 'list':
      return typeof step === 'string' ? `it is a list: choose an element, as in [0] or [name=x]` : type.of;
    case 'message':
      return stepIntoMessage(type.message, step);
  }
}

function stepIntoMessage(message: CatalogueMessage, step: FieldStep): FieldType | string {
  if (typeof step !== 'string') return 'it is not a list';
  // `@type`: the catalogue does not contain it.
  if (step.startsWith('@')) return OPEN;
  const field = message.byName.get(step);
  if (field !== undefined) return typeOfField(field);
  const short = message.name.slice(message.name.lastIndexOf('.') + 1);
  const names = [...message.byNumber.values()].map(({ name }) => name);
  return `${short} has no field "${step}"${didYouMean(step, names)}`;
}

/** Whether a field may contain a secret, if there is no resource to tell: the name of a header is unknown then. */
export function mayBeSecret(typeUrl: string, path: readonly FieldStep[]): boolean {
  let type: FieldType | string = messageType(typeUrl);
  for (const step of path) {
    if (typeof type === 'string') return false;
    const field = fieldOf(type, step);
    const isNamed = type.kind === 'message' && NAMED_VALUES[type.message.name]?.values.includes(field?.name ?? '');
    if (isNamed === true || field?.sensitive === true || (typeof step === 'string' && isSecretName(step))) return true;
    type = stepInto(type, step);
  }
  return false;
}

/** Returns why no resource of this type can have such a field; undefined if it can. */
export function impossiblePath(typeUrl: string, path: readonly FieldStep[]): string | undefined {
  let type = messageType(typeUrl);
  for (const [i, step] of path.entries()) {
    const next = stepInto(type, step);
    if (typeof next === 'string') return i === 0 ? next : `${formatFieldPath(path.slice(0, i))}: ${next}`;
    if (typeof step === 'object') {
      const key = stepInto(next, step.key);
      if (typeof key === 'string') return `${formatFieldPath(path.slice(0, i))}: ${key}`;
    }
    type = next;
  }
  return undefined;
}
