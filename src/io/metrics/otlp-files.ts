import { MAX_SETTINGS_BYTES, readRegularFile } from '../input-file.js';

/** Reads a PEM file that a variable names. */
export function readSettingsFile(path: string | undefined): Buffer | undefined {
  return path === undefined ? undefined : readRegularFile(path, MAX_SETTINGS_BYTES);
}
