import { recordingJson } from '../recording-json.js';
import type { Disagreement } from './differential.js';

/** The disagreements, in the format of fixtures/resources/c-core-found.json. */
export function differencesFile(disagreements: readonly Disagreement[], seed: number): string {
  return recordingJson({
    recorded_from: 'C-core, on resources made by chance',
    env: { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true' },
    cases: disagreements.map(({ core, here: _here, ...made }, index) => ({
      id: `found-${seed}-${index + 1}`,
      ...made,
      expect: core,
    })),
  });
}
