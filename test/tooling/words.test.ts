import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/root.js';

/** A retired expression, the one to use instead, and the files that it is banned from, if not all. */
interface Retired {
  old: string | RegExp;
  use: string;
  files?: RegExp;
}

const entries = (pairs: [old: string | RegExp, use: string, files?: RegExp][]): Retired[] =>
  pairs.map(([old, use, files]) => ({ old, use, ...(files && { files }) }));

/** Phrases match in any case and across line breaks, also inside comments. */
const PHRASES = entries([
  ['whole configuration', 'resolved configuration'],
  ['to go by', 'the resolved configuration, or what it is: "uses", "has"'],
  ['would an RPC work', 'predict the outcome of an RPC and explain it'],
  ['how to print it', 'output format'],
  ['waited long enough', 'resource timer expired'],
  ['an RPC now gets', 'RPCs fail: …'],
  ['RPCs wait', 'RPCs are queued'],
  ['nothing to complain of', 'success'],
  ['runs of a recording part', 'the recorded and the what-if run differ'],
  ['names nothing', 'is empty'],
  [/\b(does|do|did)\s+otherwise\b/i, 'behaves differently'],
  ['answers only who', 'responds only if the request names …'],
  ['what is no longer watched', 'resources that are no longer watched'],
  ['of no account', 'ignored'],
  ['put into words', 'built'],
  ['something to say', 'a request to send, or what changed'],
  ['say no more of', 'do not guess'],
  ['let nothing survive', 'escape, or remove'],
  ['hides in a name', 'invisible characters in names'],
  [/\b(is|are|was|were|be|been|being)\s+told\b/i, 'name the actor: "reports", "notifies"'],
  [/\b(is|are|was|were|be|been|being)\s+judged\b/i, 'name the actor: "validates", "evaluates"'],
  ['taken not to exist', 'treats it as deleted, or does not exist'],
  ['of one piece', 'consistent, or complete'],
  ['of whom', 'name the client'],
  ['anew', 'again'],
  [/\b(speaks?|spoke|spoken)\s+of\b/i, 'describes, mentions'],
  [/\bsees?\s+to\s+it\b/i, 'ensures'],
  ['passed over', 'ignored, skipped'],
  ['otherwise than', 'differently from'],
  ['in vain', 'without a response, or without success'],
  [/\bfor\s+good\b(?!\s+(reason|measure))/i, 'permanently'],
  ['is no message', 'is not a message'],
  ['are no difference', 'do not count as a difference'],
]);

