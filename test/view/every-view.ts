import { PRESETS } from '../../src/bootstrap/presets.js';
import { clientStatus } from '../../src/csds/client-status.js';
import type { CsdsResponse } from '../../src/csds/csds-client.js';
import { checkedTargets } from '../../src/inspect/expect/check-clients.js';
import { checkReport, liveRun } from '../../src/inspect/expect/check-run.js';
import type { CheckFile } from '../../src/inspect/expect/expectations.js';
import { readExpectations } from '../../src/inspect/expect/read-expectations.js';
import { TargetWatch } from '../../src/inspect/expect/target-watch.js';
import { readHeader } from '../../src/inspect/feed-recording.js';
import { open } from '../../src/inspect/inspection.js';
import { type InspectionResult, inspectionResult } from '../../src/inspect/inspection-result.js';
import { exitCode } from '../../src/inspect/outcome.js';
import { resolverOf } from '../../src/inspect/resolve-targets.js';
import { ResourceFilter } from '../../src/inspect/resource-filter.js';
import { settled } from '../../src/inspect/settled.js';
import type { LiveSource, RecordingFile } from '../../src/inspect/source.js';
import { never } from '../../src/inspect/until.js';
import { readConditions } from '../../src/inspect/wait/read-condition.js';
import { waitFor } from '../../src/inspect/wait/wait-for.js';
import { ClientStatusResponse } from '../../src/proto/generated/envoy.service.status.v3.js';
import { encode } from '../../src/proto/message-type.js';
import { configDocument, configOutcome } from '../../src/view/config.js';
import type { Documents } from '../../src/view/documents.js';
import { failRules, statusOutcome } from '../../src/view/exit-reason.js';
import { explainDocument, explainOutcome } from '../../src/view/explain.js';
import { type FormatName, type Page, render } from '../../src/view/formats.js';
import { remoteStatusDocument } from '../../src/view/remote-status.js';
import { paintFor } from '../../src/view/render/paint.js';
import { liveOptions, watchedScopes, watchFrame } from '../../src/view/render/watch-frame.js';
import { reportDocument } from '../../src/view/report.js';
import { statusDocument } from '../../src/view/status.js';
import { tearsDocument, tearsOutcome } from '../../src/view/tears.js';
import { waitDocument, waitOutcome } from '../../src/view/wait.js';
import { type CauseScenario, reach } from '../inspect/cause-scenarios.js';
import { memoryRecorder } from '../support/memory-recorder.js';

/** The output of a command for the only target of a scenario. */
export interface ViewOfTarget {
  view: string;
  /** The text format, in a pipe. */
  text: string;
  /** Every `verdict` in the JSON, with its `cause`; empty if the view has no JSON. */
  verdicts: { verdict: string; message: string | null }[];
  code: number;
}

const PAINT = await paintFor(false);
export const PIPE: Page = {
  paint: PAINT,
  isColored: false,
  width: undefined,
  isTerminal: false,
  ageOf: () => 1000,
  showsTimes: false,
  listsAll: false,
};
const ALL = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
/** The default of `--fail-on`. */
const RULES = failRules({ failOn: ['NACKED', 'RECEIVED_ERROR', 'DOES_NOT_EXIST', 'TIMEOUT'] });
const ANY_CALL = { isAnyCall: true, call: { path: '/', metadata: [] }, deadlineMs: undefined, rules: 'today' } as const;
/** The CSDS address of another process. */
export const APPLICATION = 'app:1';
export const RERUN = { program: 'xds-inspect', flags: [] };

export interface Reached {
  result: InspectionResult;
  views: ViewOfTarget[];
}

/** Every view of a scenario at the time when its expectation holds. */
export async function everyView(scenario: CauseScenario): Promise<Reached> {
  const { source, clock } = scenario.source();
  const recording = memoryRecorder(source);
  const inspection = await open({ ...source, recorder: recording });
  const ready = readConditions(['ready']);
  if (!ready.ok) throw new Error('--until ready');
  const waiting = waitFor(inspection, ready.conditions);
  inspection.events.subscribe(waiting.observe);
  const expectations = expectationsOf(source.inputs);
  const checkedAs = checkedTargets(expectations.targets, resolverOf(source.client), undefined, []);
  const watch = new TargetWatch(checkedAs, inspection);
  await reach(scenario, { inspection, clock });
  const now = clock.now();
  const end = inspectionResult(inspection, settled(inspection)(now).isMet ? 'met' : 'timed out');
  const frame = watchFrame(watchedScopes(inspection, ALL), 100, liveOptions(inspection, PIPE), PAINT);
  const waited = waitDocument(
    { ...end, ending: waiting.condition(now).isMet ? 'met' : 'timed out' },
    waiting.look(now),
  );
  const checkedNow = await checked(watch, expectations, now);
  inspection.close();
  const views = [
    ...(await shown(end, '')),
    await viewed('wait', 'wait', 'text', waited, exitCode(waitOutcome(waited))),
    { view: 'watch', text: frame.join('\n'), verdicts: [], code: statusCode(end) },
    ...(await replayed(recording.file(clock))),
    checkedNow,
    await remote(end, source),
  ];
  return { result: end, views };
}

