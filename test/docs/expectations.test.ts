import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExpectations } from '../../src/inspect/expect/read-expectations.js';
// Loaded before any test begins, since loading it counts against the timeout of a test.
import '../../src/cli/run/check.js';
import { ROOT, startCli } from '../support/cli.js';
import { serving } from '../support/serving.js';

const page = readFileSync(join(ROOT, 'docs/expectations.md'), 'utf8');
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text as string);
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/expectations.schema.json'), 'utf8'));
const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
const SERVED = join(ROOT, 'fixtures/scenarios/check/greeter.yaml');

describe('docs/expectations.md', () => {
  it.each(examples)('has an example that is a valid file: %#', (text) => {
    expect(readExpectations(text)).toMatchObject({ ok: true });
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  // The others name servers that do not exist.
  const held = examples.filter((text) => !/cart|staging/.test(text));
  it.each(held)('has an example whose expectations hold: %#', async (text) => {
    // The bootstrap files do not exist, either.
    const source = text.replace(/^bootstrap: .*\n/m, '');
    const run = startCli(['check', '-'], await serving(SERVED), false, undefined, source);
    const code = await run.done;
    expect(run.stdout).toMatch(/^all \d+ expectations hold/);
    expect(code).toBe(0);
  });

  it('has examples of both kinds', () => {
    expect(held.length).toBeGreaterThan(2);
    expect(examples.length).toBeGreaterThan(held.length);
  });

  it('explains every key of the schema', () => {
    const keys = new Set<string>();
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, inner] of Object.entries(node)) {
        if (key === 'properties') for (const name of Object.keys(inner)) keys.add(name);
        collect(inner);
      }
    };
    collect(schema);
    expect(keys.size).toBeGreaterThan(40);
    expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([]);
  });
});
