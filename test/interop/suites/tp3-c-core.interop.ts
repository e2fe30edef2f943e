import { afterAll, describe, expect, it } from 'vitest';
import { type CliRun, runCli, startCli } from '../../support/cli.js';
import { later, scenario } from '../../support/serving.js';
import { App, type Outcome } from '../support/app.js';
import { backend } from '../support/backend.js';
import { eventually, until } from '../support/eventually.js';
import { cluster, endpoints, listener, routes } from '../support/greeter.js';
import { reportFigure } from '../support/report-figure.js';

type ShortType = 'LDS' | 'RDS' | 'CDS' | 'EDS';

/** The name of the resource of each type. */
const NAMES: Record<ShortType, string> = { LDS: 'greeter', RDS: 'routes', CDS: 'one', EDS: 'one' };

/** An error or a deletion of one resource, at once or after the client has cached it. */
interface ErrorCase {
  type: ShortType;
  /** The error that the server reports (xRFC TP3); without one, a response omits the resource. */
  code?: string;
  isCached: boolean;
}

const CASES: ErrorCase[] = [
  ...(['LDS', 'RDS', 'CDS', 'EDS'] as const).flatMap((type) =>
    ['PERMISSION_DENIED', 'NOT_FOUND'].flatMap((code) => [false, true].map((isCached) => ({ type, code, isCached }))),
  ),
  // A transient error: the client keeps its cached version.
  { type: 'CDS', code: 'UNAVAILABLE', isCached: false },
  { type: 'CDS', code: 'UNAVAILABLE', isCached: true },
  { type: 'LDS', isCached: true },
  { type: 'CDS', isCached: true },
];

/** A server that reports the error on every stream and serves all other resources. */
function scenarioOf({ type, code, isCached }: ErrorCase, port: number): string {
  const error = { name: NAMES[type], code, message: `no ${type} for you` };
  const trouble = { type, version: '2', resources: [], ...(code !== undefined && { errors: [error] }) };
  const before = isCached ? [{ send: { type, version: '1', resources: [type] } }, { wait: '100ms' }] : [];
  const others = (['LDS', 'RDS', 'CDS', 'EDS'] as const).filter((one) => one !== type);
  return JSON.stringify({
    resources: { LDS: listener(), RDS: routes('one'), CDS: cluster('one'), EDS: endpoints('one', port) },
    servers: {
      p: {
        serves: others.map((one) => ({ type: one, version: '1', resources: [one] })),
        on: [{ request: type, times: 1, do: [...before, { send: trouble }] }],
      },
    },
  });
}

async function served(path: string, failsOnDataErrors: boolean): Promise<{ run: CliRun; bootstrap: string }> {
  const run = startCli(['serve', path, '--port', '0']);
  later(run.interrupt);
  await until(() => run.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  const printed = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(run.stderr)?.[1] as string;
  const features = failsOnDataErrors ? '"xds_v3","fail_on_data_errors"' : '"xds_v3"';
  return { run, bootstrap: printed.replace('"xds_v3"', features) };
}

/** The outcome that `explain --as c-core` predicts for an RPC. */
async function explained(variables: Record<string, string>): Promise<Pick<Outcome, 'code' | 'message'>> {
  const { stdout } = await runCli(['explain', 'greeter', '--as', 'c-core', '-o', 'json'], variables);
  const { outcome, status } = JSON.parse(stdout);
  return outcome === 'waits' ? { code: 'DEADLINE_EXCEEDED', message: 'Deadline Exceeded' } : status;
}

describe('explain --as c-core predicts the RPC of C-core after a server error (xRFC TP3, A88)', () => {
  const outcomes = new Map<string, number>();
  afterAll(() => {
    const counts = [...outcomes].map(([code, count]) => `${count} ${code}`).join(', ');
    reportFigure(`TP3 with C-core: explain --as c-core predicts the exact code and message of an RPC in ${counts}`);
  });
  for (const failsOnDataErrors of [false, true]) {
    for (const trouble of CASES) {
      const { type, code = 'a deletion', isCached } = trouble;
      const feature = failsOnDataErrors ? ', fail_on_data_errors' : '';
      it(`${type}: ${code}${isCached ? ', with a cached version' : ''}${feature}`, async () => {
        const { port } = await backend('blue');
        const { run, bootstrap } = await served(scenario(scenarioOf(trouble, port)), failsOnDataErrors);
        const variables = {
          GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap,
          GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING: 'true',
        };
        const app = await App.start('c-core-app', variables);
        await app.connect('xds:///greeter');
        await until(
          () => run.stdout.includes(`→ ${type} [${NAMES[type]}]  version 2`),
          'C-core has received version 2',
        );
        const [predicted, got] = await eventually(
          async () => [await explained(variables), await app.call('xds:///greeter', { timeout: 3 })] as const,
          ([ours, real]) => ours.code === real.code && ours.message === real.message,
          'explain predicts the outcome of the RPC',
        );
        expect(predicted).toEqual({ code: got.code, message: got.message });
        outcomes.set(got.code, (outcomes.get(got.code) ?? 0) + 1);
      });
    }
  }
});
