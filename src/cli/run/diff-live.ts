import { countText } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { EXIT } from '../../base/exit-codes.js';
import { Failure, UsageError } from '../../base/failure.js';
import { hasLostAuthority } from '../../engine/lost-servers.js';
import { scopePart } from '../../inspect/diff-sides/cached-resources.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { type InspectionResult, inspectionResult } from '../../inspect/inspection-result.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { until } from '../../inspect/until.js';
import { shortType } from '../../proto/resource-types.js';
import { listedNames } from '../../view/progress-text.js';
import { unreachableSentences } from '../../view/unreachable.js';
import { visibleName } from '../../view/visible-text.js';
import { connect } from './connect.js';
import type { SideConnection } from './diff-connection.js';
import { failedSide, type Reading, type ReadSide, readSide } from './diff-side.js';

/** Reads a target as `status` does: connects as a gRPC program would, and waits until the resources have settled. */
export async function readTarget(
  target: string,
  settings: SideConnection,
  { input, out, wait, interrupt, inspections }: Reading,
): Promise<ReadSide> {
  const inspection = await connect({ ...settings, targets: [target] }, out).catch(notFindings);
  inspections.add(inspection);
  const limit = input.timeout ?? defaultTimeLimit(inspection);
  const ending = await until(inspection, settled(inspection), {
    ...wait,
    limit,
    onInterrupt: (stop) => {
      // Ctrl-C may come while the client is set up.
      if (interrupt.aborted) queueMicrotask(stop);
      interrupt.addEventListener('abort', stop);
      return () => interrupt.removeEventListener('abort', stop);
    },
  });
  const result = inspectionResult(inspection, ending);
  inspection.close();
  inspections.delete(inspection);
  return ofResult(target, result, limit, settings.context);
}

function ofResult(target: string, result: InspectionResult, limit: number, context: string | undefined): ReadSide {
  const { snapshot, ending } = result;
  const isLost = snapshot.some(hasLostAuthority);
  const problems = isLost ? unreachableSentences(result, 'json').map((text) => `${target}: ${text}`) : [];
  if (!result.hasData && ending !== 'interrupted') return failedSide(EXIT.unavailable, ...problems);
  const isTimedOut = ending === 'timed out';
  if (isTimedOut) problems.push(`${target} has not settled within ${formatMillis(limit)}: ${openText(snapshot)}`);
  const side = readSide(labelOf(target, context, snapshot), snapshot.map(scopePart));
  return { ...side, problems, outcome: { isLost, isTimedOut, isInterrupted: ending === 'interrupted' } } as ReadSide;
}

/** A target that gRPC cannot use is a usage error: 79 means that the sides differ. */
function notFindings(error: unknown): never {
  throw error instanceof Failure && error.exitCode === EXIT.findings ? new UsageError(error.message) : error;
}

function openText(snapshot: InspectionResult['snapshot']): string {
  const open = snapshot.flatMap(({ entries }) => entries.filter(({ status }) => status === 'REQUESTED'));
  if (open.length === 0) return 'its resources still change';
  const names = listedNames(open, ({ typeUrl, name }) => `${shortType(typeUrl)} ${visibleName(name)}`);
  return `${countText(open.length, 'resource')} without a response (${names})`;
}

/** `xds:///greeter (10.0.0.7:18000)`, `xds:///greeter (context prod, 10.0.0.7:18000)` */
function labelOf(
  target: string,
  context: string | undefined,
  snapshot: ReturnType<ClientInspection['snapshot']>,
): string {
  const servers = snapshot.flatMap(({ authorities }) =>
    authorities.flatMap((one) => one.servers.filter(({ isActive }) => isActive).map(({ uri }) => uri)),
  );
  const shown = /^(xds:|#)/i.test(target) ? target : `xds:///${target}`;
  const facts = [...(context === undefined ? [] : [`context ${context}`]), ...new Set(servers)];
  return facts.length === 0 ? shown : `${shown} (${facts.join(', ')})`;
}
