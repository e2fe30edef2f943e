import type { Event } from '../../../src/core/event.js';
import { Engine, type EngineOptions } from '../../../src/engine/engine.js';
import { RecordingDecoder } from '../../../src/engine/recording/decoder.js';
import { engineSetup } from '../../../src/engine/recording/engine-setup.js';
import type { RecordingHeader } from '../../../src/engine/recording/header.js';
import { CacheCheck } from './cache-check.js';
import { ConfigCheck } from './config-check.js';
import { checkHistory } from './history-check.js';
import { checkReplay, checkWhatIf, type TimedInput } from './replay-check.js';
import { TimerCheck } from './timer-check.js';
import { WireCheck } from './wire-check.js';
import { type MakeEngine, World } from './world.js';

const newEngine: MakeEngine = (options) => new Engine(options);

/** A session with an engine whose every step is checked. */
export class CheckedSession {
  readonly world: World;
  readonly options: EngineOptions;
  readonly #header: RecordingHeader;
  readonly #makeEngine: MakeEngine;
  readonly #wires: WireCheck;
  readonly #events: Event[] = [];

  /** Appends every input to `inputs`, also the one that causes an exception. */
  constructor(header: RecordingHeader, inputs: TimedInput[] = [], checkEvery = 1, makeEngine = newEngine) {
    const setup = engineSetup(header);
    if ('failure' in setup) throw new Error(`the bootstrap is invalid: ${setup.failure}`);
    this.options = setup.options;
    this.#header = header;
    this.#makeEngine = makeEngine;
    this.world = new World(makeEngine(this.options), header.start, inputs);
    this.#wires = new WireCheck(this.world, header.as === 'spec');
    const cache = new CacheCheck(this.world, checkEvery);
    this.world.checks.push(this.#wires, cache, new TimerCheck(this.world), new ConfigCheck(this.world));
    this.world.checks.push({
      onEffect: (effect) => {
        if (effect.kind === 'event') this.#events.push(effect.event);
      },
    });
  }

  /** Call it when all requests are sent. */
  checkAnswered(): void {
    this.#wires.checkAnswered();
  }

  checkReplay(): void {
    const { engine, inputs } = this.world;
    checkReplay(this.#header, this.options, inputs, { events: this.#events, engine }, this.#makeEngine);
    checkWhatIf(this.options, inputs);
    checkHistory(this.options, inputs, this.#makeEngine);
  }
}

/** Checks a recorded session, such as the reproducer of a bug. */
export function checkRecording(text: string): void {
  const decoder = new RecordingDecoder();
  let session: CheckedSession | undefined;
  for (const one of text.trimEnd().split('\n')) {
    const line = decoder.line(one);
    if (line.kind === 'header') session = new CheckedSession(line.header);
    else if (line.kind === 'damage') throw new Error(line.what);
    else if (line.kind === 'input' && session !== undefined) {
      session.world.now = line.at;
      session.world.step(line.input);
    }
  }
  session?.checkReplay();
}
