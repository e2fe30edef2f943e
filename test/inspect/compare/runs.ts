import type { Preset } from '../../../src/bootstrap/preset-names.js';
import { type ObservedRun, observedRun } from '../../../src/inspect/compare/implementation-run.js';
import { open } from '../../../src/inspect/inspection.js';
import { live, SERVED } from '../live-source.js';

/** A control plane whose cluster every implementation rejects. */
export const REJECTED = SERVED.replace('type: EDS, eds_cluster_config: { eds_config: { ads: {} } }', 'type: STATIC');
/** Its routes refer to clusters by a header, which gRPC ignores, so that no route is left. */
export const IGNORED = SERVED.replace(
  'routes: [{ match',
  'routes: [{ match: { prefix: "/a" }, route: { cluster_header: x } }, { match',
);

/** What the client of an implementation does with a control plane. A run can be given another name to construct a difference. */
export async function runOf(
  preset: Preset,
  scenarioText: string,
  options: Parameters<typeof observedRun>[2] & { seconds?: number } = {},
): Promise<ObservedRun> {
  const { source, clock } = live(scenarioText);
  const environment = { ...source.client.environment, preset };
  const inspection = await open({ ...source, client: { ...source.client, environment } });
  inspection.start();
  clock.advanceBy((options.seconds ?? 20) * 1000);
  const run = observedRun(inspection, 'met', options);
  inspection.close();
  return run;
}
