import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../../../fixtures');

interface Named {
  id: string;
}

/**
 * Reads a recording. One with `inputs` has the scenarios of that file below fixtures, by id, and contains only what
 * differs: the behaviour of another client.
 */
export function readRecordingFile(file: string): unknown {
  const recording = JSON.parse(readFileSync(file, 'utf8')) as { inputs?: string; scenarios?: Named[] } | null;
  if (typeof recording?.inputs !== 'string') return recording;
  const inputs = JSON.parse(readFileSync(join(FIXTURES, recording.inputs), 'utf8')) as { scenarios: Named[] };
  const known = new Map(inputs.scenarios.map((one) => [one.id, one]));
  const scenarios = recording.scenarios?.map((one) => ({ ...known.get(one.id), ...one }));
  return { ...inputs, ...recording, scenarios };
}
