import { writeSync } from 'node:fs';
import { USAGE_FD } from './usage-fd.ts';

// Loaded before the command line that is measured, which knows nothing of it.
function report(): void {
  const { user, system } = process.cpuUsage();
  writeSync(USAGE_FD, `${(user + system) / 1000}\n`);
}

process.on('exit', report);
process.on('SIGUSR2', report);
