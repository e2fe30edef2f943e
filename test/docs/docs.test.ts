import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../src/base/exit-codes.js';
import { wordsOf } from '../../src/cli/command.js';
import { allCommands } from '../../src/cli/commands/index.js';
import { connectingOptions, servingOptions } from '../../src/cli/options/connecting.js';
import { findingOptions } from '../../src/cli/options/findings.js';
import { resourceFilterOptions } from '../../src/cli/options/resource-filter.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import { ROOT } from '../support/root.js';
import { unknownFlags } from './command-lines.js';

const COMMANDS = await allCommands();

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const files = (folder: string, ending: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...files('docs', '.md')];

function citedIn(folders: readonly string[], pattern: RegExp): Set<string> {
  const sources = folders.flatMap((folder) => files(folder, '.ts')).filter((name) => !name.includes('generated'));
  return new Set(sources.flatMap((name) => read(name).match(pattern) ?? []));
}

/** Sorts R1.2 before R1.10, and these before D1. */
function byNumber(a: string, b: string): number {
  const [x, y] = [a, b].map((id) => [id.startsWith('D') ? 1 : 0, ...(id.match(/\d+/g) ?? []).map(Number), 0]);
  return x?.map((number, i) => number - (y?.[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

describe('docs/grfc-coverage.md', () => {
  const coverage = read('docs/grfc-coverage.md');

  it('has a row for every rule that the code and its tests cite', () => {
    const cited = citedIn(['src', 'test'], /\b[RD]\d+(?:\.\d+)?\b/g);
    expect(cited.size).toBeGreaterThan(10);
    expect([...cited].filter((rule) => !coverage.includes(`| ${rule} |`))).toEqual([]);
  });

  it('links every gRFC that the code, its tests or the page itself cite', () => {
    const cited = new Set([
      ...citedIn(['src', 'test'], /\bA\d{2,3}\b/g),
      ...(coverage.match(/(?<!\/)\bA\d{2,3}\b/g) ?? []),
    ]);
    const linked = new Map(
      [...coverage.matchAll(/^\| \[(A\d+)\]\((\S+)\) \|/gm)].map(([, grfc = '', url = '']) => [grfc, url]),
    );
    expect(cited.size).toBeGreaterThan(10);
    expect([...cited].filter((grfc) => !linked.has(grfc))).toEqual([]);
    // A proposal that is not merged has a pull request instead of a file.
    for (const [grfc, url] of linked)
      expect(url).toMatch(
        new RegExp(`^https://github.com/grpc/proposal/(blob/master/${grfc}-[\\w-]+\\.md|pull/\\d+)$`),
      );
  });

  it.each([
    ['rules', /^\| ([RD]\d+(?:\.\d+)?) \|/gm],
    ['rules of resources', /^\| (\d+(?:\.\d+)?) \|/gm],
    ['gRFCs', /^\| \[(A\d+)\]/gm],
    ['sections about gRFCs', /^## (A\d+):/gm],
  ])('has its %s in order, each once', (_what, row) => {
    const ids = [...coverage.matchAll(row)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(4);
    expect(ids).toEqual([...new Set(ids)].sort(byNumber));
  });

  it('names only files and tests that exist', () => {
    const named = new Set(
      [...coverage.matchAll(/\b(?:src|test|proto)\/[\w./-]+\.(?:ts|proto)\b/g)].map(([path]) => path),
    );
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('every page', () => {
  for (const page of pages) {
    it(`${page} links only to existing files`, () => {
      const links = [...read(page).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target as string);
      expect(links.filter((target) => !existsSync(join(ROOT, dirname(page), target)))).toEqual([]);
    });
  }
});

describe('commands', () => {
  const shared = read('docs/connecting.md');
  const SHARED = new Set(
    Object.keys({ ...connectingOptions, ...resourceFilterOptions, ...findingOptions, ...servingOptions }),
  );
  for (const command of COMMANDS) {
    const name = wordsOf(command).join('-');
    it(`${name} has a page with its usage and all its flags`, () => {
      const page = read(`docs/commands/${name}.md`);
      expect(page).toContain(`xds-inspect ${command.usage}`);
      for (const flag of Object.keys(command.options)) {
        const where = SHARED.has(flag) && page.includes('(../connecting.md)') ? shared : page;
        expect(where, flag).toContain(`\`--${flag}\``);
      }
    });
  }

  it('exit codes are all explained', () => {
    const page = read('docs/exit-codes.md');
    for (const code of Object.values(EXIT)) expect(page).toContain(`| ${code} |`);
  });
});

describe('docs/scenario.md', () => {
  it('has an example that is a valid scenario', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(read('docs/scenario.md'))?.[1] as string;
    const result = readScenario(example, () => ({ failure: 'the example must need no other file' }));
    expect(result).toMatchObject({ ok: true, scenario: { nodeId: 'my-node' } });
  });
});

describe('the README', () => {
  const page = read('README.md');

  it('has three figures in the format of the benchmark', () => {
    expect(page).toMatch(/<!-- figures[^>]*-->\n(?:- .+\n){3}\nMeasured on .+\n<!-- end of figures -->/);
  });

  it('has the two commands that run everything', () => {
    expect(page).toContain('npm ci && npm test\n');
    expect(page).toContain('npm ci && npm run demo');
  });

  it('names only commands and flags that exist', () => {
    const lines = [...page.matchAll(/(?:`|^)(xds-inspect [^`#\n]+)/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(unknownFlags(line), line).toEqual([]);
  });

  it('links to the table of commands, which links to the page of every command', () => {
    expect(page).toContain('(docs/commands/README.md)');
    const pages = files('docs/commands', '.md').filter((name) => !name.endsWith('README.md'));
    expect(pages.map((name) => name.replace(/^.*\/|\.md$/g, '')).sort()).toEqual(
      COMMANDS.map((command) => wordsOf(command).join('-')).sort(),
    );
  });

  it('links to every page of the manual', () => {
    const missing = readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .filter((name) => !page.includes(`(docs/${name})`));
    expect(missing).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const page = read('docs/architecture.md');

  it('has one row for each folder below src', () => {
    const rows = [...page.matchAll(/^\| `src\/(\w+)` \|/gm)].map(([, folder]) => folder);
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(rows.sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  it('names only files and folders that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|tools|docs|fixtures|proto)\/[\w./-]*\w)`/g)].map(
      ([, path]) => path as string,
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
