import { describe, expect, it } from 'vitest';
import { inspectionResult } from '../../src/inspect/inspection-result.js';
import { ResourceFilter } from '../../src/inspect/resource-filter.js';
import { paintFor } from '../../src/view/render/paint.js';
import { reportText } from '../../src/view/render/report.js';
import { reportDocument } from '../../src/view/report.js';
import { causeScenarios } from '../inspect/cause-scenarios.js';

const SCENARIOS = causeScenarios();
const PAINT = await paintFor(false);
const PAGE = { width: undefined, isTerminal: false, ageOf: () => 1000, showsTimes: false, listsAll: false };

async function reportOn(name: string): Promise<string> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const { inspection } = await scenario.reached();
  const end = inspectionResult(inspection, 'met');
  inspection.close();
  const filter = new ResourceFilter({ type: undefined, name: undefined, status: undefined });
  const rerun = { program: 'xds-inspect', flags: [] };
  const document = reportDocument(end, { filter, rerun, notes: [], worseThan: () => undefined });
  return reportText(document, { ...PAGE, paint: PAINT, isColored: false });
}

describe('the report', () => {
  it.each([
    ['unreachable-stream-cds', '  listener greeter → ✗ cluster blue\n'],
    ['not-in-response-cds', '  Next: xds-inspect get clusters\n'],
    ['no-route-ignored', '  RPCs: UNAVAILABLE (No matching route found in xDS route config: no route matches)\n'],
    ['rpc-server-no-filter-chain', '  RPCs: refused\n'],
    ['rpc-server-rejected', '  RPCs: refused: the gRPC server is not serving\n'],
  ])('for the scenario %s contains the line %s', async (name, line) => {
    expect(await reportOn(name)).toContain(line);
  });

  it.each([
    ['unreachable-stream-cds', 'XI221'],
    ['rpc-server-rejected', 'XI219'],
  ])('for the scenario %s does not contain the finding %s', async (name, code) => {
    expect(await reportOn(name)).not.toContain(code);
  });

  it('contains the advice on a tear once', async () => {
    expect((await reportOn('config-tear-cluster')).match(/→ Serve the cluster/g)).toHaveLength(1);
  });
});
