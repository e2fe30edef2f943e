import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import { RecordingDecoder } from '../../src/engine/recording/decoder.js';
import { engineSetup, type WhatIfChanges } from '../../src/engine/recording/engine-setup.js';
import { WhatIf } from '../../src/engine/what-if/what-if.js';
import { RecordedSimulation, type RecordOptions } from '../support/recorded.js';
import { ROOT } from '../support/root.js';
import { scenarioFile } from '../support/simulate.js';

const FOLDER = join(ROOT, 'fixtures/scenarios');
const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));

function record(name: string, options: RecordOptions = {}): RecordedSimulation {
  const run = new RecordedSimulation(scenarioFile(join(FOLDER, name)), options);
  run.follow('greeter');
  run.clock.advanceBy(60_000);
  return run;
}

function whatIf(text: string, changes: WhatIfChanges): Record<'recorded' | 'changed', Event[]> {
  const events: Record<'recorded' | 'changed', Event[]> = { recorded: [], changed: [] };
  const decoder = new RecordingDecoder();
  let runs: WhatIf | undefined;
  for (const one of text.split('\n').filter((part) => part !== '')) {
    const line = decoder.line(one);
    if (line.kind === 'header') {
      const [unchanged, changed] = [engineSetup(line.header), engineSetup(line.header, changes)];
      if ('failure' in unchanged || 'failure' in changed) throw new Error('the setup is invalid');
      runs = new WhatIf(
        unchanged.options,
        changed.options,
        (event) => events.recorded.push(event),
        (event) => events.changed.push(event),
      );
    }
    if (line.kind === 'input') runs?.input(line.input, line.at);
    if (line.kind === 'end') runs?.end(line.at);
  }
  return events;
}

/** Events about resources and configurations, without those of the protocol. */
const isResultEvent = ({ kind }: Event): boolean => ['resource', 'error', 'config', 'fallback', 'tear'].includes(kind);

/** In these, the client resubscribes to endpoints. The simulated response has a nonce that differs from a live one. */
const RESUBSCRIBES = new Set([
  'findings/deleted-and-returned.yaml',
  'findings/error-cleared.yaml',
  'findings/error-cleared-valid.yaml',
]);

describe('a what-if replay', () => {
  it.each(SCENARIOS)('of %s without changes has the recorded events', (name) => {
    const live = record(name);
    const { recorded, changed } = whatIf(live.finish(), {});
    expect(recorded).toEqual(live.events);
    expect(changed).toEqual(live.events);
  });

  it.each(SCENARIOS)('of %s with late timers and without changes has the recorded events', (name) => {
    const live = record(name, { lateMs: 3 });
    expect(whatIf(live.finish(), {}).changed).toEqual(live.events);
  });

  /** The feature does not change the requests, so a live session with it has the same responses. */
  it.each(SCENARIOS)('of %s with fail_on_data_errors has the events of a session with that feature', (name) => {
    const features = ['fail_on_data_errors'] as const;
    const { changed } = whatIf(record(name).finish(), { features: new Map([[features[0], true]]) });
    const live = record(name, { features: [...features] });
    expect(changed.filter(isResultEvent)).toEqual(live.events.filter(isResultEvent));
    if (!RESUBSCRIBES.has(name)) expect(changed).toEqual(live.events);
  });
});
