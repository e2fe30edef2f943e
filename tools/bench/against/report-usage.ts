import { writeSync } from 'node:fs';
import { USAGE_FD } from './usage-fd.ts';

// Preloaded into the measured command, which needs no change for it.
function report(): void {
  const { user, system } = process.cpuUsage();
  writeSync(USAGE_FD, `${(user + system) / 1000}\n`);
}

process.on('exit', report);
process.on('SIGUSR2', report);
