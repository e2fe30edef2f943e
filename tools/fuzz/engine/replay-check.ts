import type { Event } from '../../../src/core/event.js';
import type { Input } from '../../../src/core/input.js';
import type { EngineOptions } from '../../../src/engine/engine.js';
import { RecordingDecoder } from '../../../src/engine/recording/decoder.js';
import { headerLine, RecordingEncoder } from '../../../src/engine/recording/encoder.js';
import type { RecordingHeader } from '../../../src/engine/recording/header.js';
import { WhatIf } from '../../../src/engine/what-if/what-if.js';
import { stableText } from '../stable-text.js';
import { require } from '../violation.js';
import type { EngineUnderTest, MakeEngine } from './world.js';

export interface TimedInput {
  input: Input;
  at: number;
}

const fast = {
  encode: (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64'),
  decode: (text: string): Uint8Array => Buffer.from(text, 'base64'),
};

/** Encodes a session as `xds-inspect record` does. */
export function recordingText(header: RecordingHeader, inputs: readonly TimedInput[]): string {
  const encoder = new RecordingEncoder(header, { base64: fast.encode });
  const lines = inputs.map(({ input, at }) => encoder.input(input, at));
  return [headerLine(header), ...lines, encoder.end('closed', inputs.at(-1)?.at ?? header.start)].join('');
}

export function checkReplay(
  header: RecordingHeader,
  options: EngineOptions,
  inputs: readonly TimedInput[],
  live: { events: readonly Event[]; engine: EngineUnderTest },
  makeEngine: MakeEngine,
): void {
  const decoder = new RecordingDecoder(fast.decode);
  const engine = makeEngine(options);
  const events: Event[] = [];
  let ends = 0;
  for (const text of recordingText(header, inputs).trimEnd().split('\n')) {
    const line = decoder.line(text);
    require(line.kind !== 'damage', 'replay', () =>
      `${line.kind === 'damage' ? line.what : ''}: ${text.slice(0, 300)}`);
    if (line.kind === 'end') ends++;
    if (line.kind !== 'input') continue;
    for (const effect of engine.handle(line.input, line.at)) if (effect.kind === 'event') events.push(effect.event);
  }
  require(ends === 1, 'replay', () => 'the recording does not end');
  requireSame('replay', live.events, events);
  const [was, is] = [stateText(live.engine), stateText(engine)];
  require(was === is, 'replay', () => `the live state is ${was}, the replayed ${is}`);
}

/**
 * A what-if client with the recorded options behaves as the recorded one. Sessions with DNS results are excluded: what-if
 * applies a result to all open queries for the host.
 */
export function checkWhatIf(options: EngineOptions, inputs: readonly TimedInput[]): void {
  if (inputs.some(({ input }) => input.kind === 'resolved')) return;
  const recorded: Event[] = [];
  const changed: Event[] = [];
  const whatIf = new WhatIf(
    options,
    options,
    (event) => recorded.push(event),
    (event) => changed.push(event),
  );
  for (const { input, at } of inputs) whatIf.input(input, at);
  requireSame('same-what-if', recorded, changed);
}

function requireSame(oracle: 'replay' | 'same-what-if', expected: readonly Event[], got: readonly Event[]): void {
  for (let i = 0; i < Math.max(expected.length, got.length); i++) {
    const [was, is] = [stableText(expected[i] ?? null), stableText(got[i] ?? null)];
    require(was === is, oracle, () => `event ${i} is ${is} instead of ${was}`);
  }
}

function stateText(engine: EngineUnderTest): string {
  return stableText([engine.snapshot(), engine.findings(), engine.nextDeadline()]);
}
