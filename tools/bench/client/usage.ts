import { readFileSync } from 'node:fs';
import type { Usage } from './messages.ts';

/** Reports the usage of this process to the benchmark on request. */
export function reportUsage(): void {
  process.on('message', () => process.send?.(usage()));
  process.on('disconnect', () => process.exit());
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, peakMiB: peakMiB() };
}

/** On Linux `maxRSS` includes the parent process, VmHWM does not. */
function peakMiB(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kib) / 1024;
}