const NAMES = entries([
  [/(?<!#)\bword\(/, 'buildRequest'],
  [/\bwordAll\b/, 'buildPendingRequests'],
  [/#worded\b/, '#outbox'],
  [/\bunsaid\b/, 'dirtyTypes'],
  [/#say\b/, '#markDirty'],
  [/\bisProven\b/, 'hasSentRequest'],
  [/\bunwatchedTold\b/, 'onUnsubscribeSent'],
  [/\bsaw\(/, 'markReceived'],
  [/\bunseen\b/, 'notYetReceived', /^src\/core\//],
  [/\bTold\b/, 'WatcherUpdate'],
  [/\btoldError\b/, 'toErrorEvent'],
  [/\btold\(/, 'onUpdate'],
  [/\bNotice\b/, 'CacheChange'],
  [/\bHappening\b/, 'EventBase'],
  [/\b(Judge(?!ment)|judge[A-Z])\w*/, 'validate*, evaluate*'],
  [/\w*Judgements?\b/, 'Validation'],
  [/\bexport (interface|type|class) Verdict\b/, 'ValidationResult', /^src\/resources\//],
  [/(?<=[.`{,] *)\baside\b(?! from)|\baside\??:/, 'displayOnly'],
  [/\bSurroundings\b/, 'ClientEnvironment'],
  [/\breadsPastStrangers\b/, 'continueAfterUnknownType'],
  [/\bworksInSteps\b/, 'batchNotifications'],
  [/\bleavesPerRoot\b/, 'aggregateLeavesPerRoot'],
  [/\btellsFallbackEverything\b/, 'resubscribeAllOnFallback'],
  [/\bSightings?\b/, 'Occurrence'],
  [/\bLedger\b/, 'FindingStore'],
  [/\bisGoingOn\b/, 'isOngoing'],
  [/\bstormy\b/, 'isRepeated'],
]);

/** Names of files, without the extension. */
const FILES = entries([
  [/^partings$/, 'c-core-divergence'],
  [/^strangers$/, 'unrequested-type'],
  [/^stragglers$/, 'stale-type'],
  [/^envelopes$/, 'response-shape'],
  [/^repetitions$/, 'repeated-responses'],
  [/^listing$/, 'resource-filter'],
  [/^play$/, 'feed-recording, run-scenario'],
  [/^why-not$/, 'route-mismatch'],
  [/^uncover$/, 'without-early-stops'],
  [/^lab$/, 'core-session'],
  [/^seen$/, 'inspection-result'],
  [/^found$/, 'print-findings, located-value, differences'],
  [/^no-answer$/, 'unreachable'],
  [/^exit-line$/, 'exit-reason'],
  [/^judge-/, 'validate-*, evaluate-*'],
]);

/** Between the words of a phrase: a space, or a line break with the mark of a comment or a quote. */
const GAP = '\\s+(?:(?:\\*|//|#|>)\\s+)?';

function patternOf(old: string | RegExp): RegExp {
  if (typeof old === 'string') return new RegExp(`\\b${old.split(' ').join(GAP)}\\b`, 'gi');
  return new RegExp(old.source.replaceAll('\\s+', GAP), `g${old.flags}`);
}

const TEXT_PATTERNS = [...PHRASES, ...NAMES].map((one) => ({ ...one, pattern: patternOf(one.old) }));

function retiredIn(file: string, text: string): string[] {
  return TEXT_PATTERNS.filter(({ files }) => files?.test(file) ?? true).flatMap(({ pattern, use }) =>
    Array.from(text.matchAll(pattern), (match) => {
      const line = text.slice(0, match.index).split('\n').length;
      return `${file}:${line}: "${match[0].replace(/\s+/g, ' ')}": use ${use}`;
    }),
  );
}

function retiredName(file: string): string[] {
  const [stem = ''] = basename(file).split('.');
  return FILES.filter(({ old }) => (old as RegExp).test(stem)).map(({ use }) => `${file}: name the file ${use}`);
}

/** Files that quote retired expressions: the migration page and this table. */
const QUOTING = ['docs/migration.md', 'test/tooling/words.test.ts'];

/** Tracked files, without generated code. */
function trackedFiles(...paths: string[]): string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--', ...paths], { cwd: ROOT, encoding: 'utf8' });
  return stdout
    .split('\0')
    .filter((file) => file && !file.startsWith('src/proto/generated/') && !QUOTING.includes(file));
}

describe('the vocabulary check', () => {
  it('finds phrases and names with their line and the expression to use', () => {
    const sample = 'const x = 1;\n/** What RPCs have to go\n * by: Judgement. */\nlist.unsaid = untold();\n';
    expect(retiredIn('src/a.ts', sample)).toEqual([
      'src/a.ts:2: "to go * by": use the resolved configuration, or what it is: "uses", "has"',
      'src/a.ts:4: "unsaid": use dirtyTypes',
      'src/a.ts:3: "Judgement": use Validation',
    ]);
    expect(retiredIn('src/a.ts', '// The watcher is\n// told.')).toEqual([
      'src/a.ts:1: "is // told": use name the actor: "reports", "notifies"',
    ]);
  });

  it('applies a name of one folder to that folder only', () => {
    const text = 'export interface Verdict {}';
    expect(retiredIn('src/resources/a.ts', text)).toHaveLength(1);
    expect(retiredIn('src/inspect/a.ts', text)).toEqual([]);
  });

  it('finds names of files, not parts of names', () => {
    expect(retiredName('src/a/judge-dump.ts')).toHaveLength(1);
    expect(retiredName('test/a/seen.test.ts')).toHaveLength(1);
    expect(retiredName('src/a/unseen.ts')).toEqual([]);
  });
});

describe('the vocabulary of the project', () => {
  it('has no retired phrase or name', () => {
    const files = trackedFiles('src', 'test', 'docs', 'tools', 'README.md', 'CONTRIBUTING.md');
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => retiredIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('has no retired name of a file', () => {
    expect(trackedFiles('src', 'test', 'tools').flatMap(retiredName)).toEqual([]);
  });
});
