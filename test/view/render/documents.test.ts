import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { githubAnnotations } from '../../../src/view/render/annotation.js';
import { jsonText } from '../../../src/view/render/json.js';
import { junit } from '../../../src/view/render/junit.js';
import { tap } from '../../../src/view/render/tap.js';
import { yamlText } from '../../../src/view/render/yaml.js';

const DOCUMENT = {
  'a key\u202e\n::error::x': [
    '\u001b[31m\u0000\u0007\u007f',
    '\u009b\u2028\u2029\u0085',
    'one\n::error::two and some more words, so that it is long enough to be broken\r\n',
    '\u{e0041}\ufeff\u200d\u2066',
    '\ud800 and \udc00',
    '❤️ 漢字 👩‍👩‍👧',
    `${'a word '.repeat(100)}\u202e`,
    '- a: b # c',
    "it's",
    'true',
    '',
  ],
  nested: { number: 1.5, nothing: null, yes: true },
};

describe('a document', () => {
  const read: [name: string, text: string, back: unknown][] = [
    ['JSON', jsonText(DOCUMENT), JSON.parse(jsonText(DOCUMENT))],
    ['JSON on one line', jsonText(DOCUMENT, true), JSON.parse(jsonText(DOCUMENT, true))],
    ['YAML', yamlText(DOCUMENT), parse(yamlText(DOCUMENT))],
  ];
  it.each(read)('is equal when read back from %s, and has no hidden characters', (_name, text, back) => {
    expect(back).toEqual(DOCUMENT);
    expect(text.match(/(?!\n)(?:[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\ufe0f)/u)).toBeNull();
    expect(text.split('\n').filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
  });

  it('stays on one line if it is an event', () => {
    expect(jsonText({ a: 'x\ny\u2028z' }, true)).toBe('{"a":"x\\ny\\u2028z"}\n');
  });
});

describe('an annotation', () => {
  it('stays one annotation with hostile contents', () => {
    const place = { source: 'f\n,g:h', path: 'a:b', line: 1, column: 2 };
    const message = '100%\r\n::error::x\u001b[2J\rz\u202e';
    expect(githubAnnotations([{ code: 'XI1,::', severity: 'error', place, message }])).toBe(
      '::error file=f%0A%2Cg%3Ah,line=1,col=2,title=XI1%2C%3A%3A::a:b: 100%25%0A::error::x\\u{1b}[2J%0Az\\u{202e}\n',
    );
  });
});

/** C0, DEL, C1, bidi, separators, invisible, noncharacter, half a surrogate pair. */
const HIDDEN = '\u001b[2J\u007f\u009b31m\u202e\u2028\ufeff\u{e0041}\uffff\ud800';
const HIDING = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uffff]/u;

describe('JUnit XML', () => {
  it('escapes control, bidi and invisible characters everywhere', () => {
    const hostile = `<a> & "b" ${HIDDEN}`;
    const xml = junit([
      { name: hostile, cases: [{ name: hostile, failures: [hostile, '::error::x'], remarks: [hostile] }] },
    ]);
    expect(xml.match(HIDING)).toBeNull();
    expect(xml).toContain('name="&lt;a&gt; &amp; &quot;b&quot; \\u{1b}[2J\\u{7f}\\u{9b}31m\\u{202e}');
    expect(xml.split('\n').filter((line) => line.trimStart().startsWith('::'))).toEqual([]);
  });

  it('puts each failure on its own line', () => {
    const xml = junit([{ name: 's', cases: [{ name: 'c', failures: ['one\ntwo', 'three'], remarks: [] }] }]);
    expect(xml).toContain('<failure message="one\\ntwo">one\\ntwo\nthree</failure>');
  });
});

describe('TAP', () => {
  it('escapes control, bidi and invisible characters, and directives', () => {
    const text = tap([
      { name: `a # SKIP ${HIDDEN}\nok 2`, failure: { expected: `x\n${HIDDEN}` } },
      { name: 'b', failure: undefined },
    ]);
    expect(text.match(HIDING)).toBeNull();
    expect(text.split('\n').filter((line) => /^(not )?ok /.test(line))).toHaveLength(2);
    expect(text).toContain('not ok 1 - a \\# SKIP');
  });
});
