import { readFileSync } from 'node:fs';
import type { Usage } from './messages.ts';

/** Tells the benchmark what this process has used, whenever it asks. */
export function reportUsage(): void {
  process.on('message', () => process.send?.(usage()));
  process.on('disconnect', () => process.exit());
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, peakMiB: peakMiB() };
}

/** Linux counts the process that started this one into `maxRSS`, but not into its own figure of the same. */
function peakMiB(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kib) / 1024;
}
