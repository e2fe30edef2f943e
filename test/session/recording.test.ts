import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.js';
import type { Engine } from '../../src/engine/engine.js';
import { type Line, RecordingDecoder } from '../../src/session/recording/decoder.js';
import { settingOf } from '../../src/session/recording/setting.js';
import { Replay } from '../../src/session/replay.js';
import { ROOT } from '../support/cli.js';
import { RecordedSimulation } from '../support/recorded.js';
import { scenarioFile } from '../support/simulate.js';

const FOLDER = join(ROOT, 'fixtures/scenarios');
const SCENARIOS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
const MINUTES = 2;

function read(text: string): Line[] {
  const decoder = new RecordingDecoder();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => decoder.line(line));
}

/** Only what the file says is used. */
function replayed(text: string): { events: Event[]; engine: Engine } {
  const events: Event[] = [];
  let replay: Replay | undefined;
  for (const line of read(text)) {
    if (line.kind === 'damage') throw new Error(line.what);
    if (line.kind === 'header') {
      const setting = settingOf(line.header);
      if ('failure' in setting) throw new Error(setting.failure);
      replay = new Replay(setting.options, (event) => events.push(event));
    }
    if (line.kind === 'input') replay?.input(line.input, line.at);
  }
  return { events, engine: (replay as Replay).engine };
}

function recorded(name: string): RecordedSimulation {
  const run = new RecordedSimulation(scenarioFile(join(FOLDER, name)));
  for (const target of ['greeter', '#server:0.0.0.0:8080']) run.follow(target);
  run.clock.advanceBy(MINUTES * 60_000);
  return run;
}

const withoutFunctions = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a recording', () => {
  it.each(SCENARIOS)('of %s gives exactly the events and the state that there were', (name) => {
    const live = recorded(name);
    const again = replayed(live.finish());
    expect(again.events).toEqual(live.events);
    expect(live.events.length).toBeGreaterThan(3);
    expect(withoutFunctions(again.engine.snapshot())).toEqual(withoutFunctions(live.engine.snapshot()));
    expect(again.engine.findings()).toEqual(live.engine.findings());
  });
});
