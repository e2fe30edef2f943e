import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatPath } from '../../../src/base/problem.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { ROOT } from '../../support/root.js';
import { BAD, GOOD, READER_ONLY } from './files.js';

const schema = JSON.parse(readFileSync(join(ROOT, 'docs/schemas/expectations.schema.json'), 'utf8'));
const validate = new Ajv({ allowUnionTypes: true }).compile(schema);

function problemsOf(text: string): string[] {
  const result = readExpectations(text);
  if (result.ok) return [];
  return result.problems.map(({ line, column, path, message }) => {
    const place = path.length === 0 ? '' : `${formatPath(path)}: `;
    return `${line}:${column} ${place}${message}`;
  });
}

describe('an expectations file', () => {
  it.each(GOOD)('with %s is accepted by the reader and the schema', (_what, text) => {
    expect(problemsOf(text)).toEqual([]);
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(BAD)('with %s is rejected by the reader and the schema', (_what, text, wanted) => {
    const problems = problemsOf(text);
    expect(problems).toEqual(wanted.map((one) => expect.stringContaining(one)));
    expect(validate(parse(text))).toBe(false);
  });

  it.each(READER_ONLY)('with %s is rejected by the reader only', (_what, text, wanted) => {
    const problems = problemsOf(text);
    expect(problems).toEqual(wanted.map((one) => expect.stringContaining(one)));
  });

  it('uses its top level as the default of its targets, and keeps positions', () => {
    const result = readExpectations(
      'settled_within: 5s\nnever: [NACKED]\nobserve: 1s\ntargets:\n  - a\n  - { target: b, never: [TIMEOUT], observe: 2s }\n',
    );
    if (!result.ok) throw new Error('not read');
    const [a, b] = result.file.targets;
    expect(a).toMatchObject({ target: 'a', observe: 1000 });
    expect(a?.expectations.map(({ name, at }) => [name, at.line, at.column])).toEqual([
      ['verdict', 5, 5],
      ['settled within 5.0 s', 1, 1],
      ['never NACKED', 2, 9],
      ['no forbidden findings', 5, 5],
    ]);
    expect(b).toMatchObject({ target: 'b', observe: 2000 });
    expect(b?.expectations.map(({ name, at }) => [name, at.line, at.column])).toEqual([
      ['verdict', 6, 7],
      ['settled within 5.0 s', 1, 1],
      ['never TIMEOUT', 6, 26],
      ['no forbidden findings', 6, 7],
    ]);
  });

  it('keeps the position of every expectation of a resource', () => {
    const lines = [
      'targets:',
      '  - target: a',
      '    resources:',
      '      EDS/e:',
      '        status: NACKED',
      '        version: "7"',
      '        error: INTERNAL',
      '        fields:',
      '          cluster_name: e',
      '        endpoints:',
      '          healthy: 0',
    ];
    const result = readExpectations(lines.join('\n'));
    if (!result.ok) throw new Error('not read');
    const expectations = result.file.targets[0]?.expectations.filter(({ name }) => name.startsWith('EDS/e')) ?? [];
    expect(expectations.map(({ kind, at }) => [kind, at.line])).toEqual([
      ['status', 5],
      ['version', 6],
      ['error', 7],
      ['field', 9],
      ['endpoints', 11],
    ]);
  });

  it.each<[keys: string, expectation: object | undefined]>([
    ['', { kind: 'verdict', verdicts: ['ok'] }],
    ['ready: true', { kind: 'verdict', verdicts: ['ok'] }],
    ['ready: false', { kind: 'verdict', verdicts: ['fails', 'waiting'] }],
    ['verdict: partly', { kind: 'verdict', verdicts: ['partly'] }],
    ['verdict: any', undefined],
    ['rpcs: [/a.B/C], resources: { CDS/a: ACKED }', { kind: 'verdict', verdicts: ['ok'] }],
    ['rpcs: [{ expect: { status: UNAVAILABLE } }]', { kind: 'configured' }],
    ['ready: true, rpcs: [{ expect: { status: UNAVAILABLE } }]', { kind: 'configured' }],
    ['resources: { CDS/a: NACKED }', { kind: 'configured' }],
    ['resources: { CDS/a: { error: NOT_FOUND } }', { kind: 'configured' }],
    ['resources: { EDS/a: { endpoints: { healthy: 0 } } }', { kind: 'configured' }],
    ['resources: { EDS/a: { endpoints: { healthy: "<1" } } }', { kind: 'configured' }],
    ['resources: { EDS/a: { endpoints: { healthy: "<=5", draining: 0 } } }', { kind: 'verdict', verdicts: ['ok'] }],
    ['verdict: ok, resources: { CDS/a: NACKED }', { kind: 'verdict', verdicts: ['ok'] }],
  ])('expects a verdict that fits its other expectations: { %s }', (keys, expectation) => {
    const result = readExpectations(`targets: [{ target: a${keys === '' ? '' : `, ${keys}`} }]`);
    if (!result.ok) throw new Error('not read');
    const [first, ...others] = result.file.targets[0]?.expectations ?? [];
    const isFirst = first?.kind === 'verdict' || first?.kind === 'configured';
    expect(isFirst ? first : undefined).toEqual(expectation && expect.objectContaining(expectation));
    expect(others.filter(({ kind }) => kind === 'verdict' || kind === 'configured')).toEqual([]);
  });
});
