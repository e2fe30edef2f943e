import { describe, expect, it } from 'vitest';
import { joinReports, outcomeOf, validateFile } from '../../../src/inspect/validate/files.js';
import { readServedResources } from '../../../src/io/served-resources.js';
import { validateDocument, validateSuites } from '../../../src/view/validate.js';
import { CONTEXT } from '../context.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Files without resources; `validate` and `serve` agree on them. */
const EMPTY: [what: string, text: string][] = [
  ['an empty list', '[]'],
  ['nothing', ''],
  ['white space', ' \n\n'],
  ['a comment', '# later\n'],
  ['separators of documents', '---\n---\n'],
  ['null', 'null'],
  ['a response without resources and type', 'resources: []'],
];

const UNREADABLE: [what: string, text: string][] = [
  ['a mapping without a field, which may be any type', '{}'],
  ['a list of nothing', '[null]'],
  ['a list of empty lists', '[[]]'],
  ['a text', 'hello'],
];

describe('a resource file with', () => {
  it.each(EMPTY)('%s contains no resources', (_, text) => {
    const report = validateFile('f.yaml', bytes(text), CONTEXT);
    expect(report).toEqual({ responses: [], unreadable: [], empty: ['f.yaml'] });
    expect(outcomeOf(report, 'note')).toBe('success');
    expect(readServedResources([{ path: 'f.yaml', text }])).toEqual({ resources: [], problems: [], unknownParts: [] });
  });

  it.each(UNREADABLE)('%s is unreadable', (_, text) => {
    expect(outcomeOf(validateFile('f.yaml', bytes(text), CONTEXT), 'note')).toBe('unreadable');
    expect(readServedResources([{ path: 'f.yaml', text }]).problems).toHaveLength(1);
  });

  it('a type and an empty list of resources is a response of that type', () => {
    const report = validateFile('f.yaml', bytes('type_url: CDS\nresources: []'), CONTEXT);
    expect(report).toMatchObject({ responses: [{ type: 'CDS', verdict: 'ACK', resources: [] }], empty: [] });
  });

  it('no bytes is an empty binary file', () => {
    expect(validateFile('f.binpb', bytes(''), CONTEXT)).toEqual({ responses: [], unreadable: [], empty: ['f.binpb'] });
  });

  it('no resources is listed in JSON, and a test case in JUnit', () => {
    const reports = ['a.yaml', 'b.yaml'].map((source) => validateFile(source, bytes('[]'), CONTEXT));
    const report = joinReports(reports);
    expect(validateDocument(report, 'spec')).toMatchObject({ empty: ['a.yaml', 'b.yaml'] });
    expect(validateSuites(report)).toMatchObject([
      { name: 'a.yaml', cases: [{ name: 'readable', failures: [] }] },
      { name: 'b.yaml', cases: [{ name: 'readable', failures: [] }] },
    ]);
  });
});
