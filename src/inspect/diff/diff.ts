import { typeNameOf } from '../../proto/json/type-name.js';
import { typeUrlOf } from '../../proto/resource-types.js';
import { Comparison } from './comparison.js';
import type { ElementMatch } from './element-match.js';
import { keysOf } from './identity.js';
import { ElementLabels } from './labels.js';
import { matchOrdered } from './ordered.js';
import { pathText, type Step } from './path.js';
import { isObject, type Rule } from './rule.js';
import { anyType, elementRule, entryRule, resourceRule, ruleOf } from './schema.js';
import { matchUnordered } from './unordered.js';

/** One difference between two resources. */
export interface Change {
  /** The place as text, such as `virtual_hosts[orders].routes[2].route.cluster`. Empty for the whole resource. */
  path: string;
  steps: readonly Step[];
  /**
   * `moved`: an element of a list whose order matters is in another place; the last step has both indexes. If its
   * contents differ too, further changes follow.
   */
  kind: 'added' | 'removed' | 'changed' | 'moved';
  /** The value before; `undefined` if it was added. */
  before: unknown;
  /** The value after; `undefined` if it was removed. */
  after: unknown;
}

export interface ResourceDiff {
  /** Empty if and only if the resources are equal. */
  changes: Change[];
  /** Sentences on what the changes do not show. */
  notes: string[];
}

/** Values that are nested deeper are compared as a whole: resources of the API are not, and the stack is limited. */
const MAX_DEPTH = 300;

/**
 * Compares two resources of one type in proto JSON, as `printAny` prints them. Order does not matter for virtual hosts,
 * domains, localities, endpoints, filter chains, weighted clusters and maps; it matters for all other lists.
 * @param type `LDS`, `RDS`, `CDS`, `EDS` or a type URL; an `@type` in a resource takes precedence.
 */
export function diffResources(before: unknown, after: unknown, type: string): ResourceDiff {
  const typeUrl = typeUrlOf(type);
  return new Differ().diff(withType(before, typeUrl), withType(after, typeUrl), resourceRule(typeUrl));
}

/** So that a resource with and one without `@type` are equal. */
function withType(resource: unknown, typeUrl: string): unknown {
  return isObject(resource) && !Object.hasOwn(resource, '@type') ? { ...resource, '@type': typeUrl } : resource;
}

class Differ {
  readonly #comparison = new Comparison();
  readonly #changes: Change[] = [];
  readonly #notes: string[] = [];

  diff(before: unknown, after: unknown, rule: Rule): ResourceDiff {
    this.#compare(before, after, rule, []);
    if (this.#comparison.identities.hasOmissions)
      this.#notes.push('A resource is too large to show in full: differences in the omitted parts are unknown.');
    return { changes: this.#changes, notes: this.#notes };
  }

  #compare(before: unknown, after: unknown, rule: Rule, steps: readonly Step[]): void {
    const { identities } = this.#comparison;
    if (identities.of(before, rule) === identities.of(after, rule)) return;
    const count = this.#changes.length;
    if (steps.length < MAX_DEPTH) this.#compareParts(before, after, rule, steps);
    // Also for values without parts in common.
    if (this.#changes.length === count) this.#add('changed', steps, before, after);
  }

  #compareParts(before: unknown, after: unknown, rule: Rule, steps: readonly Step[]): void {
    if (Array.isArray(before) && Array.isArray(after)) this.#compareLists(before, after, rule, steps);
    else if (isObject(before) && isObject(after) && (rule.kind === 'map' || isSameType(before, after)))
      this.#compareObjects(before, after, ruleOf(before, rule), steps);
  }

  #compareObjects(
    before: Record<string, unknown>,
    after: Record<string, unknown>,
    rule: Rule,
    steps: readonly Step[],
  ): void {
    for (const key of new Set([...keysOf(before), ...keysOf(after)])) {
      const inner = [...steps, rule.kind === 'map' ? { key } : { field: key }];
      const [was, is] = [ownValue(before, key), ownValue(after, key)];
      if (was === undefined) this.#add('added', inner, undefined, is);
      else if (is === undefined) this.#add('removed', inner, was, undefined);
      else this.#compare(was, is, entryRule(rule, key), inner);
    }
  }

  #compareLists(before: readonly unknown[], after: readonly unknown[], rule: Rule, steps: readonly Step[]): void {
    const labels = new ElementLabels(before, after, rule);
    for (const match of this.#matches(before, after, rule, steps)) {
      const inner = [...steps, labels.step(match)];
      const was = match.before === undefined ? undefined : before[match.before];
      const is = match.after === undefined ? undefined : after[match.after];
      if (match.before === undefined) this.#add('added', inner, undefined, is);
      else if (match.after === undefined) this.#add('removed', inner, was, undefined);
      else {
        if (match.isMoved === true) this.#add('moved', inner, was, is);
        this.#compare(was, is, elementRule(rule), inner);
      }
    }
  }

  #matches(before: readonly unknown[], after: readonly unknown[], rule: Rule, steps: readonly Step[]): ElementMatch[] {
    if (rule.kind === 'list' && !rule.isOrdered) return matchUnordered(before, after, rule, this.#comparison);
    const { matches, isExact } = matchOrdered(before, after, rule, this.#comparison);
    if (!isExact) this.#notes.push(`${pathText(steps)}: too many differences to find the smallest set of changes.`);
    return matches;
  }

  #add(kind: Change['kind'], steps: readonly Step[], before: unknown, after: unknown): void {
    this.#changes.push({ path: pathText(steps), steps, kind, before, after });
  }
}

/** Whether two messages in an Any have the same type, or both have none. With different types, no field is comparable. */
function isSameType(before: unknown, after: unknown): boolean {
  const [was, is] = [anyType(before), anyType(after)];
  return (was === undefined ? undefined : typeNameOf(was)) === (is === undefined ? undefined : typeNameOf(is));
}

function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
