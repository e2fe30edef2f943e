import { readdirSync, readFileSync } from 'node:fs';
import { parseSource } from '../../src/base/document.js';

export interface Fixture {
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

export interface Rule extends Fixture {
  rule: string;
  breaks: Partial<Fixture>[];
  holds: Partial<Fixture>[];
}

export interface Table {
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

/** Returns the resource of a fixture in proto JSON. */
export function fixtureJson(table: Table, fixture: Fixture): Container {
  const json = structuredClone(table.base[fixture.base] ?? {});
  for (const [path, value] of Object.entries(fixture.change ?? {})) change(json, path, value);
  return json;
}

const folder = new URL('../../fixtures/resources/rules/', import.meta.url);

export function ruleTables(): { file: string; table: Table }[] {
  return readdirSync(folder).map((file) => {
    const { value, problems } = parseSource(readFileSync(new URL(file, folder), 'utf8'));
    if (problems.length > 0) throw new Error(`${file}: ${problems[0]?.message}`);
    return { file, table: expand(value, (value as Table).names) as Table };
  });
}
