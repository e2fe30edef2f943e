import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bundled } from '../bundle.ts';
import { median } from '../measure.ts';

/** The cost of a command, from its start to its end. */
export interface Cost {
  cpuMs: number;
  wallMs: number;
  peakMiB: number;
}

/** Runs a command `times` times. Its output is discarded; a verdict may decide its exit code, but a bug may not. */
export async function costOf(
  root: string,
  args: readonly string[],
  times: number,
  env: Record<string, string> = {},
): Promise<Cost> {
  const preload = await bundled(root, 'scale/report-cost');
  const costs: Cost[] = [];
  for (let i = 0; i < times; i++) costs.push(await once(preload, [join(root, 'bin/xds-inspect.js'), ...args], env));
  const of = (field: keyof Cost): number => median(costs.map((cost) => cost[field]));
  return { cpuMs: of('cpuMs'), wallMs: of('wallMs'), peakMiB: Math.max(...costs.map(({ peakMiB }) => peakMiB)) };
}

/** A bug in the command, or no connection. */
const FAILED = new Set<number | null>([null, 1, 64, 69]);

async function once(preload: string, args: readonly string[], env: Record<string, string>): Promise<Cost> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let report = '';
  (child.stdio[3] as NodeJS.ReadableStream).on('data', (text) => {
    report += text;
  });
  const code = await new Promise<number | null>((closed) => child.once('close', closed));
  if (FAILED.has(code) || report === '') throw new Error(`${args.slice(1, 3).join(' ')} … ended with ${code}`);
  return { ...(JSON.parse(report) as Omit<Cost, 'wallMs'>), wallMs: performance.now() - start };
}
