import { describe, expect, it } from 'vitest';
import {
  findingsOf,
  joinReports,
  outcomeOf,
  suppressIn,
  unreadableFile,
  validateFile,
} from '../../../src/inspect/validate/files.js';
import { validateDocument, validateSuites } from '../../../src/view/validate.js';
import { CONTEXT } from '../../resources/context.js';

const CLUSTER = 'name: c\ntype: EDS\neds_cluster_config: { eds_config: { ads: {} } }\n';
const report = (text: string) => validateFile('c.yaml', new TextEncoder().encode(text), CONTEXT);
const codes = (text: string, suppressed: string[] = []): string[] =>
  findingsOf(suppressIn(report(text), new Set(suppressed))).map(({ code }) => code);

const GOOD = report(CLUSTER);
const NACKED = `${CLUSTER}lb_policy: LEAST_REQUEST\n`;
const IGNORED = `${CLUSTER}health_checks: [{}]\n`;

describe('the outcome of validate', () => {
  it('is success without findings', () => {
    expect(outcomeOf(GOOD, 'note')).toBe('success');
  });

  it('is findings for a NACK at every threshold, also if its notes are suppressed', () => {
    expect(outcomeOf(suppressIn(report(NACKED), new Set(['XI104', 'XI100'])), 'error')).toBe('findings');
  });

  it('is findings for an ignored part at the threshold "warning"', () => {
    expect(outcomeOf(report(IGNORED), 'error')).toBe('success');
    expect(outcomeOf(report(IGNORED), 'warning')).toBe('findings');
    expect(outcomeOf(suppressIn(report(IGNORED), new Set(['XI101'])), 'warning')).toBe('success');
  });

  it('is unreadable if one of the files is unreadable', () => {
    expect(outcomeOf(joinReports([report(NACKED), unreadableFile('x', 'gone')]), 'error')).toBe('unreadable');
  });
});

describe('suppressing findings of a file', () => {
  it('hides every note with XI104 and one note with its own code', () => {
    const notes = codes(NACKED).filter((code) => code === 'XI104');
    expect(notes.length).toBeGreaterThan(2);
    expect(codes(NACKED, ['XI104'])).toEqual(['XI100']);
    expect(codes(NACKED, ['DC53']).filter((code) => code === 'XI104')).toHaveLength(notes.length - 1);
  });

  it('never hides the errors for which gRPC rejects a resource', () => {
    expect(codes(NACKED, ['XI100', 'XI104'])).toEqual(['XI100']);
  });
});

describe('findings of a file', () => {
  it('contain the position and the advice of the catalogue', () => {
    expect(findingsOf(report(NACKED))[0]).toEqual({
      code: 'XI100',
      severity: 'error',
      place: { source: 'c.yaml', path: 'lb_policy', line: 4, column: 1 },
      message: 'LB policy is not supported',
      advice: 'Correct the field.',
    });
  });

  it('are at the start of a file that cannot be read', () => {
    expect(findingsOf(unreadableFile('x.yaml', 'permission denied'))).toEqual([
      {
        ...{ code: 'unreadable', severity: 'error', message: 'permission denied', advice: '' },
        place: { source: 'x.yaml', path: '', line: 1, column: 1 },
      },
    ]);
  });

  it('are problems, ignored parts and notes in the document', () => {
    expect(validateDocument(joinReports([report(IGNORED), report('{')]), 'spec')).toMatchObject({
      schema: 'xds-inspect/validate/v1',
      as: 'spec',
      responses: [{ verdict: 'ACK', resources: [{ problems: [], ignored: [{ kind: 'field', line: 4 }], line: 1 }] }],
      unreadable: [{ source: 'c.yaml', problems: [{ path: '' }] }],
    });
  });

  it('are failures of a test case if they are errors, otherwise its output', () => {
    const [suite] = validateSuites(joinReports([report(NACKED), report(IGNORED)]));
    expect(suite?.cases.map(({ failures }) => failures)).toEqual([['4:1 lb_policy: LB policy is not supported'], []]);
    expect(suite?.cases[1]?.remarks[0]).toMatch(/^4:1 health_checks: ignored: /);
  });
});
