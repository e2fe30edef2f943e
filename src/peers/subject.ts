import type { FieldError } from '../base/validation-errors.js';
import { parseXdsName } from '../base/xds-name.js';
import type { Json } from '../proto/json/well-known.js';
import type { ResourceContext } from '../resources/context.js';
import type { ValidationResult } from '../resources/validation-result.js';
import type { LocatedValue } from './located-value.js';

/** A resource that C-core has judged. */
export interface Subject {
  /** Of the resource: `envoy.config.cluster.v3.Cluster`. */
  typeName: string;
  /** As `printAny` prints it; `undefined` where the bytes are no such message. */
  json: Json | undefined;
  bytes: Uint8Array;
  /** `undefined` where the bytes are no such message. */
  result: ValidationResult<unknown> | undefined;
  context: ResourceContext;
  /** The type URLs under which it came in a response, that of a `Resource` around it first. */
  envelope?: { typeUrls: readonly string[] };
}

/** What C-core says of a resource whose bytes are no such message. */
export const UNDECODABLE = 'the bytes are no such message';

/** What C-core says of a name that it cannot read. */
export const UNREADABLE_NAME = 'Cannot parse xDS resource name';

/** All that C-core has against a resource; none if it takes it. */
export function problemsOf({ result, typeName, context }: Subject): FieldError[] {
  if (result === undefined) return [{ path: '', steps: [], reason: UNDECODABLE }];
  const problems = result.ok ? [] : result.problems;
  if (parseXdsName(result.name, typeName, context.switches.federation) !== undefined) return problems;
  return [...problems, { path: '', steps: [], reason: UNREADABLE_NAME }];
}

/** The resource as the place from which queries start; none where it is undecodable or of another type. */
export function resourceOf(subject: Subject, shortName: string): LocatedValue[] {
  if (subject.json === undefined || !subject.typeName.endsWith(`.${shortName}`)) return [];
  return [{ path: '', value: subject.json }];
}
