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
  /** Messages that answer requests which only the recorded client sent. */
  unplacedMessages: number;
}

/** Plays a recording to the client that was recorded and to the one with changes, side by side. */
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
