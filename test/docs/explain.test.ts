import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { verdictOf } from '../../src/inspect/verdict/verdict.js';
import { type Explanation, explanationsOf } from '../../src/view/explain.js';
import { ROOT } from '../support/root.js';
import { Simulation, scenarioFile } from '../support/simulate.js';

const PAGE = join(ROOT, 'docs/explain.md');
const FOLDER = join(ROOT, 'fixtures/scenarios/explain');
const STORIES = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));

/** What an RPC gets when the story is over. */
function explained(story: string): Explanation {
  const scenario = scenarioFile(join(FOLDER, `${story}.yaml`));
  const run = new Simulation(scenario);
  const who = story.startsWith('rpc-server-')
    ? { target: '#server:127.0.0.1:8080', authority: undefined }
    : { target: 'xds:///greeter', authority: 'greeter' };
  run.session.dispatch({ kind: 'follow', scope: 's', listener: 'greeter', ...who });
  run.clock.advanceTo(16_000);
  const [scope] = run.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  const facts = new VerdictFacts();
  for (const event of run.events) facts.observe(event);
  const { nodeId } = scenario;
  const verdict = verdictOf(scope, channel, { facts, nodeId, now: run.clock.now() });
  const call = {
    isAnyCall: false,
    call: { path: '/a.B/C', metadata: [] },
    deadlineMs: undefined,
    rules: 'today',
  } as const;
  const [explanation] = explanationsOf([{ scope, channel, nodeId, verdict }], call);
  if (explanation === undefined) throw new Error('nothing is explained');
  return explanation;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** `| what happened | the status | what to look at |` */
function row(story: string): string {
  const about =
    readFileSync(join(FOLDER, `${story}.yaml`), 'utf8')
      .split('\n')[0]
      ?.replace(/^# /, '') ?? '';
  const { outcome, status, hints } = explained(story);
  const gets =
    status === null
      ? outcome === 'fails'
        ? 'no connection'
        : 'what the caller decides'
      : `\`${cell(`${status.code}: ${status.message}`)}\``;
  return `| [${story}](../fixtures/scenarios/explain/${story}.yaml): ${about} | ${gets} | ${cell(hints.join(' '))} |`;
}

describe('docs/explain.md', () => {
  if (process.env.UPDATE_DOCS === '1') {
    const page = readFileSync(PAGE, 'utf8');
    const rows = STORIES.map(row).join('\n');
    writeFileSync(PAGE, page.replace(/(\|---\|---\|---\|\n)[\s\S]*?(\n\n)/, `$1${rows}$2`));
  }
  const page = readFileSync(PAGE, 'utf8');

  it.each(STORIES)('has the symptom of %s, as it is', (story) => {
    expect(explained(story).outcome).toBe(story === 'rpc-server-depends' ? 'unknown' : 'fails');
    expect(explained(story).hints).toHaveLength(1);
    expect(page).toContain(`${row(story)}\n`);
  });
});
