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
const SCENARIOS = readdirSync(FOLDER).map((file) => basename(file, '.yaml'));

/** The explanation of an RPC at the end of a scenario. */
function explained(name: string): Explanation {
  const scenario = scenarioFile(join(FOLDER, `${name}.yaml`));
  const run = new Simulation(scenario);
  const target = name.startsWith('rpc-server-')
    ? { target: '#server:127.0.0.1:8080', authority: undefined }
    : { target: 'xds:///greeter', authority: 'greeter' };
  run.session.dispatch({ kind: 'follow', scope: 's', listener: 'greeter', ...target });
  run.clock.advanceTo(16_000);
  const [scope] = run.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('the client follows no target');
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
  if (explanation === undefined) throw new Error('there is no explanation');
  return explanation;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** `| what happened | the status | what to look at |` */
function row(name: string): string {
  const about =
    readFileSync(join(FOLDER, `${name}.yaml`), 'utf8')
      .split('\n')[0]
      ?.replace(/^# /, '') ?? '';
  const { outcome, status, hints } = explained(name);
  const gets =
    status === null
      ? outcome === 'fails'
        ? 'no connection'
        : 'what the caller decides'
      : `\`${cell(`${status.code}: ${status.message}`)}\``;
  return `| [${name}](../fixtures/scenarios/explain/${name}.yaml): ${about} | ${gets} | ${cell(hints.join(' '))} |`;
}

describe('docs/explain.md', () => {
  if (process.env.UPDATE_DOCS === '1') {
    const page = readFileSync(PAGE, 'utf8');
    const rows = SCENARIOS.map(row).join('\n');
    writeFileSync(PAGE, page.replace(/(\|---\|---\|---\|\n)[\s\S]*?(\n\n)/, `$1${rows}$2`));
  }
  const page = readFileSync(PAGE, 'utf8');

  it.each(SCENARIOS)('has the current symptom of %s', (name) => {
    expect(explained(name).outcome).toBe(name === 'rpc-server-depends' ? 'unknown' : 'fails');
    expect(explained(name).hints).toHaveLength(1);
    expect(page).toContain(`${row(name)}\n`);
  });
});
