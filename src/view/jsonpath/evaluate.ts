import { UsageError } from '../../base/failure.js';
import { isMapping } from '../../base/shape.js';
import type { Filter, Operand, Operator, Path, Selector, Step, Template } from './template.js';

/** A part of the output: a text of the template, or a value of the document. */
export type Piece = { text: string } | { value: unknown };

/** Repeated `..` and nested ranges can visit values much more often than the document has values. */
const MAX_VISITS = 50_000_000;

/** Evaluates a template on a document, part by part. A path without values prints nothing. */
export function evaluate(template: Template, document: unknown, maxVisits = MAX_VISITS): Iterable<Piece> {
  return new Evaluation(document, maxVisits).pieces(template, plain(document));
}

class Evaluation {
  readonly #document: unknown;
  readonly #maxVisits: number;
  #visits = 0;

  constructor(document: unknown, maxVisits: number) {
    this.#document = plain(document);
    this.#maxVisits = maxVisits;
  }

  *pieces(template: Template, current: unknown): Iterable<Piece> {
    for (const node of template) {
      this.#visit();
      if (node.kind === 'text') yield { text: node.text };
      else if (node.kind === 'range')
        for (const value of this.#select(node.path, current)) yield* this.pieces(node.body, value);
      else {
        let isFirst = true;
        for (const value of this.#select(node.path, current)) {
          if (!isFirst) yield { text: ' ' };
          isFirst = false;
          yield { value };
        }
      }
    }
  }

  #select({ isAbsolute, steps }: Path, current: unknown): Iterable<unknown> {
    let source = (): Iterable<unknown> => [isAbsolute ? this.#document : current];
    for (const step of steps) {
      const before = source;
      source = () => this.#apply(step, before);
    }
    return source();
  }

  *#apply(step: Step, before: () => Iterable<unknown>): Iterable<unknown> {
    // As kubectl does, a union prints all values of its first member first.
    if (step.kind === 'union') for (const member of step.members) yield* this.#apply(member, before);
    else
      for (const value of before()) {
        this.#visit();
        yield* this.#selected(step, value);
      }
  }

  #selected(selector: Selector, value: unknown): Iterable<unknown> {
    switch (selector.kind) {
      case 'child':
        return child(value, selector.name) ?? nestedChild(value, selector.nested);
      case 'all':
        return children(value);
      case 'index':
        return Array.isArray(value) ? value.slice(selector.index, selector.index + 1 || undefined).map(element) : [];
      case 'slice':
        return Array.isArray(value) ? slice(value, selector) : [];
      case 'descend':
        return this.#descendants(value);
      case 'filter':
        return Array.isArray(value) ? this.#filtered(selector.filter, value) : [];
    }
  }

  /** The value and all values in it, parents first. */
  *#descendants(value: unknown): Iterable<unknown> {
    const open = [[value].values()];
    for (;;) {
      const next = open.at(-1)?.next();
      if (next === undefined) return;
      if (next.done === true) open.pop();
      else {
        this.#visit();
        yield next.value;
        open.push(children(next.value).values());
      }
    }
  }

  *#filtered(filter: Filter, list: readonly unknown[]): Iterable<unknown> {
    for (const one of list) {
      this.#visit();
      const value = element(one);
      if (this.#matches(filter, value)) yield value;
    }
  }

  #matches(filter: Filter, current: unknown): boolean {
    if (filter.kind === 'exists') return first(this.#select(filter.path, current)) !== undefined;
    const [left, right] = [this.#operand(filter.left, current), this.#operand(filter.right, current)];
    return left !== undefined && right !== undefined && compare(filter.operator, left, right);
  }

  #operand(operand: Operand, current: unknown): unknown {
    return operand.kind === 'literal' ? operand.value : first(this.#select(operand.path, current));
  }

  #visit(): void {
    if (++this.#visits <= this.#maxVisits) return;
    throw new UsageError(
      `the jsonpath expression visits more than ${this.#maxVisits} values: use fewer .. and nested ranges`,
    );
  }
}

/** A value as `JSON.stringify` sees it; undefined if it omits the value. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}

/** An element of a list: JSON has null for one that it would omit elsewhere. */
function element(value: unknown): unknown {
  return plain(value) ?? null;
}

function child(value: unknown, name: string): unknown[] | undefined {
  const found = isMapping(value) && Object.hasOwn(value, name) ? plain(value[name]) : undefined;
  return found === undefined ? undefined : [found];
}

/** kubectl reads a dot in quotes as a step: `['metadata.name']`. */
function nestedChild(value: unknown, names: readonly string[]): unknown[] {
  if (names.length < 2) return [];
  let inner: unknown = value;
  for (const name of names) inner = child(inner, name)?.[0];
  return inner === undefined ? [] : [inner];
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.map(element);
  return isMapping(value)
    ? Object.values(value)
        .map(plain)
        .filter((one) => one !== undefined)
    : [];
}

function slice(list: readonly unknown[], { from, to, step }: Extract<Selector, { kind: 'slice' }>): unknown[] {
  return list
    .slice(from, to)
    .filter((_, i) => i % step === 0)
    .map(element);
}

function first(values: Iterable<unknown>): unknown {
  for (const value of values) return value;
  return undefined;
}

/** Values of different types are not equal, and only numbers and texts have an order. */
function compare(operator: Operator, left: unknown, right: unknown): boolean {
  if (operator === '==') return isScalar(left) && left === right;
  if (operator === '!=') return !isScalar(left) || left !== right;
  const isOrdered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!isOrdered) return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
