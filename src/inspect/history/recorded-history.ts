import { Engine } from '../../engine/engine.js';
import type { EngineSetup, WhatIfChanges } from '../../engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { Replay, type Replaying } from '../../engine/replay.js';
import { WhatIf } from '../../engine/what-if/what-if.js';
import { recordedSetup } from '../recorded.js';
import type { JournalStep } from './journal.js';
import { JournaledEngine } from './journaled-engine.js';
import { type HistoryClient, SessionHistory } from './session-history.js';

/** The history of a recording, which grows while the recording is fed to `replaying`. */
export interface RecordedHistory {
  history: SessionHistory;
  replaying: Replaying;
}

/** Replays a recording into a history: that of the recorded client, or of the what-if client if there are changes. */
export function recordHistory(
  header: RecordingHeader,
  changes: WhatIfChanges = {},
  suppress: ReadonlySet<string> = new Set(),
): RecordedHistory {
  const setup = recordedSetup(header, changes);
  const history = new SessionHistory(historyClient(setup, header, suppress));
  const options = { ...setup.options, tracksChanges: true };
  const journaled = (engine: Engine) => new JournaledEngine(engine, (step) => history.apply(step));
  const run = isEmpty(changes)
    ? new Replay(journaled(new Engine(options)), () => {})
    : new WhatIf(
        recordedSetup(header).options,
        options,
        () => {},
        () => {},
        journaled,
      );
  return {
    history,
    replaying: {
      input: (input, at) => run.input(input, at),
      end: (at) => {
        run.end(at);
        history.advance(at);
      },
    },
  };
}

/** The client of a recording, and an engine that reports the steps of its session. */
export interface RecordedJournal {
  client: HistoryClient;
  engine: JournaledEngine;
}

/** Like `recordHistory`, for a caller that keeps the steps itself. */
export function recordJournal(
  header: RecordingHeader,
  onStep: (step: JournalStep) => void,
  suppress: ReadonlySet<string> = new Set(),
): RecordedJournal {
  const setup = recordedSetup(header);
  const engine = new JournaledEngine(new Engine({ ...setup.options, tracksChanges: true }), onStep);
  return { client: historyClient(setup, header, suppress), engine };
}

function isEmpty(changes: WhatIfChanges): boolean {
  return Object.values(changes).every((change) => change === undefined);
}

function historyClient(
  { preset, bootstrap, options }: EngineSetup,
  { source, start }: RecordingHeader,
  suppress: ReadonlySet<string>,
): HistoryClient {
  const { node, context, policies } = options;
  return { as: preset, origin: source, node, nodeId: bootstrap.node?.id, context, policies, start, suppress };
}