/** The views that an inspection result produces. */
async function shown(end: InspectionResult, prefix: string): Promise<ViewOfTarget[]> {
  const report = reportDocument(end, { filter: ALL, rerun: RERUN, notes: [], worseThan: () => undefined });
  const config = configDocument(end);
  const explain = explainDocument(end, ANY_CALL);
  const tears = tearsDocument(end, 0);
  return [
    await viewed(`${prefix}report`, 'report', 'text', report, exitCode(statusOutcome(report.scopes, RULES))),
    await viewed(`${prefix}status`, 'status', 'table', statusDocument(end, ALL), statusCode(end)),
    await viewed(`${prefix}config`, 'config', 'tree', config, exitCode(configOutcome(config, end))),
    await viewed(`${prefix}explain`, 'explain', 'text', explain, exitCode(explainOutcome(explain, end))),
    await viewed(`${prefix}tears`, 'tears', 'table', tears, exitCode(tearsOutcome(tears, end))),
  ];
}

function statusCode(end: InspectionResult): number {
  return exitCode(statusOutcome(statusDocument(end, ALL).scopes, RULES));
}

async function viewed<K extends keyof Documents>(
  view: string,
  kind: K,
  format: FormatName<K>,
  document: Documents[K],
  code: number,
): Promise<ViewOfTarget> {
  const text = await render(kind, format, document, PIPE);
  const json = JSON.parse(await render(kind, 'json' as FormatName<K>, document, PIPE));
  return { view, text, verdicts: verdictsIn(json), code };
}

/** Every `verdict` with its `cause`. */
function verdictsIn(json: unknown): ViewOfTarget['verdicts'] {
  if (typeof json !== 'object' || json === null) return [];
  const { verdict, cause } = json as { verdict?: string; cause?: { message: string } | null };
  const own = typeof verdict === 'string' ? [{ verdict, message: cause?.message ?? null }] : [];
  return [...own, ...Object.values(json).flatMap(verdictsIn)];
}

/** Records a live client into memory. */
async function replayed(file: RecordingFile): Promise<ViewOfTarget[]> {
  const header = await readHeader(file);
  const onRemark = (sentence: string): void => {
    throw new Error(sentence);
  };
  const inspection = await open({ kind: 'recording', file, header, until: undefined, changes: {}, onRemark });
  const ending = await inspection.until(settled(inspection), { limit: 0 });
  return await shown(inspectionResult(inspection, ending), 'replay ');
}

/** An expectations file with only the target. */
function expectationsOf([input]: LiveSource['inputs']): CheckFile {
  const target = input?.kind === 'follow' ? input.target : '';
  const read = readExpectations(`version: 1\ntargets: [{ target: "${target}" }]\n`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.file;
}

async function checked(watch: TargetWatch, file: CheckFile, now: number): Promise<ViewOfTarget> {
  const ending = watch.checkSettled(now).isMet ? 'met' : 'timed out';
  const observed = { ending, targets: watch.observations() } as const;
  const run = liveRun(file, observed, { ending: 'met', evaluated: new Map() }, 0);
  const { report, outcome } = checkReport(file, 'e.yaml', run);
  return await viewed('check', 'check', 'text', report, exitCode(outcome));
}

/** The same client, read by another process over CSDS. */
async function remote({ snapshot, node }: InspectionResult, { ports }: LiveSource): Promise<ViewOfTarget> {
  const clients = snapshot.map((scope) => ({ ...scope, node }));
  const bytes = encode(ClientStatusResponse, clientStatus(clients, { policies: PRESETS.spec.policies }));
  const answer = async (): Promise<CsdsResponse> => ({ bytes });
  const inspection = await open({
    kind: 'csds',
    clients: new Map([[APPLICATION, { fetch: answer, poll: answer, close: () => {} }]]),
    request: new Uint8Array(),
    as: 'spec',
    defaultAuthority: undefined,
    dnsTimeoutMs: 1000,
    pollEveryMs: undefined,
    plaintext: true,
    hasNodeMatchers: false,
    ports,
  });
  const answered = new Promise<void>((resolve) => inspection.onAnswer(() => resolve()));
  void inspection.until(never, { limit: 1000 });
  await answered;
  inspection.close();
  const document = remoteStatusDocument('spec', inspection.answers(), () => true);
  return await viewed('csds', 'status', 'table', document, exitCode(statusOutcome(document.scopes, RULES)));
}
