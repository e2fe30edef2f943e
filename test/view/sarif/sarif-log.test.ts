import { array, assert, constantFrom, integer, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sarifFor } from '../../../src/cli/run/sarif.js';
import type { CliEnvironment } from '../../../src/io/environment.js';
import { filesOnDisk } from '../../../src/io/package-files.js';
import { jsonText } from '../../../src/view/render/json.js';
import type { Analysis, AnalysisResult } from '../../../src/view/sarif/analysis.js';
import { HOSTILE, TEXTS } from '../../cli/hostile.js';
import { ROOT } from '../../support/root.js';
import { readSarif, type SarifResult } from '../../support/sarif.js';

const ENV = { version: '1.2.3', packageFiles: filesOnDisk(ROOT) } as CliEnvironment;

const RULE = { id: 'XI101', severity: 'warning', title: 'A title', what: 'What.', advice: 'Advice.' } as const;

function result(changes: Partial<AnalysisResult> & { source?: string; line?: number } = {}): AnalysisResult {
  const { source = 'a.yaml', line = 3, ...rest } = changes;
  return {
    rule: RULE,
    severity: 'warning',
    message: 'a message',
    place: { source, path: 'a.b', line, column: 5 },
    logical: [
      { name: 'CDS/blue', kind: 'resource' },
      { name: 'a.b', kind: 'member' },
    ],
    identity: ['XI101', 'CDS', 'blue', 'a.b'],
    related: [],
    ...rest,
  };
}

const textOf = (analysis: Partial<Analysis>): string => {
  const whole = { command: 'validate', results: [], notifications: [], ...analysis };
  return jsonText(sarifFor(whole, { code: 0, isComplete: true }, ENV));
};
const resultsOf = (...results: AnalysisResult[]): SarifResult[] => readSarif(textOf({ results })).results;
const uriOf = (source: string): object | undefined => {
  return resultsOf(result({ source }))[0]?.locations?.[0]?.physicalLocation?.artifactLocation;
};

describe('a SARIF log', () => {
  it('is valid without results, so that code scanning closes its alerts', () => {
    const run = readSarif(textOf({}));
    expect(run).toMatchObject({
      tool: { driver: { name: 'xds-inspect', version: '1.2.3', semanticVersion: '1.2.3', rules: [] } },
      automationDetails: { id: 'xds-inspect/validate/' },
      invocations: [{ exitCode: 0, executionSuccessful: true }],
      columnKind: 'unicodeCodePoints',
      results: [],
    });
    expect(run.invocations[0]).not.toHaveProperty('toolExecutionNotifications');
  });

  it('has each rule once, with its manual page', () => {
    const other = { ...RULE, id: 'XI100', severity: 'error' as const };
    const { tool, results } = readSarif(textOf({ results: [result(), result({ rule: other }), result({ line: 9 })] }));
    expect(tool.driver.rules.map(({ id }) => id)).toEqual(['XI101', 'XI100']);
    expect(results.map(({ ruleIndex }) => ruleIndex)).toEqual([0, 1, 0]);
    const { help, name, defaultConfiguration } = tool.driver.rules[0] ?? {};
    expect({ name, defaultConfiguration, text: help?.text }).toEqual({
      name: 'ATitle',
      defaultConfiguration: { level: 'warning' },
      text: 'What. Advice.',
    });
    expect(help?.markdown).toContain('# XI101: gRPC ignores part of this resource');
    expect(help?.markdown).not.toMatch(/\]\((?!https?:)/);
  });

  it.each<[source: string, uri: string]>([
    ['a.yaml', 'a.yaml'],
    ['./b/../a b.yaml', 'a%20b.yaml'],
    [`${process.cwd()}/x/ü.yaml`, 'x/%C3%BC.yaml'],
    ['100%41.yaml', '100%2541.yaml'],
    ['a#b?c.yaml', 'a%23b%3Fc.yaml'],
    ['http:x.yaml', 'http%3Ax.yaml'],
    ['a\nb.yaml', 'a%0Ab.yaml'],
  ])('names %j below the current directory by a relative URI', (source, uri) => {
    expect(uriOf(source)).toEqual({ uri, uriBaseId: 'SRCROOT' });
  });

  it('names other files by an absolute URI, and stdin not at all', () => {
    expect(uriOf('/nowhere/a b.yaml')).toEqual({ uri: 'file:///nowhere/a%20b.yaml' });
    expect(uriOf('..')).toEqual({ uri: expect.stringMatching(/^file:\/\/\//) });
    const [stdin] = resultsOf(result({ source: '-' }));
    expect(stdin?.locations).toEqual([{ logicalLocations: expect.any(Array) }]);
    expect(stdin?.message.text).toBe('a message (line 3, column 5)');
    expect(resultsOf(result({ source: '-', logical: [] }))[0]).not.toHaveProperty('locations');
  });

  it('has the fingerprint of a result that only moved, and different ones for two equal results', () => {
    const prints = (...results: AnalysisResult[]): string[] =>
      resultsOf(...results).map(({ partialFingerprints }) => partialFingerprints['xdsInspect/v1'] as string);
    const [first] = prints(result());
    expect(prints(result({ line: 400, message: 'reworded' }))).toEqual([first]);
    expect(prints(result(), result())[0]).toBe(first);
    for (const other of [result({ source: 'b.yaml' }), result({ identity: ['XI101', 'CDS', 'red', 'a.b'] })])
      expect(prints(other)).not.toContain(first);
  });

  it('has no links that a message makes, and no hidden characters', () => {
    const message = `see [here](http://evil.example) ${HOSTILE.direction}`;
    const text = resultsOf(result({ message }))[0]?.message.text;
    expect(text).toContain(String.raw`\[here\](http`);
    expect(text).toContain('user\\\\u{202e}gnp');
    expect(resultsOf(result({ message: 'a[0].b' }))[0]?.message.text).toBe('a[0].b');
  });

  it('is valid whatever names, paths and messages are', () => {
    const hostile = constantFrom(...TEXTS, '', '\ud800', '//host/x', '[a](1)', '{0}', '%', 'C:\\x');
    const text = string({ unit: 'binary', maxLength: 12 })
      .chain((random) => constantFrom(random, random))
      .map(String);
    const any = constantFrom(0, 1).chain((kind) => (kind === 0 ? hostile : text));
    const places = record({ source: any, path: any, line: integer({ min: 1 }), column: integer({ min: 1 }) });
    const results = array(
      record({ message: any, place: places, name: any, path: any, severity: constantFrom('error', 'warning', 'note') }),
      { maxLength: 4 },
    );
    assert(
      property(results, (all) => {
        const made = all.map(({ message, place, name, path, severity }) => {
          const changes = { message, place, severity, identity: [name, path], related: [{ message: name, place }] };
          return { ...result(), ...changes, logical: [name, path].map((one) => ({ name: one, kind: 'x' })) };
        });
        const notifications = made.map(({ message, place, severity }) => ({ id: 'x', severity, message, place }));
        const printed = textOf({ results: made, notifications });
        expect(readSarif(printed).results).toHaveLength(all.length);
        expect(printed).not.toMatch(/[^\n\P{Cc}]|\u202e/u);
      }),
      { numRuns: 200 },
    );
  });
});
