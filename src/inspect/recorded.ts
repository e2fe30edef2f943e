import { InputProblem } from '../base/input-problem.js';
import type { Event } from '../core/event.js';
import { Engine } from '../engine/engine.js';
import { type EngineSetup, engineSetup, type WhatIfChanges } from '../engine/recording/engine-setup.js';
import type { RecordingHeader } from '../engine/recording/header.js';
import { Replay } from '../engine/replay.js';
import { WhatIf } from '../engine/what-if/what-if.js';
import { EngineView } from './engine-view.js';
import type { ClientInspection, InspectOptions } from './inspection.js';
import { longestTimer } from './longest-timer.js';
import { RecordedRun } from './recorded-run.js';
import type { RecordingSource } from './source.js';

/** Opens the recorded client, or the what-if client if there are changes. */
export function openRecording(source: RecordingSource, { suppress }: InspectOptions): ClientInspection {
  const { header, changes } = source;
  const { options, bootstrap, switches, preset } = recordedSetup(header, changes);
  const append = (event: Event): void => void view.publish(event);
  const isWhatIf = Object.keys(changes).length > 0;
  const whatIf = isWhatIf ? new WhatIf(recordedSetup(header).options, options, () => {}, append) : undefined;
  const engine = whatIf?.engine ?? new Engine(options);
  const view = new EngineView(engine, bootstrap.node?.id, suppress);
  const run = new RecordedRun(source, whatIf ?? new Replay(engine, append));
  return {
    as: preset,
    bootstrap,
    origin: header.source,
    node: options.node,
    context: options.context,
    targets: [],
    longestTimerMs: longestTimer(bootstrap, switches, options.policies),
    events: view.events,
    start: () => {},
    now: () => run.now,
    startedAt: () => header.start,
    // A recording has ended, so its last state is final.
    changedAt: () => Number.NEGATIVE_INFINITY,
    nextTimerEnd: () => undefined,
    snapshot: () => engine.snapshot(),
    findings: () => view.findings(),
    errors: () => view.errors.errors(),
    droppedErrors: () => view.errors.dropped,
    verdict: () => view.verdict(run.now),
    // The control plane may serve other resources now than during the recording.
    probe: async () => 'met',
    listed: () => [],
    until: (condition) => run.until(condition),
    close: () => {},
  };
}

/** The engine setup of the recorded client, or of the what-if client if there are changes. */
export function recordedSetup(header: RecordingHeader, changes?: WhatIfChanges): EngineSetup {
  const setup = engineSetup(header, changes);
  if ('failure' in setup) {
    throw new InputProblem(`the bootstrap in the recording cannot be used: ${setup.failure}`);
  }
  return setup;
}
