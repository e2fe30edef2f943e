import type { Event } from '../../core/event.js';
import { Engine } from '../../engine/engine.js';
import type { RecordingHeader } from '../../engine/recording/header.js';
import { type Changes, type Setting, settingOf } from '../../engine/recording/setting.js';
import { Replay, type Replaying } from '../../engine/replay.js';
import { WhatIf } from '../../engine/what-if/what-if.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { type Inspection, longestTimer, type OnEvent, wireOn } from './inspection.js';
import { play } from './play.js';
import { readSuppressed } from './suppressed.js';

/** Takes the place of a connection where a recording is shown. */
export interface Recording {
  header: RecordingHeader;
  /** The client that was recorded, to which nothing has happened yet, and what is to be played for that. */
  open(args: Arguments, env: CliEnvironment, onEvent: OnEvent): { inspection: Inspection; replaying: Replaying };
  /** Lets everything happen; `onMoment` is called when all that comes at a time has come, and when the next time has. */
  play(replaying: Replaying, onMoment?: () => void): Promise<void>;
}

interface Source {
  path: string;
  header: RecordingHeader;
  /** Nothing after this is shown. */
  until: number | undefined;
  changes: Changes;
}

/** The clock is that of the session, and goes on while it is played. */
export function recordedSession(
  { path, header, until, changes }: Source,
  clock: { now: number },
  { stderr }: CliEnvironment,
): Recording {
  return {
    header,
    open: (args, env, onEvent) => opened(header, changes, args, env, onEvent),
    play: async (replaying, onMoment) => {
      let hasBegun = false;
      const goOnTo = (at: number): void => {
        if (hasBegun && at !== clock.now) onMoment?.();
        if (at === clock.now) return;
        clock.now = at;
        if (hasBegun) onMoment?.();
      };
      const { remark } = await play(path, header, until, {
        input: (input, at) => {
          goOnTo(at);
          hasBegun = true;
          replaying.input(input, at);
        },
        end: (at) => {
          goOnTo(at);
          replaying.end(at);
        },
      });
      if (remark !== undefined) stderr.write(`${remark}\n`);
    },
  };
}

/** What a recording says its client was made of; or would have been, with changes. */
export function recordedSetting(header: RecordingHeader, changes?: Changes): Setting {
  const setting = settingOf(header, changes);
  if ('failure' in setting) {
    throw new Failure(EXIT.badInput, `the bootstrap in the recording cannot be used: ${setting.failure}`);
  }
  return setting;
}

function opened(
  header: RecordingHeader,
  changes: Changes,
  args: Arguments,
  env: CliEnvironment,
  onEvent: OnEvent,
): ReturnType<Recording['open']> {
  const suppressed = readSuppressed(args);
  const showWire = args.verbose === true ? wireOn(args, env) : undefined;
  const { options, bootstrap, switches, preset } = recordedSetting(header, changes);
  const append = (event: Event): void => {
    if (event.kind === 'finding' && suppressed.has(event.code)) return;
    const isStorm = engine.isStorm(event);
    if (!isStorm) showWire?.(event);
    onEvent(event, isStorm);
  };
  const isChanged = Object.keys(changes).length > 0;
  const whatIf = isChanged ? new WhatIf(recordedSetting(header).options, options, () => {}, append) : undefined;
  const engine = whatIf?.engine ?? new Engine(options);
  const inspection: Inspection = {
    bootstrap,
    source: header.source,
    node: options.node,
    longestTimerMs: longestTimer(bootstrap, switches, preset),
    snapshot: () => engine.snapshot(),
    // Which targets there are, the recording says, and nobody waits for their timers.
    followed: [],
    nextTimerEnd: () => undefined,
    findings: () => engine.findings().filter(({ code }) => !suppressed.has(code)),
    changedAt: () => Number.NEGATIVE_INFINITY,
    close: () => {},
  };
  return { inspection, replaying: whatIf ?? new Replay(engine, append) };
}
