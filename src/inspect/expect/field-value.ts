import { didYouMean } from '../../base/nearest.js';
import { REDACTED } from '../../base/secret-name.js';
import { isMapping } from '../../base/shape.js';
import { type CatalogueField, xdsCatalogue } from '../../proto/json/catalogue.js';
import { defaultLeaf } from '../../proto/json/leaf.js';
import { printAny } from '../../proto/json/print.js';
import type { Json } from '../../proto/json/well-known.js';
import { lowerCamel } from '../../proto/lower-camel.js';
import type { Match } from './expectations.js';
import { type FieldStep, formatFieldPath } from './field-path.js';
import { type FieldType, fieldOf, messageType, stepInto, typeOfField } from './field-type.js';
import { fits, foundText, matchText } from './match.js';
import type { Evaluation } from './observation.js';

/** Compares a field of a resource with its real value. Shows a secret neither as the actual nor as the expected value. */
export function compareField(
  typeUrl: string,
  bytes: Uint8Array,
  path: readonly FieldStep[],
  match: Match,
): Pick<Evaluation, 'ok' | 'actual'> & Partial<Pick<Evaluation, 'expected'>> {
  const { whole, shown } = contentOf(typeUrl, bytes);
  const found = fieldValue(whole, typeUrl, path);
  const visible = fieldValue(shown, typeUrl, path);
  const ok = fits(match, found.found ? found.value : undefined);
  const isSecret = found.found && visible.found && JSON.stringify(found.value) !== JSON.stringify(visible.value);
  const actual = visible.found ? foundText(match, visible.value) : visible.why;
  return { ok, actual, ...(found.found && { expected: isSecret ? REDACTED : matchText(match) }) };
}

interface Content {
  whole: Json;
  /** Without secrets. */
  shown: Json;
}

/** Caches decoded resources, because a file may check many fields of one large resource. */
const contents = new WeakMap<Uint8Array, Content>();

function contentOf(typeUrl: string, bytes: Uint8Array): Content {
  const known = contents.get(bytes);
  if (known !== undefined) return known;
  const print = (showSecrets: boolean): Json => printAny(xdsCatalogue, typeUrl, bytes, { showSecrets });
  const content = { whole: print(true), shown: print(false) };
  contents.set(bytes, content);
  return content;
}

/** The value at a path in a resource, or why there is none. */
type FieldValue = { found: true; value: Json } | { found: false; why: string };

/**
 * Follows a path through a resource in proto JSON. Proto JSON omits fields with default values, so this function adds
 * them: `lb_policy` is ROUND_ROBIN if the control plane did not set it.
 */
function fieldValue(root: Json, typeUrl: string, path: readonly FieldStep[]): FieldValue {
  let value = root;
  let type = messageType(typeUrl);
  for (const [i, step] of path.entries()) {
    type = actualType(type, value);
    const next = stepInto(type, step);
    const where = i === 0 ? '' : `${formatFieldPath(path.slice(0, i))}: `;
    if (typeof next === 'string') return { found: false, why: `${where}${next}` };
    const inner = innerValue(value, type, next, step);
    if (typeof inner === 'string') return { found: false, why: `${where}${inner}` };
    value = inner.value;
    type = next;
  }
  return { found: true, value };
}

/** Resolves the type of an Any from its `@type`. */
function actualType(type: FieldType, value: Json): FieldType {
  if (type.kind !== 'open' || !isMapping(value) || typeof value['@type'] !== 'string') return type;
  return messageType(value['@type']);
}

function innerValue(value: Json, type: FieldType, next: FieldType, step: FieldStep): { value: Json } | string {
  if (typeof step === 'number') {
    const element = Array.isArray(value) ? value[step] : undefined;
    if (element !== undefined) return { value: element };
    return Array.isArray(value) ? `it has ${value.length} elements, and no [${step}]` : 'it is not a list';
  }
  if (typeof step === 'object') return chosen(value, next, step);
  const field = fieldOf(type, step);
  if (field !== undefined) return fieldOrDefault((value as Record<string, Json>)[field.jsonName], field);
  if (!isMapping(value)) return 'it has no fields';
  const inner = (Object.hasOwn(value, step) ? value[step] : value[lowerCamel(step)]) as Json | undefined;
  return inner === undefined ? `it has no "${step}"${didYouMean(step, Object.keys(value))}` : { value: inner };
}

/** A field that was not sent has its default value, unless its absence has a meaning. */
function fieldOrDefault(value: Json | undefined, field: CatalogueField): { value: Json } | string {
  if (value !== undefined) return { value };
  const { kind } = typeOfField(field);
  if (kind === 'list') return { value: [] };
  if (kind === 'map') return { value: {} };
  if (kind !== 'leaf' || field.oneof !== undefined) return `"${field.name}" is not set`;
  return { value: defaultLeaf(xdsCatalogue, field.type) };
}

/** The first list element whose field has the wanted value. */
function chosen(value: Json, element: FieldType, { key, value: wanted }: { key: string; value: string }) {
  if (!Array.isArray(value)) return 'it is not a list';
  const keyed = value.map((one) => {
    const type = actualType(element, one);
    const inner = typeof stepInto(type, key) === 'string' ? 'no' : innerValue(one, type, type, key);
    return typeof inner === 'string' ? undefined : String(inner.value);
  });
  const index = keyed.indexOf(wanted);
  if (index >= 0) return { value: value[index] as Json };
  const known = keyed.filter((one) => one !== undefined);
  return `no element has ${key}=${wanted}${didYouMean(wanted, known) || (known.length === 0 ? '' : `: there are ${known.slice(0, 5).join(', ')}`)}`;
}
