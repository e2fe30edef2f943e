import type { Changes } from '../engine/recording/setting.js';
import { WhatIf } from '../engine/what-if/what-if.js';
import { timestamp } from '../proto/timestamp.js';
import { Partings, type ScopeWhatIf, whatIfView } from '../view/what-if.js';
import { playRecording } from './play-recording.js';
import { recordedSetting } from './recorded.js';
import type { RecordingSource } from './source.js';

/** The recorded and the what-if run, side by side. */
export interface WhatIfDocument {
  schema: 'xds-inspect/what-if/v1';
  changes: Record<string, unknown>;
  start: string;
  end: string;
  /** Messages that answer requests which only the recorded client sent. */
  unplacedMessages: number;
  scopes: ScopeWhatIf[];
}

export async function compareRuns(source: RecordingSource): Promise<WhatIfDocument> {
  const { header, changes } = source;
  const partings = new Partings(header.start);
  const runs = new WhatIf(
    recordedSetting(header).options,
    recordedSetting(header, changes).options,
    (event) => partings.add('recorded', event),
    (event) => partings.add('changed', event),
  );
  const { end, remark } = await playRecording(source, runs);
  if (remark !== undefined) source.onRemark(remark);
  return {
    schema: 'xds-inspect/what-if/v1',
    changes: changesDocument(changes),
    start: timestamp(header.start),
    end: timestamp(end),
    unplacedMessages: runs.unplaced,
    scopes: whatIfView(runs.recorded.snapshot(), runs.engine.snapshot(), partings),
  };
}

export function areSame({ scopes }: WhatIfDocument): boolean {
  return scopes.every(({ parts, outcomes }) => parts === null && outcomes.length === 0);
}

function changesDocument({ as, features, resourceTimerMs, tearGraceMs }: Changes): WhatIfDocument['changes'] {
  return {
    as: as ?? null,
    features: Object.fromEntries(features ?? []),
    resourceTimerMs: resourceTimerMs ?? null,
    tearGraceMs: tearGraceMs ?? null,
  };
}
