import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { LISTENER } from '../client/listener.ts';
import { median } from '../measure.ts';
import { amount, type Value } from '../page/value.ts';
import type { BenchSetup, Outcome } from '../section.ts';
import { skipped } from './builds.ts';
import { Plane } from './plane.ts';
import { ProcessMeter } from './process-meter.ts';
import { Watching } from './watching.ts';

/** With a second, valid cluster the client would report the new version, and go-control-plane would stop resending. */
const CLUSTERS = 1;
const PEER = 'go-control-plane, the same exchange';
const STEP_MS = 10_000;
const STEPS = 6;
/** The largest allowed CPU time of a NACK, as a multiple of what go-control-plane takes for the same exchange. */
const NACK_GOAL = 1.2;

/** Measures `watch` in a pipe for a minute: go-control-plane resends a rejected response without a pause. */
export async function storm({ root, builds }: BenchSetup): Promise<Outcome> {
  const command = builds.commands['bench-plane'];
  if (command === undefined) return skipped(builds);
  const plane = await Plane.start(command, CLUSTERS);
  let lines = 0;
  const watching = await Watching.start(root, plane, () => lines++);
  try {
    const rows: Value[][] = [];
    const [ours, theirs]: [number[], number[]] = [[], []];
    const planeMeter = new ProcessMeter(plane.pid);
    await plane.spoil();
    for (let step = 1; step <= STEPS; step++) {
      const [before, cpuMs, printed, began] = [await plane.state(), watching.meter.cpuMs(), lines, performance.now()];
      const planeCpuMs = planeMeter.cpuMs();
      await new Promise((wake) => setTimeout(wake, STEP_MS));
      const nacks = (await plane.state()).nacks - before.nacks;
      const [ms, spentMs] = [performance.now() - began, watching.meter.cpuMs() - cpuMs];
      const [nackMs, resendMs] = [spentMs / nacks, (planeMeter.cpuMs() - planeCpuMs) / nacks];
      ours.push(nackMs);
      theirs.push(resendMs);
      rows.push([
        `${(step * STEP_MS) / 1000} s`,
        Math.round(nacks / (ms / 1000)),
        { unit: 'ms', median: nackMs },
        { unit: 'ms', median: resendMs },
        { ratio: nackMs / resendMs },
        `${((100 * spentMs) / ms).toFixed(0)} %`,
        { unit: 'MiB', median: watching.meter.residentMiB() },
        lines - printed,
      ]);
    }
    await watching.end();
    const { seconds, text } = await status(root, plane);
    const lineCount = text.trimEnd().split('\n').length;
    const after = `\`xds-inspect status\` in the same storm ends after ${seconds.toFixed(1)} s and prints ${lineCount} lines.`;
    const columns = [
      'after',
      'NACKs per second',
      'CPU of a NACK',
      PEER,
      'ratio',
      'of a core',
      'memory',
      'printed lines',
    ];
    const figure = {
      what: 'CPU of a NACK',
      value: amount('ms', ours),
      ratio: median(ours) / median(theirs),
      peer: PEER,
      peerValue: amount('ms', theirs),
      goal: NACK_GOAL,
      runs: STEPS,
    };
    return { columns, rows, notes: [after], figures: [figure] };
  } finally {
    plane.end();
  }
}

function status(root: string, { bootstrap }: Plane): Promise<{ seconds: number; text: string }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'bin/xds-inspect.js'), 'status', LISTENER], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap },
  });
  let text = '';
  child.stdout.on('data', (more) => {
    text += more;
  });
  return new Promise((resolve) =>
    child.on('close', () => resolve({ seconds: (performance.now() - began) / 1000, text })),
  );
}
