import { writeSync } from 'node:fs';

/** The file descriptor that tools/bench/scale/run.ts reads. */
const REPORT_FD = 3;

// Preloaded into the measured command, which needs no change for it.
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(REPORT_FD, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 }));
});
