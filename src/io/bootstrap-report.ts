import { type BootstrapReport, validateBootstrap } from '../bootstrap/report.js';
import { type Preset, readSwitches } from '../bootstrap/switches.js';
import type { BootstrapText } from '../inspect/source.js';
import { inspectCertificateFile } from './certificate-file.js';
import type { CliEnvironment } from './environment.js';

/** Validates a bootstrap on this machine: reads the certificates that it names, and the environment that it came from. */
export function bootstrapReport(
  name: string,
  { bytes, file, isNamed }: BootstrapText,
  preset: Preset,
  { variables, clock }: Pick<CliEnvironment, 'variables' | 'clock'>,
): BootstrapReport {
  const now = clock.now();
  return validateBootstrap(name, bytes, {
    preset,
    file,
    switches: readSwitches(variables, preset),
    // The environment is checked only if the bootstrap comes from it.
    variables: isNamed ? {} : variables,
    inspectFile: (path) => inspectCertificateFile(path, now),
  });
}
