import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../src/view/jsonpath/parse-template.js';
import { templateParts } from '../../../src/view/jsonpath/template-text.js';
import { ROOT } from '../../support/root.js';

interface Recorded {
  kubectl: string;
  document: unknown;
  expressions: { expression: string; prints?: string; fails?: string }[];
}

const RECORDED: Recorded = JSON.parse(readFileSync(join(ROOT, 'fixtures/jsonpath/kubectl.json'), 'utf8'));

/** The output, or undefined if the expression is invalid. */
function printed(expression: string): string | undefined {
  const parsed = parseTemplate(expression);
  return parsed.ok ? [...templateParts(parsed.template, RECORDED.document)].join('') : undefined;
}

/** Intended differences from kubectl, which the manual lists. */
const DIFFERENT: Record<string, string | undefined> = {
  // Nothing in the document may fail a command whose output depends on a control plane.
  '{.list[5].name}': '',
  '{.list[-5].name}': '',
  '{.text[0]}': '',
  '{.one[?(@.key)]}': '',
  '{.list[?(@.weight=="1")].name}': '',
  '{.list[?(@.weight==1.0)].name}': 'a',
  // kubectl prints the bytes of the text.
  '{.text.*}': '',
  // Spaces in brackets.
  '{.list[ 0 ].name}': 'a',
  // $ is always the document.
  '{range .list[*]}{$.text}{end}': 'plain "text" é'.repeat(3),
  // An expression without braces; kubectl prints it.
  '.text': 'plain "text" é',
  text: 'plain "text" é',
  // Most likely a mistake.
  '{range .list[*]}{.name}': undefined,
  '{5}': undefined,
  '{.list[].name}': undefined,
  '{..}': undefined,
  '{.list.length()}': undefined,
};

describe(`-o jsonpath, compared with kubectl ${RECORDED.kubectl}`, () => {
  it.each(RECORDED.expressions)('$expression has the recorded output', ({ expression, prints }) => {
    const expected = Object.hasOwn(DIFFERENT, expression) ? DIFFERENT[expression] : prints;
    expect(printed(expression)).toBe(expected);
  });

  it('lists only expressions that differ', () => {
    const recorded = new Map(RECORDED.expressions.map(({ expression, prints }) => [expression, prints]));
    for (const [expression, output] of Object.entries(DIFFERENT))
      expect([recorded.has(expression), recorded.get(expression)], expression).not.toEqual([true, output]);
    expect(recorded.size).toBeGreaterThan(100);
  });
});
