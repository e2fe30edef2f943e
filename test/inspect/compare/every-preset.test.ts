import { describe, expect, it } from 'vitest';
import { PRESET_NAMES, type Preset } from '../../../src/bootstrap/preset-names.js';
import { compareImplementations } from '../../../src/inspect/compare/compare-implementations.js';
import { observedRun } from '../../../src/inspect/compare/implementation-run.js';
import { open } from '../../../src/inspect/inspection.js';
import { validatorOf } from '../../../src/peers/response-validators.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { responseValidator } from '../../../src/resources/validate-response.js';
import { scenarioFile } from '../../support/simulate.js';
import { sourceOf } from '../live-source.js';

/** The clients of all presets on a scenario. */
async function runs(path: string, target: string) {
  return await Promise.all(
    PRESET_NAMES.map(async (preset) => {
      const { source, clock } = sourceOf(scenarioFile(path), { targets: [target] });
      const environment = { ...source.client.environment, preset };
      const inspection = await open({ ...source, client: { ...source.client, environment } });
      inspection.start();
      clock.advanceBy(60_000);
      const run = observedRun(inspection, 'met');
      inspection.close();
      return run;
    }),
  );
}

describe('a comparison of the presets', () => {
  it('rejects a cluster for exactly those implementations whose own rules reject it', async () => {
    const all = await runs('fixtures/scenarios/compare/java-ring-size.yaml', 'orders');
    const { resources, targets } = compareImplementations(all, undefined);
    const cells = resources.find(({ type, name }) => type === 'CDS' && name === 'orders-v1')?.cells;
    const [spec] = all;
    const value = spec?.result.snapshot[0]?.entry(RESOURCE_TYPES.CDS, 'orders-v1')?.bytes as Uint8Array;
    const isRejected = (preset: Preset): boolean => {
      const { newValidator: _, ...context } = spec?.result.context ?? ({} as never);
      const whole = { ...context, ...validatorOf(preset), trustedServer: false };
      const found = responseValidator(RESOURCE_TYPES.CDS, whole).validate({ typeUrl: RESOURCE_TYPES.CDS, value }, 0);
      return found?.errors.length !== 0;
    };
    const expected = PRESET_NAMES.map((preset) => [preset, isRejected(preset) ? 'rejected' : 'accepted']);
    expect([...(cells ?? [])].map(([preset, { verdict }]) => [preset, verdict])).toEqual(expected);
    const outcomes = expected.map(([preset, verdict]) => [preset, verdict === 'rejected' ? 'partly' : 'ok']);
    expect([...(targets[0]?.cells ?? [])].map(([preset, { verdict }]) => [preset, verdict])).toEqual(outcomes);
  });
});
