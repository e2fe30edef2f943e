import { describe, expect, it } from 'vitest';
import { Problems } from '../../src/base/problem.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseAny } from '../../src/proto/json/parse.js';
import { readResourceSwitches } from '../../src/resources/context.js';
import { RESOURCE_VALIDATORS } from '../../src/resources/registry.js';
import { CONTEXT } from './context.js';
import { type Fixture, fixtureJson, type Rule, ruleTables, type Table } from './rule-tables.js';

function validateFixture(table: Table, fixture: Fixture): { problems: string[]; ignored: string[] } {
  const json = fixtureJson(table, fixture);
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

describe.each(ruleTables())('$file', ({ table }) => {
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
