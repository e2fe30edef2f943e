import { Scanner, TemplateProblem } from './scanner.js';
import {
  type Filter,
  OPERATORS,
  type Operand,
  type Path,
  type Selector,
  type Step,
  type Template,
} from './template.js';

export type ParsedTemplate = { ok: true; template: Template } | { ok: false; message: string; offset: number };

const MAX_LENGTH = 4096;
const MAX_STEPS = 100;
const MAX_RANGES = 16;

/** Parses a template, or an expression without braces. */
export function parseTemplate(text: string): ParsedTemplate {
  try {
    if (text.trim() === '') throw new TemplateProblem('the expression is empty', 0);
    if (text.length > MAX_LENGTH)
      throw new TemplateProblem(`an expression has at most ${MAX_LENGTH} characters`, MAX_LENGTH);
    const parser = new Parser(text);
    return { ok: true, template: text.includes('{') ? parser.template() : parser.bareExpression() };
  } catch (error) {
    if (error instanceof TemplateProblem) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

class Parser {
  readonly #in: Scanner;
  #isInFilter = false;

  constructor(text: string) {
    this.#in = new Scanner(text);
  }

  bareExpression(): Template {
    this.#in.skipSpaces();
    const first: Step[] = /^[^.[$@]/.test(this.#in.text.trimStart()) ? [this.#field()] : [];
    const { isAbsolute, steps } = this.#path();
    this.#in.skipSpaces();
    if (!this.#in.isAtEnd) this.#unexpected('the end of the expression');
    return [{ kind: 'values', path: { isAbsolute, steps: [...first, ...steps] } }];
  }

  template(): Template {
    const nodes = this.#nodes(0);
    if (!this.#in.isAtEnd) this.#in.fail('{end} without {range}');
    return nodes;
  }

  /** Nodes up to the end of the template or of the range. */
  #nodes(depth: number): Template {
    const nodes: Template[number][] = [];
    for (;;) {
      const text = this.#in.readText();
      if (text !== '') nodes.push({ kind: 'text', text });
      if (this.#in.isAtEnd) return nodes;
      const start = this.#in.position;
      this.#in.take('{');
      this.#in.skipSpaces();
      if (this.#in.takeMatch(/end(?=[\s}])/) !== undefined) {
        this.#in.position = start;
        return nodes;
      }
      nodes.push(this.#action(start, depth));
    }
  }

  #action(start: number, depth: number): Template[number] {
    if (/["']/.test(this.#in.text[this.#in.position] ?? '')) {
      const text = this.#in.readString();
      this.#close();
      return { kind: 'text', text };
    }
    const isRange = this.#in.takeMatch(/range(?=[\s}])/) !== undefined;
    this.#in.skipSpaces();
    if (isRange && this.#in.startsWith('}')) this.#in.fail('range requires a path: {range .items[*]}');
    const path = this.#path();
    this.#close();
    if (!isRange) return { kind: 'values', path };
    if (depth === MAX_RANGES) this.#in.fail(`at most ${MAX_RANGES} ranges can be nested`, start);
    const body = this.#nodes(depth + 1);
    if (this.#in.isAtEnd) this.#in.fail('this range has no {end}', start);
    this.#in.takeMatch(/\{\s*end/);
    this.#close();
    return { kind: 'range', path, body };
  }

  #close(): void {
    this.#in.skipSpaces();
    if (!this.#in.take('}')) this.#unexpected('}');
  }

  #path(): Path {
    const isAbsolute = this.#in.take('$');
    if (!isAbsolute) this.#in.take('@');
    const steps: Step[] = [];
    for (;;) {
      const start = this.#in.position;
      if (this.#in.take('..')) {
        steps.push({ kind: 'descend' });
        steps.push(this.#in.startsWith('[') ? this.#brackets() : this.#field());
      } else if (this.#in.take('.')) steps.push(this.#in.take('*') ? { kind: 'all' } : this.#field());
      else if (this.#in.startsWith('[')) steps.push(this.#brackets());
      else return { isAbsolute, steps };
      if (steps.length > MAX_STEPS) this.#in.fail(`a path has at most ${MAX_STEPS} steps`, start);
    }
  }

  #field(): Selector {
    if (this.#in.startsWith('@')) this.#in.fail(`quote a name that begins with @: ['@type']`);
    return { kind: 'child', name: this.#in.readName(), nested: [] };
  }

  #brackets(): Step {
    const start = this.#in.position;
    this.#in.take('[');
    this.#in.skipSpaces();
    const members: Selector[] = [];
    do {
      this.#in.skipSpaces();
      members.push(this.#member());
      this.#in.skipSpaces();
    } while (this.#in.take(','));
    if (this.#in.isAtEnd) this.#in.fail('this bracket is not closed', start);
    if (!this.#in.take(']')) this.#unexpected(']');
    const [first, ...others] = members;
    return others.length === 0 ? (first as Selector) : { kind: 'union', members };
  }

  #member(): Selector {
    const start = this.#in.position;
    if (this.#in.take('*')) return { kind: 'all' };
    if (this.#in.take('?')) return { kind: 'filter', filter: this.#filter(start) };
    if (/["']/.test(this.#in.text[start] ?? '')) return { kind: 'child', ...this.#in.readKey() };
    if (this.#in.startsWith('(')) this.#in.fail('scripts are not supported');
    const slice = this.#in.takeMatch(/(-?\d{1,15})?:(-?\d{1,15})?(?::(-?\d{1,15})?)?/);
    if (slice !== undefined) return sliceOf(slice) ?? this.#in.fail('the step of a slice must be at least 1', start);
    const index = this.#in.takeMatch(/-?\d{1,15}/);
    if (index !== undefined) return { kind: 'index', index: Number(index[0]) };
    return this.#in.fail(`brackets contain an index, a slice, *, a key in quotes or a filter, not ${this.#in.next}`);
  }

  #filter(start: number): Filter {
    if (this.#isInFilter) this.#in.fail('a filter cannot contain a filter', start);
    if (!this.#in.take('(')) this.#unexpected('(');
    this.#isInFilter = true;
    const left = this.#operand();
    this.#in.skipSpaces();
    const filter = this.#in.startsWith(')') ? this.#existence(left, start) : this.#comparison(left);
    this.#isInFilter = false;
    this.#in.skipSpaces();
    if (/^(?:&&|\|\|)/.test(this.#in.text.slice(this.#in.position)))
      this.#in.fail('a filter has one comparison: && and || are not supported');
    if (!this.#in.take(')')) this.#unexpected(')');
    return filter;
  }

  #existence(operand: Operand, start: number): Filter {
    if (operand.kind === 'literal') this.#in.fail('a filter requires a path: [?(@.name=="a")]', start);
    return { kind: 'exists', path: operand.path };
  }

  #comparison(left: Operand): Filter {
    const start = this.#in.position;
    if (this.#in.startsWith('=~')) this.#in.fail('regular expressions are not supported');
    const operator = OPERATORS.find((one) => this.#in.take(one));
    if (operator === undefined) this.#unexpected(`one of ${OPERATORS.join(' ')}`);
    const right = this.#operand();
    if (left.kind === 'literal' && right.kind === 'literal')
      this.#in.fail('one side of a comparison must be a path: @.name', start);
    for (const operand of [left, right])
      if (operand.kind === 'path' && !operand.path.steps.every(({ kind }) => kind === 'child' || kind === 'index'))
        this.#in.fail('a comparison requires a path to one value, without *, .. and slices', start);
    return { kind: 'compare', operator, left, right };
  }

  #operand(): Operand {
    this.#in.skipSpaces();
    const start = this.#in.position;
    if (/["']/.test(this.#in.text[start] ?? '')) return { kind: 'literal', value: this.#in.readString() };
    const number = this.#in.takeMatch(/[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?/i);
    if (number !== undefined) return { kind: 'literal', value: Number(number[0]) };
    const word = this.#in.takeMatch(/(?:true|false)(?![\w-])/);
    if (word !== undefined) return { kind: 'literal', value: word[0] === 'true' };
    if (!/[.[$@]/.test(this.#in.text[start] ?? ''))
      this.#in.fail(`a path (@.name), a text in quotes, a number, true or false must follow, not ${this.#in.next}`);
    return { kind: 'path', path: this.#path() };
  }

  #unexpected(wanted: string): never {
    const next = this.#in.next;
    if (next === '"("') this.#in.fail('functions are not supported');
    return this.#in.fail(`${wanted} must follow, not ${next}`);
  }
}

function sliceOf([, from, to, step]: RegExpExecArray): Selector | undefined {
  const number = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  const by = number(step) ?? 1;
  return by < 1 ? undefined : { kind: 'slice', from: number(from), to: number(to), step: by };
}
