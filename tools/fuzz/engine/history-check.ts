import { PRESETS } from '../../../src/bootstrap/presets.js';
import { Engine, type EngineOptions } from '../../../src/engine/engine.js';
import { EngineView } from '../../../src/inspect/engine-view.js';
import type { JournalStep } from '../../../src/inspect/history/journal.js';
import { JournaledEngine } from '../../../src/inspect/history/journaled-engine.js';
import { type HistoryClient, SessionHistory } from '../../../src/inspect/history/session-history.js';
import type { InspectionResult } from '../../../src/inspect/inspection-result.js';
import { stableText } from '../stable-text.js';
import { require } from '../violation.js';
import type { TimedInput } from './replay-check.js';
import type { MakeEngine } from './world.js';

/** The state at one time, as text. */
type Moment = [at: number, text: string];

/** The history of a session shows, at every time, the state that the engine had then. */
export function checkHistory(options: EngineOptions, inputs: readonly TimedInput[], makeEngine: MakeEngine): void {
  const engine = makeEngine({ ...options, tracksChanges: true });
  // Engines with a planted bug in their effects have no changes to compare.
  if (!(engine instanceof Engine)) return;
  const client = clientOf(options, inputs[0]?.at ?? 0);
  const history = new SessionHistory(client);
  const steps: JournalStep[] = [];
  const journaled = new JournaledEngine(engine, (step) => {
    steps.push(step);
    history.apply(step);
  });
  const view = new EngineView(engine, client.nodeId);
  const moments: Moment[] = [];
  for (const [i, { input, at }] of inputs.entries()) {
    for (const effect of journaled.handle(input, at)) if (effect.kind === 'event') view.publish(effect.event);
    if (inputs[i + 1]?.at === at) continue;
    const findings = view.findings();
    const errors = view.errors.errors();
    moments.push([at, textOf({ snapshot: engine.snapshot(), verdicts: view.verdict(at), findings, errors })]);
  }
  history.advance(inputs.at(-1)?.at ?? 0);
  for (const moment of moments) requireSame(history, moment);
  checkForgetting(history, steps, client, moments);
}

/** What was forgotten does not change what is left, nor does a checkpoint. */
function checkForgetting(
  history: SessionHistory,
  steps: readonly JournalStep[],
  client: HistoryClient,
  moments: readonly Moment[],
): void {
  const middle = moments[moments.length >> 1]?.[0] ?? 0;
  const past = new SessionHistory(client);
  for (const step of steps) if (step.at <= middle) past.apply(step);
  const late = new SessionHistory(client);
  late.apply(past.checkpoint());
  for (const step of steps) if (step.at > middle) late.apply(step);
  for (const one of [history, late]) one.advance(moments.at(-1)?.[0] ?? 0);
  history.forget(middle);
  for (const moment of moments) {
    if (moment[0] < middle) continue;
    requireSame(history, moment);
    requireSame(late, moment);
  }
}

function requireSame(history: SessionHistory, [at, was]: Moment): void {
  const is = textOf(history.at(at));
  require(was === is, 'history', () => `at ${at} the engine had ${difference(was, is)}`);
}

type State = Pick<InspectionResult, 'snapshot' | 'verdicts' | 'findings' | 'errors'>;

function textOf({ snapshot, verdicts, findings, errors }: State): string {
  const scopes = snapshot.map(({ scope, authorities, entries, channels }) => ({
    scope,
    authorities,
    entries: [...entries]
      // The cache lists a type first whose only watched name cannot be requested, so that it has no entry to tell.
      .sort((a, b) => (a.typeUrl < b.typeUrl ? -1 : a.typeUrl > b.typeUrl ? 1 : 0))
      .map((entry) => sorted({ ...entry, watchers: entry.watchers.length, order: undefined })),
    channels: channels.map(sorted),
  }));
  return stableText({ scopes, verdicts, findings, errors });
}

function sorted(fields: object): object {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The first place where two texts differ. */
function difference(was: string, is: string): string {
  let at = 0;
  while (at < was.length && was[at] === is[at]) at++;
  return `…${was.slice(Math.max(0, at - 200), at + 200)}, the history has …${is.slice(Math.max(0, at - 40), at + 200)}`;
}

function clientOf({ node, context, policies = PRESETS.spec.policies }: EngineOptions, start: number): HistoryClient {
  if (context === undefined) throw new Error('the options of a recording have a context');
  return { as: 'spec', origin: '', node, nodeId: node.id, context, policies, start, suppress: new Set() };
}
