import { fstatSync, statSync } from 'node:fs';

/** Whether a file descriptor is a terminal. Pipes, files and `/dev/null` do not load `node:tty`, which takes a millisecond. */
export function isTerminal(descriptor: number): boolean {
  try {
    const file = fstatSync(descriptor);
    if (!file.isCharacterDevice() || file.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // A closed descriptor, or a system without this device.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}
