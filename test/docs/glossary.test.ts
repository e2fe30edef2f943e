import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGlossary } from '../../src/view/manual/glossary.js';
import { ROOT } from '../support/root.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const terms = readGlossary(read('docs/glossary.md'));

describe('docs/glossary.md', () => {
  it('has its terms in order, without duplicates', () => {
    expect(terms.length).toBeGreaterThan(40);
    const names = terms.map(({ term }) => term);
    const inOrder = [...names].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    expect(names).toEqual(inOrder);
    const words = terms.flatMap(({ term, aliases }) => [term, ...aliases]);
    expect(words.filter((word, i) => words.indexOf(word) < i)).toEqual([]);
  });

  it.each(terms)('explains $term in a sentence and names its source', ({ meaning, text }) => {
    expect(meaning).toMatch(/^[A-Z].{20,230}\.$/);
    expect(text).toMatch(/^Source: (xds-inspect|\[[^\]]+\]\(https:[^)]+\))/m);
  });

  it.each([
    'verdict',
    'cause',
    'client_scope',
    'settled',
    'held back',
    'ambient error',
    'data error',
    'dependency manager',
  ])('has %s, which the screens show', (word) => {
    expect(terms.map(({ term }) => term)).toContain(word);
  });

  it('is linked from the README', () => {
    expect(read('README.md')).toContain('(docs/glossary.md)');
  });
});
