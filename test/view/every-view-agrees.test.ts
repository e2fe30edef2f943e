import { beforeAll, describe, expect, it } from 'vitest';
import { hasLostAuthority } from '../../src/engine/lost-servers.js';
import type { InspectionResult } from '../../src/inspect/inspection-result.js';
import type { Verdict, VerdictWord } from '../../src/inspect/verdict/verdict.js';
import { type CauseScenario, causeScenarios } from '../inspect/cause-scenarios.js';
import { APPLICATION, everyView, type Reached, type ViewOfTarget } from './every-view.js';

const WORDS: Record<VerdictWord, string> = {
  ok: 'OK',
  partly: 'PARTLY',
  fails: 'FAILS',
  waiting: 'WAITING',
  unknown: 'UNKNOWN',
};

/** Statuses that `--fail-on` names by default. */
const FAILING: ReadonlySet<string> = new Set(['NACKED', 'RECEIVED_ERROR', 'DOES_NOT_EXIST', 'TIMEOUT']);

/** Scenarios for which CSDS shows too little for the same verdict, with the verdict that it leads to. */
const OTHER_WORD_IN_CSDS: Readonly<Record<string, VerdictWord>> = {
  // R8.5: CSDS does not contain the address that a server listens on.
  'rpc-server-no-listener': 'ok',
  // A74: CSDS does not contain the previous configuration, which stays in use while a newer one is incomplete.
  'config-tear-open': 'waiting',
  // CSDS does not contain the environment variables of the client, which enable the filter.
  'depends-on-ext-proc': 'unknown',
};

describe.each(causeScenarios())('in the scenario $name', (scenario) => {
  let reached: Reached;
  let verdict: Verdict;
  beforeAll(async () => {
    reached = await everyView(scenario);
    const [only] = reached.result.verdicts;
    if (only === undefined) throw new Error('no verdict');
    verdict = only;
  });
  const local = (): ViewOfTarget[] => reached.views.filter(({ view }) => view !== 'csds');

  it('every view has the same verdict and cause in JSON', () => {
    const want = { verdict: scenario.expected.verdict, message: scenario.expected.message };
    // watch prints events as data.
    expect(
      local()
        .filter(({ verdicts }) => verdicts.length === 0)
        .map(({ view }) => view),
    ).toEqual(['watch']);
    for (const { view, verdicts } of local()) expect([view, verdicts]).toEqual([view, verdicts.map(() => want)]);
  });

  it('every view has the verdict and its cause in line 1', () => {
    for (const { view, text } of local()) expect([view, line1(text, view)]).toEqual([view, head(verdict, scenario)]);
  });

  it('the exit codes follow from the verdict', () => {
    const codes = Object.fromEntries(local().map(({ view, code }) => [view, code]));
    expect(codes).toEqual(expectedCodes(reached, verdict));
  });

  it('CSDS leads to the same verdict', () => {
    const csds = reached.views.find(({ view }) => view === 'csds');
    const word = wordInCsds(scenario, reached, verdict);
    expect(new Set(csds?.verdicts.map((one) => one.verdict))).toEqual(new Set([word]));
    expect(csds?.text).toMatch(new RegExp(`^${APPLICATION} / \\S+  ${WORDS[word]}(  |, )`));
    const isFailing = reached.result.snapshot.some(({ entries }) => entries.some(({ status }) => FAILING.has(status)));
    const byVerdict = { ok: 0, unknown: 0, partly: 79, fails: 79, waiting: 75 }[word];
    expect(csds?.code).toBe(byVerdict === 0 && isFailing ? 79 : byVerdict);
  });

  it('no view uses ready, degraded or in use for a verdict', () => {
    for (const { view, text } of reached.views) {
      // The condition of `wait`, gRPC's wait-for-ready and a version that stays in use keep their names.
      const own = text.replace(
        /[✓✗] ready\b|wait-for-ready|stays in use|has been in use for|while it is in use|removed-in-use/g,
        '',
      );
      expect([view, own.split('\n').filter((line) => /\b(ready|degraded|in use)\b/i.test(line))]).toEqual([view, []]);
    }
  });
});

/** The target, the verdict in capitals, and the cause in full. */
function head({ target, verdict, cause }: Verdict, { expected }: CauseScenario): unknown {
  const start = `${target}  ${WORDS[verdict]}`;
  expect(cause?.message ?? null).toBe(expected.message);
  if (cause === null) return expect.stringMatching(new RegExp(`^${start} {2}`));
  return expect.toSatisfy((line: string) =>
    ['  ', ', but  ', ', '].some((between) => line.startsWith(`${start}${between}${cause.message}`)),
  );
}

/** `check` starts with a verdict only if it is unexpected; `tears` adds the observed time. */
function line1(text: string, view: string): string {
  const lines = text.split('\n');
  if (view !== 'check') return (lines[0] ?? '').replace(/( config tears?) in [\d.]+ s,/, '$1,');
  return lines.find((line) => /^\S+ {2}[A-Z]{2,}/.test(line)) ?? '';
}

function wordInCsds({ name }: CauseScenario, { result }: Reached, { verdict }: Verdict): VerdictWord {
  // R8.5: CSDS does not show connections. A resource that a lost connection did not deliver is REQUESTED.
  const isUnseen = verdict === 'fails' && result.snapshot.some(hasLostAuthority);
  return OTHER_WORD_IN_CSDS[name] ?? (isUnseen ? 'waiting' : verdict);
}

/** The exit codes that the manual documents. */
function expectedCodes({ result }: Reached, { verdict }: Verdict): Record<string, number> {
  const isLost = result.snapshot.some(hasLostAuthority);
  const byVerdict = isLost ? 69 : { ok: 0, unknown: 0, partly: 79, fails: 79, waiting: 75 }[verdict];
  const hasSevere = result.findings.some(({ severity }) => severity === 'error');
  const isNamed = result.snapshot.some(({ entries }) => entries.some(({ status }) => FAILING.has(status)));
  // --fail-on and --failure-threshold apply to views that list resources.
  const listing = byVerdict === 0 && (isNamed || hasSevere) ? 79 : byVerdict;
  const failed = verdict !== 'ok' || hasSevere;
  return {
    ...{ report: listing, status: listing, config: byVerdict, explain: byVerdict, watch: listing },
    ...{ 'replay report': listing, 'replay status': listing, 'replay config': byVerdict, 'replay explain': byVerdict },
    ...{ tears: tearsCode(result), 'replay tears': tearsCode(result) },
    // A wait whose condition does not hold times out, independent of the verdict.
    wait: verdict === 'ok' ? 0 : isLost ? 69 : 75,
    check: checkCode(isLost && failed, result, failed),
  };
}

function checkCode(isLost: boolean, { ending }: InspectionResult, failed: boolean): number {
  if (isLost) return 69;
  return ending === 'timed out' ? 75 : failed ? 79 : 0;
}

/** The exit code of `tears` depends on the tears, not on the verdict. */
function tearsCode({ hasData, snapshot }: InspectionResult): number {
  if (!hasData) return 69;
  if (snapshot.every(({ entries }) => entries.every(isRequested))) return 75;
  return snapshot.some(({ channels }) => channels.some(({ tears }) => tears.length > 0)) ? 79 : 0;
}

function isRequested({ status }: { status: string }): boolean {
  return status === 'REQUESTED';
}
