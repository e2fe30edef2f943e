import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSource } from '../../src/base/document.js';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { readResourceSwitches } from '../../src/resources/context.js';
import { RESOURCE_VALIDATORS } from '../../src/resources/registry.js';
import { CONTEXT } from './context.js';

interface Fixture {
  base: string;
  /** New values by path in the base; null deletes a value. */
  change?: Record<string, unknown>;
  problems?: string[];
  ignored?: string[];
  switches?: Record<string, string>;
  trusted?: boolean;
  providers?: string[];
  allowed?: string[];
}

interface Rule extends Fixture {
  rule: string;
  breaks: Partial<Fixture>[];
  holds: Partial<Fixture>[];
}

interface Table {
  names: Record<string, string>;
  base: Record<string, Container>;
  rules: Rule[];
}

type Container = Record<string | number, unknown>;

/**
 * Expands placeholders: `<Name>` stands for the text with that name in the table, and `(text)*3` for three copies of
 * the text. A key with `(text)*1-3` stands for three keys.
 */
function expand(value: unknown, names: Record<string, string>): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/<(\w+)>/g, (all, name) => (name in names ? String(expand(names[name], names)) : all));
    return text.replace(/\(([^()]*)\)\*(\d+)/g, (_, part: string, times) => part.repeat(Number(times)));
  }
  if (Array.isArray(value)) return value.map((one) => expand(one, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, one]) => keysOf(key).map((each) => [expand(each, names), one]));
  return Object.fromEntries(entries.map(([key, one]) => [key, expand(one, names)]));
}

function keysOf(key: string): string[] {
  const [all, first, last] = /\*(\d+)-(\d+)/.exec(key) ?? [];
  if (all === undefined) return [key];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => key.replace(all, `*${Number(first) + i}`));
}

const url = (type: string | undefined) => `type.googleapis.com/${type}`;

/**
 * Changes the value at a path as C-core prints it. `.value[type]` is not a step; it sets the type of an Any that does
 * not exist yet.
 */
function change(root: Container, path: string, value: unknown): void {
  let here = root;
  const steps = [...path.matchAll(/\.value\[([\w.]+)\]|\.?([^.[]+)|\[([^\]]*)\]/g)];
  const type = steps.at(-1)?.[1];
  if (type !== undefined) steps.pop();
  for (const [i, [, anyType, name, bracket]] of steps.entries()) {
    const key = name ?? bracket ?? '';
    const next = steps[i + 1]?.[0];
    if (anyType !== undefined) here['@type'] ??= url(anyType);
    else if (next !== undefined) {
      here[key] ??= /^\[\d+\]$/.test(next) ? [] : {};
      here = here[key] as Container;
    } else if (value === null) delete here[key];
    else here[key] = type === undefined ? value : { '@type': url(type), ...(value as object) };
  }
}

function validateFixture(table: Table, fixture: Fixture): { problems: string[]; ignored: string[] } {
  const json = structuredClone(table.base[fixture.base] ?? {});
  for (const [path, value] of Object.entries(fixture.change ?? {})) change(json, path, value);
  const errors = new Problems();
  const any = parseAny(xdsCatalogue, json, errors);
  expect(errors.list).toEqual([]);
  const validate = RESOURCE_VALIDATORS.get(any?.typeUrl.split('/')[1] ?? '');
  const validated = validate?.(any?.value ?? new Uint8Array(), {
    ...CONTEXT,
    switches: readResourceSwitches(fixture.switches ?? {}, true),
    certificateProviders: new Set(fixture.providers ?? ['provider1']),
    trustedServer: fixture.trusted ?? false,
    allowedGrpcServices: new Set(fixture.allowed ?? []),
  });
  if (validated?.kind !== 'validated') return { problems: [validated?.message ?? 'unknown type'], ignored: [] };
  const { result } = validated;
  const problems = result.ok ? [] : result.problems;
  return {
    problems: problems.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`)),
    ignored: result.ignored.map(({ path }) => path),
  };
}

const folder = new URL('../../fixtures/resources/rules/', import.meta.url);

describe.each(readdirSync(folder))('%s', (file) => {
  const source = parseSource(readFileSync(new URL(file, folder), 'utf8'));
  expect(source.problems).toEqual([]);
  const table = expand(source.value, (source.value as Table).names) as Table;
  for (const { rule, breaks, holds, ...common } of table.rules) {
    it(rule, () => {
      for (const fixture of [...breaks, ...holds]) {
        const { problems = [], ignored = [], ...rest } = { ...common, ...fixture };
        expect(validateFixture(table, rest), JSON.stringify(fixture)).toEqual({ problems, ignored });
      }
    });
  }

  it('has resources that violate and that satisfy each rule', () => {
    const isViolation = ({ problems = [], ignored = [] }: Partial<Fixture>) => problems.length + ignored.length > 0;
    const isComplete = ({ breaks, holds }: Rule) =>
      breaks.length > 0 && breaks.every(isViolation) && holds.length > 0 && holds.every(({ problems }) => !problems);
    expect(table.rules.filter((rule) => !isComplete(rule)).map(({ rule }) => rule)).toEqual([]);
  });
});
