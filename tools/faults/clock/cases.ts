import { completeRevision, TARGET, versionOf } from '../model.ts';
import type { PlaneProcess } from '../plane/plane-process.ts';
import { until } from '../until.ts';

const HOUR = 3600;
const NEVER = 'CDS/blue.version=0';

/** A running command, its control plane and its clock. */
interface ClockRun {
  plane: PlaneProcess;
  /** Lines on standard output so far. */
  lines: string[];
  stderr(): string;
  step(seconds: number): void;
  interrupt(): void;
}

export interface ClockCase {
  name: string;
  args: string[];
  exit: number;
  /** The control plane is stopped before the command starts. */
  isPlaneStopped?: boolean;
  run(run: ClockRun): Promise<void>;
}

/** The revision that `later` serves. */
const LATER = completeRevision(2);
const later = ({ plane }: ClockRun): void => plane.serve(LATER);
const isLater = (line: string): boolean => line.includes('"kind":"response"') && line.includes(`"version":"${LATER}"`);
const seen = (run: ClockRun, isMatch: (line: string) => boolean, what: string): Promise<void> =>
  until(
    () => run.lines.some(isMatch),
    () => what,
    60_000,
  );
const connected = ({ plane }: ClockRun): Promise<void> => plane.streamAfter(0);
const firstEndpoints = (run: ClockRun): Promise<void> =>
  seen(run, (line) => line.includes('"type":"EDS"') && line.includes('"change":"updated"'), 'the endpoints');

/** The wire on standard error shows that the command waits for a response. */
const requested = (run: ClockRun): Promise<void> =>
  until(
    () => run.stderr().includes('LDS'),
    () => 'the first request',
    60_000,
  );

const CHECK = ['check', '-', '-v', '--timeout', '10m'];
const WATCH = ['watch', TARGET, '-o', 'ndjson'];
const UNTIL_LATER = ['wait', TARGET, '--until', `CDS/blue.version=${versionOf('CDS', LATER)}`];

/**
 * A step of the clock changes no duration: a time limit neither expires early nor is prolonged, and a retry neither comes
 * early nor late. Each case ends by itself, or with an event after the step.
 */
export const CLOCK_CASES: readonly ClockCase[] = [
  {
    name: 'watch --for ends after a step back',
    args: [...WATCH, '--for', '3s'],
    exit: 0,
    run: async (run) => {
      await firstEndpoints(run);
      run.step(-HOUR);
    },
  },
  {
    name: 'watch --for continues after a step forward, until Ctrl-C',
    args: [...WATCH, '--for', '10m'],
    exit: 130,
    run: async (run) => {
      await firstEndpoints(run);
      run.step(HOUR);
      later(run);
      await seen(run, isLater, 'a response after the step');
      run.interrupt();
    },
  },
  {
    name: 'Ctrl-C ends watch after a step back',
    args: WATCH,
    exit: 130,
    run: async (run) => {
      await firstEndpoints(run);
      run.step(-HOUR);
      later(run);
      await seen(run, isLater, 'a response after the step');
      run.interrupt();
    },
  },
  {
    name: 'watch reconnects after a step back during the backoff',
    args: WATCH,
    exit: 130,
    run: async (run) => {
      await firstEndpoints(run);
      await run.plane.kill();
      await seen(run, (line) => line.includes('"change":"ended"'), 'the end of the stream');
      run.step(-HOUR);
      later(run);
      await run.plane.restart();
      await seen(run, isLater, 'a response on a new stream');
      run.interrupt();
    },
  },
  {
    name: 'wait --timeout expires after a step back',
    args: ['wait', TARGET, '--until', NEVER, '--timeout', '3s'],
    exit: 75,
    run: async (run) => {
      await connected(run);
      run.step(-HOUR);
    },
  },
  {
    name: 'wait --timeout does not expire at a step forward',
    args: [...UNTIL_LATER, '--timeout', '10m'],
    exit: 0,
    run: async (run) => {
      await connected(run);
      run.step(HOUR);
      later(run);
    },
  },
  {
    name: 'check settles after a step back',
    args: CHECK,
    exit: 0,
    isPlaneStopped: true,
    run: async (run) => {
      await requested(run);
      run.step(-HOUR);
      run.plane.signal('SIGCONT');
    },
  },
  {
    name: 'check does not time out at a step forward',
    args: CHECK,
    exit: 0,
    isPlaneStopped: true,
    run: async (run) => {
      await requested(run);
      run.step(HOUR);
      run.plane.signal('SIGCONT');
    },
  },
];

/** What `check -` reads from standard input. */
export const EXPECTATIONS = JSON.stringify({ targets: [`xds:///${TARGET}`] });
