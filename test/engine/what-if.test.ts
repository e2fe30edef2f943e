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

function recorded(name: string, options: RecordOptions = {}): RecordedSimulation {
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
      const [as, otherwise] = [engineSetup(line.header), engineSetup(line.header, changes)];
      if ('failure' in as || 'failure' in otherwise) throw new Error('no setting');
      runs = new WhatIf(
        as.options,
        otherwise.options,
        (event) => events.recorded.push(event),
        (event) => events.changed.push(event),
      );
    }
    if (line.kind === 'input') runs?.input(line.input, line.at);
    if (line.kind === 'end') runs?.end(line.at);
  }
  return events;
}

/** What the wire brings about. */
const isMeant = ({ kind }: Event): boolean => ['resource', 'error', 'config', 'fallback', 'tear'].includes(kind);

/** Here the client lets go of endpoints and asks for them again: the answer is made up, with a nonce of its own. */
const ASKED_AGAIN = new Set(['findings/error-cleared.yaml', 'findings/error-cleared-valid.yaml']);

describe('what if', () => {
  it.each(SCENARIOS)('nothing were otherwise in %s: nothing is', (name) => {
    const live = recorded(name);
    const { recorded: again, changed } = whatIf(live.finish(), {});
    expect(again).toEqual(live.events);
    expect(changed).toEqual(live.events);
  });

  it.each(SCENARIOS)('timers were as late as they were in %s: nothing is otherwise', (name) => {
    const live = recorded(name, { lateMs: 3 });
    expect(whatIf(live.finish(), {}).changed).toEqual(live.events);
  });

  /** Servers that hear the same from a client with the feature, and so say the same: what if is what is. */
  it.each(SCENARIOS)('fail_on_data_errors were set in %s: as in a session that has it', (name) => {
    const features = ['fail_on_data_errors'] as const;
    const { changed } = whatIf(recorded(name).finish(), { features: new Map([[features[0], true]]) });
    const live = recorded(name, { features: [...features] });
    expect(changed.filter(isMeant)).toEqual(live.events.filter(isMeant));
    if (!ASKED_AGAIN.has(name)) expect(changed).toEqual(live.events);
  });
});
