import { assert, json, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/view/jsonpath/evaluate.js';
import { parseTemplate } from '../../../src/view/jsonpath/parse-template.js';
import type { Template } from '../../../src/view/jsonpath/template.js';
import { templateLines, templateParts } from '../../../src/view/jsonpath/template-text.js';

function template(text: string): Template {
  const parsed = parseTemplate(text);
  if (!parsed.ok) throw new Error(`${parsed.message} at ${parsed.offset}`);
  return parsed.template;
}

const output = (text: string, document: unknown): string => [...templateParts(template(text), document)].join('');

describe('an invalid jsonpath expression', () => {
  const INVALID: [expression: string, offset: number, message: RegExp][] = [
    ['', 0, /empty/],
    ['{.a', 3, /} must follow, not the end/],
    ['{.a.}', 4, /a name must follow, not "}"/],
    ['{a}', 1, /} must follow, not "a"/],
    ['{.a b}', 4, /} must follow, not "b"/],
    ['{.a[}', 4, /brackets contain/],
    ['{.a[0}', 5, /] must follow/],
    ['{.a[0', 3, /bracket is not closed/],
    ["{.a['b}", 4, /quote is not closed/],
    ['{"\\q"}', 2, /unknown escape/],
    ['{"\\uD8"}', 2, /unknown escape/],
    ['{.a[0:2:0]}', 4, /at least 1/],
    ['{.a[(@.length-1)]}', 4, /scripts are not supported/],
    ['{.a.length()}', 10, /functions are not supported/],
    ['{.a[?(@.b=~"x")]}', 9, /regular expressions/],
    ['{.a[?(@.b=1)]}', 9, /one of ==/],
    ['{.a[?(@.b==1 && @.c)]}', 13, /one comparison/],
    ['{.a[?("x"=="y")]}', 9, /one side of a comparison must be a path/],
    ['{.a[?("x")]}', 4, /requires a path/],
    ['{.a[?(@.b[*]==1)]}', 12, /path to one value/],
    ['{.a[?(@.b[?(@.c)])]}', 10, /cannot contain a filter/],
    ['{.a[?(@.b==c)]}', 11, /must follow, not "c"/],
    ['{.@type}', 2, /quote a name/],
    ['{..*}', 3, /a name must follow/],
    ['{range}x{end}', 6, /range requires a path/],
    ['{range .a}x', 0, /has no {end}/],
    ['x{end}', 1, /{end} without/],
    [`${'{range .a}'.repeat(17)}x${'{end}'.repeat(17)}`, 160, /at most 16 ranges/],
    [`{${'.a'.repeat(101)}}`, 201, /at most 100 steps/],
    [`{.${'a'.repeat(5000)}}`, 4096, /at most 4096 characters/],
    ['.a}', 2, /end of the expression must follow/],
  ];
  it.each(INVALID)('%j is refused at character %i', (expression, offset, message) => {
    expect(parseTemplate(expression)).toEqual({ ok: false, offset, message: expect.stringMatching(message) });
  });

  it('is never an exception, whatever its text is', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 60 }), json(), (text, document) => {
        for (const expression of [text, `{${text}}`, `{.a[${text}]}`, `{.a[?(${text})]}`, `{"${text}"}`]) {
          const parsed = parseTemplate(expression);
          if (parsed.ok) [...templateParts(parsed.template, JSON.parse(document))].join('');
          else expect(parsed.offset).toBeLessThanOrEqual(expression.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('the output of a jsonpath template', () => {
  it('prints {@} as the JSON document on one line', () => {
    assert(
      property(json(), (text) => {
        const value: unknown = JSON.parse(text);
        if (typeof value === 'object' && value !== null) expect(JSON.parse(output('{@}', value))).toEqual(value);
      }),
    );
  });

  it('prints a value of more parts than are converted at once as JSON does', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => ({ i, text: `"${i}`, none: undefined, list: [i, null] }));
    const document = { rows, empty: {}, omitted: undefined, nested: { rows } };
    expect(output('{@}', document)).toBe(JSON.stringify(document));
  });

  it('has no values that JSON omits', () => {
    const document = { a: undefined, b: () => 1, c: Number.NaN, d: [undefined], list: [{ a: undefined }, { a: 1 }] };
    expect(output('{.a}|{.b}|{.c}|{.d[0]}|{.*}', document)).toBe('||null|null|null [null] [{},{"a":1}]');
    expect(output('{.list[?(@.a)]}', document)).toBe('{"a":1}');
  });

  it('escapes what a text of the document would do to a terminal, and keeps that of the template', () => {
    expect(output('{"\\u001b"}{.a} {.b}', { a: '\x1b[2Jx\ny', b: { k: '\x9b' } })).toBe(
      '\x1b\\u{1b}[2Jx\\ny {"k":"\\u009b"}',
    );
  });

  it.each([
    ['{.a}', '\\u{3a}:error::x'],
    ['\n {.a}', '\n \\u{3a}:error::x'],
    ['{.empty}{.a}', '\\u{3a}:error::x'],
    [':{.colon}', ':\\u{3a}x'],
    ['{"\\n"}{.space}', '\n \\u{3a}:x'],
    ['a{.a}', 'a::error::x'],
    ['::notice::{.a}', '::notice::::error::x'],
  ])('%j cannot begin a line with a command of GitHub Actions that is in the document', (expression, text) => {
    expect(output(expression, { a: '::error::x', empty: '', colon: ':x', space: ' ::x' })).toBe(text);
  });

  it('reads a key with dots as one key, and as a path only if there is no such key', () => {
    expect(output("{['a.b']}{['c.d']}{['c\\.d']}|{['@type']}", { 'a.b': 1, c: { d: 2 }, '@type': 3 })).toBe('12|3');
  });

  it('does not read what every object inherits', () => {
    expect(output('{.constructor}{.__proto__}{.list.length}{.a[?(@.toString)]}', { list: [1], a: [{}] })).toBe('');
  });

  it('prints parents before their parts with ..', () => {
    const document = { name: 'a', in: [{ name: 'b', in: [{ name: 'c' }] }, { name: 'd' }] };
    expect(output('{..name}', document)).toBe('a b c d');
    expect(output('{..in[0].name}', document)).toBe('b c');
    expect(output('{..in[?(@.name>"b")].name}', document)).toBe('d c');
  });

  it('stops an expression that visits values much more often than the document has', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(60)}1${']}'.repeat(60)}`);
    const nodes = template('{..a..a..a..a..a..a..a..a..b}');
    expect(() => [...evaluate(nodes, deep, 100_000)]).toThrow(/visits more than 100000 values/);
    const rows = { list: Array.from({ length: 100 }, (_, i) => i) };
    const ranges = template(`${'{range $.list[*]}'.repeat(8)}${'{end}'.repeat(8)}`);
    expect(() => [...evaluate(ranges, rows, 100_000)]).toThrow(/visits more than/);
  });

  it('prints a line for each document of a stream, and none for a document without values', () => {
    const line = templateLines(template('{.a}'));
    expect([line('{"a":1}\n'), line('{"b":1}\n'), line('')]).toEqual(['1\n', '', '']);
    expect(templateLines(template('{.a}{"\\n"}'))('{"a":1}')).toBe('1\n');
    expect(templateLines(template('{.a}{range .b[*]}\n{end}'))('{}')).toBe('');
  });
});
