import { oneCaseALine } from '../layout.js';
import type { Disagreement } from './differential.js';

/** What was judged differently, in the format of fixtures/resources/c-core-found.json. */
export function foundFile(disagreements: readonly Disagreement[], seed: number): string {
  return oneCaseALine({
    recorded_from: 'C-core, on resources made by chance',
    env: { GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true' },
    cases: disagreements.map(({ core, here: _here, ...made }, index) => ({
      id: `found-${seed}-${index + 1}`,
      ...made,
      expect: core,
    })),
  });
}
