import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSets } from '../../../src/inspect/diff/compare-sets.js';
import { inSameOrder } from '../../../src/inspect/diff/same-order.js';
import { everyFormat, type FormatName, type Page, render } from '../../../src/view/formats.js';
import { diffPageParts } from '../../../src/view/render/diff/html.js';
import { paintFor } from '../../../src/view/render/paint.js';
import { yamlText } from '../../../src/view/render/yaml.js';
import { type Named, permuted, resources } from '../../inspect/diff/random-resources.js';
import { resource, setOf } from '../../inspect/diff/resource-sets.js';

const page: Page = {
  paint: await paintFor(false),
  isColored: false,
  width: 80,
  isTerminal: true,
  ageOf: () => 0,
  showsTimes: false,
  listsAll: true,
};
const FORMATS = everyFormat()
  .filter(({ kind }) => kind === 'diff')
  .map(({ format }) => format as FormatName<'diff'>);
const encoded = ({ type, name, json }: Named) => resource(type, name, json);

/** The files of a text in the unified format, applied to nothing: both sides of each file. */
function sidesOf(text: string): Map<string, { hunks: { from: number; left: string[]; right: string[] }[] }> {
  const files = new Map<string, { hunks: { from: number; left: string[]; right: string[] }[] }>();
  for (const part of text.split(/^--- /m).slice(1)) {
    const [was = '', is = '', ...lines] = part.split('\n').slice(0, -1);
    const [path = ''] = [was, is.replace('+++ ', '')]
      .map((name) => name.split('\t')[0] ?? '')
      .filter((name) => name !== '/dev/null');
    const hunks: { from: number; left: string[]; right: string[] }[] = [];
    for (const line of lines) {
      const range = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
      if (range !== null) hunks.push({ from: Number(range[1]), left: [], right: [] });
      else {
        const hunk = hunks.at(-1);
        if (line[0] !== '+') hunk?.left.push(line.slice(1));
        if (line[0] !== '-') hunk?.right.push(line.slice(1));
      }
    }
    files.set(path.slice(2), { hunks });
  }
  return files;
}

/** As `patch` does. */
function applied(text: string, hunks: readonly { from: number; left: string[]; right: string[] }[]): string {
  const lines = text.split('\n');
  let shift = 0;
  for (const { from, left, right } of hunks) {
    const at = Math.max(0, from - 1) + shift;
    expect(lines.slice(at, at + left.length)).toEqual(left);
    lines.splice(at, left.length, ...right);
    shift += right.length - left.length;
  }
  return lines.join('\n');
}

describe('the unified format', () => {
  it('changes each resource of the first side to that of the second one when it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(resources, resources, fc.nat(), async (a, b, seed) => {
        const [before, after] = [a.map(encoded), permuted(b, seed).map(encoded)];
        const diff = compareSets(setOf('a', ...before), setOf('b', ...after), { versions: false });
        const files = sidesOf(await render('diff', 'diff', { diff, showSecrets: true }, page));
        expect(files.size).toBe(diff.differences.length);
        for (const { typeUrl, name, before: was, after: is } of diff.differences) {
          const type = a.concat(b).find((one) => resource(one.type, '', one.json).typeUrl === typeUrl)?.type;
          const hunks = files.get(`${type}/${name}.yaml`)?.hunks ?? [];
          const [left, right] = [was?.contents(), is?.contents()];
          const ordered = left === undefined || right === undefined ? right : inSameOrder(left, right, typeUrl);
          expect(applied(left === undefined ? '' : yamlText(left), hunks)).toBe(
            ordered === undefined ? '' : yamlText(ordered),
          );
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** Parts of resources with a secret, and without one. */
const CONFIGURATIONS: ((key: string) => Omit<Named, 'name'>)[] = [
  (key) => ({ type: 'SDS', json: { name: 'n', tlsCertificate: { privateKey: { inlineString: key } } } }),
  (key) => ({ type: 'SDS', json: { name: 'n', genericSecret: { secret: { inlineBytes: btoa(key) } } } }),
  (key) => ({
    type: 'RDS',
    json: {
      name: 'n',
      virtualHosts: [
        { name: 'v', requestHeadersToAdd: [{ header: { key: 'authorization', value: key } }], routes: [] },
        { name: 'w', routes: [{ match: { headers: [{ name: 'cookie', stringMatch: { prefix: key } }] } }] },
      ],
    },
  }),
  (key) => ({
    type: 'CDS',
    json: { name: 'n', metadata: { filterMetadata: { a: { tokens: [key, 'other'], b: { apiKey: key } } } } },
  }),
  (key) => ({
    type: 'CDS',
    json: { name: 'n', metadata: { filterMetadata: { [key.slice(9)]: { u: `https://u:${key}@h/?token=${key}` } } } },
  }),
  (key) => ({
    type: 'CDS',
    json: {
      name: 'n',
      transportSocket: {
        name: 't',
        typedConfig: {
          '@type': 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext',
          commonTlsContext: {
            tlsCertificates: [{ password: { inlineString: key } }, { privateKey: { inlineString: `${key}2` } }],
          },
        },
      },
    },
  }),
  () => ({ type: 'CDS', json: { name: 'n' } }),
];

describe('secrets', () => {
  const configuration = fc.constantFrom(...CONFIGURATIONS);
  const key = fc.constantFrom('hush-hush-1', 'hush-hush-2', 'hush-hush-3');
  const one = fc
    .record({ make: configuration, key, name: fc.constantFrom('a', 'b') })
    .map(({ make, key: text, name }): Named => ({ ...make(text), name }));
  const some = fc.array(one, { maxLength: 4 });
  const encodings = ['hush', btoa('hush-hush').slice(0, 8)];

  it('are in no format of a comparison, and each difference is', async () => {
    await fc.assert(
      fc.asyncProperty(some, some, async (a, b) => {
        const diff = compareSets(setOf('a', ...a.map(encoded)), setOf('b', ...b.map(encoded)), { versions: false });
        const texts = await Promise.all(
          FORMATS.map(async (format) => await render('diff', format, { diff, showSecrets: false }, page)),
        );
        const html = [...diffPageParts({ diff, showSecrets: false, style: { text: '', sha256: '' } })].join('');
        for (const text of [...texts, html]) for (const form of encodings) expect(text).not.toContain(form);
        // A difference of secrets alone is visible, too.
        const unified = texts[FORMATS.indexOf('diff')] as string;
        expect(unified.match(/^@@ /gm)?.length ?? 0).toBeGreaterThanOrEqual(diff.differences.length);
        for (const file of unified.split(/^--- /m).slice(1)) expect(file).toMatch(/^[+-](?![+-]{2} )/m);
      }),
      { numRuns: 200 },
    );
  });

  it('are shown on request', async () => {
    const set = (text: string) =>
      setOf(text, encoded({ name: 'a', ...(CONFIGURATIONS[0]?.(text) as Omit<Named, 'name'>) }));
    const diff = compareSets(set('hush-hush-1'), set('hush-hush-2'), { versions: false });
    for (const format of FORMATS)
      expect(await render('diff', format, { diff, showSecrets: true }, page)).toContain('hush-hush-2');
  });
});
