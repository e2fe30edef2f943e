import { countText } from '../../base/count-text.js';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { type ListedTargets, listTargets } from '../../inspect/all-targets.js';
import type { CliEnvironment } from '../../io/environment.js';
import { livePorts } from '../../io/live-client.js';
import { type Progress, withProgress } from '../../io/progress.js';
import type { ReportInput } from '../commands/report.js';
import { Printer } from '../printer.js';
import { clientFor, showLive } from './connect.js';
import { reportView } from './report.js';

/** Limits the load on the control plane: each target has its own client and stream (A71). */
const MAX_TARGETS = 500;
const LIST_MS = 10_000;

/** `xds-inspect <target>…`, and `report --all`. */
export async function report(input: ReportInput, env: CliEnvironment): Promise<ExitCode> {
  if (!input.all) {
    if (input.targets.length === 0) throw new UsageError('missing target: xds-inspect <target>, or --all');
    return await showLive(input, env, reportView);
  }
  if (input.targets.length > 0) throw new UsageError('--all excludes targets: it reports all of them');
  const out = new Printer(input, env);
  const listed = await list(input, out);
  if (listed.ending === 'interrupted') return EXIT.interrupted;
  return await showLive({ ...input, targets: chosen(listed, out) }, env, reportView);
}

async function list(input: ReportInput, out: Printer): Promise<ListedTargets> {
  const client = await clientFor(input, out);
  const ports = await livePorts(client, out.env);
  const limit = input.timeout ?? LIST_MS;
  const progress = (line: Progress): void => line.show(() => ({ what: 'requesting the list of listeners' }));
  return await withProgress({ ...input, limit }, out.env, progress, (wait) =>
    listTargets({ client, ports }, { ...wait, limit }),
  );
}

function chosen({ targets, servers, unreachable, hasResponded }: ListedTargets, out: Printer): string[] {
  if (!hasResponded) {
    throw new Failure(
      EXIT.unavailable,
      'the control plane did not send its list of listeners: name the targets instead of --all',
    );
  }
  if (targets.length === 0) {
    const others = servers === 0 ? '' : `, only ${countText(servers, 'listener')} of gRPC servers`;
    throw new Failure(EXIT.findings, `the control plane has no listener for clients${others}`);
  }
  if (servers > 0)
    out.remark(`omitted ${countText(servers, 'listener')} of gRPC servers: inspect them as #server:host:port`);
  if (unreachable > 0)
    out.remark(`omitted ${countText(unreachable, 'listener')}: no target resolves to them with this bootstrap`);
  if (targets.length > MAX_TARGETS)
    out.printLine(`reporting only the first ${MAX_TARGETS} of ${targets.length} targets`);
  return targets.slice(0, MAX_TARGETS);
}
