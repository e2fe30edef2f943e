import type { Event } from '../core/event.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import { WhatIf } from '../engine/what-if/what-if.js';
import { feedRecording } from './feed-recording.js';
import { recordedSetup } from './recorded.js';
import type { RecordingSource } from './source.js';

/** The recorded and the what-if run of one session, at their end. */
export interface ComparedRuns {
  recorded: ScopeSnapshot[];
  changed: ScopeSnapshot[];
  end: number;
  /** Number of recorded responses to requests that the what-if client did not send. */
  unplacedMessages: number;
}

/** Replays a recording to the recorded client and to the changed client, in parallel. */
export async function compareRuns(
  source: RecordingSource,
  onEvent: (run: 'recorded' | 'changed', event: Event) => void,
): Promise<ComparedRuns> {
  const { header, changes } = source;
  const runs = new WhatIf(
    recordedSetup(header).options,
    recordedSetup(header, changes).options,
    (event) => onEvent('recorded', event),
    (event) => onEvent('changed', event),
  );
  const { end, remark } = await feedRecording(source, runs);
  if (remark !== undefined) source.onRemark(remark);
  const { recorded, engine, unplaced: unplacedMessages } = runs;
  return { recorded: recorded.snapshot(), changed: engine.snapshot(), end, unplacedMessages };
}
