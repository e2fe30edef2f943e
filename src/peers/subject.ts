import type { FieldError } from '../base/validation-errors.js';
import { parseXdsName } from '../base/xds-name.js';
import type { Json } from '../proto/json/well-known.js';
import type { ResourceContext } from '../resources/context.js';
import type { ValidationResult } from '../resources/validation-result.js';
import type { LocatedValue } from './located-value.js';

/** A resource with the result of its validation by C-core's rules. */
export interface Subject {
  /** The type of the resource: `envoy.config.cluster.v3.Cluster`. */
  typeName: string;
  /** The output of `printAny`; `undefined` if the bytes cannot be decoded. */
  json: Json | undefined;
  bytes: Uint8Array;
  /** `undefined` if the bytes cannot be decoded. */
  result: ValidationResult<unknown> | undefined;
  context: ResourceContext;
  /** The type URLs of the resource in a response, with that of its `Resource` wrapper first. */
  envelope?: { typeUrls: readonly string[] };
}

/** The problem of a resource whose bytes cannot be decoded. */
export const UNDECODABLE = 'cannot be decoded';

/** C-core's error for a name that it cannot parse. */
export const UNREADABLE_NAME = 'Cannot parse xDS resource name';

/** Returns C-core's problems with a resource; none if it accepts the resource. */
export function problemsOf({ result, typeName, context }: Subject): FieldError[] {
  if (result === undefined) return [{ path: '', steps: [], reason: UNDECODABLE }];
  const problems = result.ok ? [] : result.problems;
  if (parseXdsName(result.name, typeName, context.switches.federation) !== undefined) return problems;
  return [...problems, { path: '', steps: [], reason: UNREADABLE_NAME }];
}

/** Returns the resource as the starting point of queries; nothing if it cannot be decoded or has another type. */
export function resourceOf(subject: Subject, shortName: string): LocatedValue[] {
  if (subject.json === undefined || !subject.typeName.endsWith(`.${shortName}`)) return [];
  return [{ path: '', value: subject.json }];
}

/** Many rules read the same parts of a resource, which can have many thousands of them. */
export function oncePerSubject(read: (subject: Subject) => LocatedValue[]): (subject: Subject) => LocatedValue[] {
  const known = new WeakMap<Subject, LocatedValue[]>();
  return (subject) => {
    const parts = known.get(subject) ?? read(subject);
    known.set(subject, parts);
    return parts;
  };
}
