import { formatMillis } from '../../base/duration.js';
import { seededRandom } from '../../base/random.js';
import { explainView } from '../explain/explain.js';
import type { ExplainView } from '../explain/explanation.js';
import { hintText } from './evaluation-texts.js';
import type { ExpectedFact, ResourceKey, RpcOutcome } from './expectations.js';
import { fits, matchText } from './match.js';
import type { Evaluation, Observation } from './observation.js';
import { routeHint } from './route-hint.js';

/** Shares are compared with a precision of 0.1 %. */
const TENTHS = 10;

/** Compares the expected outcome of an RPC with the prediction of `explain`. */
export function evaluateRpc(
  { call, deadline: deadlineMs, rules, outcome }: Extract<ExpectedFact, { kind: 'rpc' }>,
  { scope, channel, nodeId }: Observation,
): Evaluation {
  const view = explainView(scope, channel, { call, deadlineMs, rules, nodeId, random: seededRandom(1) });
  const parts = [statusPart, messagePart, clusterPart, timeoutPart]
    .map((partOf) => partOf(outcome, view))
    .filter((part) => part !== undefined);
  const ok = parts.every((part) => part.ok);
  const evaluation = {
    ok,
    expected: parts.map(({ expected }) => expected).join(', '),
    actual: parts.map(({ actual }) => actual).join(', '),
  };
  const [failing] = view.hints.map(hintText);
  const elsewhere = outcome.cluster === undefined ? undefined : routeHint(channel, call, outcome.cluster);
  if (ok) return evaluation;
  const hint = failing ?? elsewhere;
  const blockedBy = blockerOf(outcome, view);
  return { ...evaluation, ...(hint !== undefined && { hint }), ...(blockedBy !== undefined && { blockedBy }) };
}

/** The resource that blocks all such RPCs, or those to one of several clusters. */
function blockerOf({ status }: RpcOutcome, view: ExplainView): ResourceKey | undefined {
  if (status !== 'OK') return undefined;
  if (view.blockedBy !== null) return { type: view.blockedBy.type, name: view.blockedBy.name };
  const cluster = view.paths.find(({ outcome }) => outcome === 'fails')?.cluster;
  return typeof cluster === 'string' ? { type: 'CDS', name: cluster } : undefined;
}

/** One compared property of an RPC. */
type ComparedPart = Pick<Evaluation, 'ok' | 'expected' | 'actual'>;

/** If several outcomes are possible, all of them must have the expected status. */
function statusPart({ status }: RpcOutcome, view: ExplainView): ComparedPart {
  const odd = view.paths.find(({ outcome }) => (outcome === 'ok') !== (status === 'OK'));
  const actual = outcomeText(view);
  if (view.status?.code !== status || odd === undefined)
    return { ok: view.status?.code === status, expected: status, actual };
  const end = odd.message === null ? odd.outcome : `${odd.outcome}: ${odd.message}`;
  const part = `${percentOf(odd.share)} %${odd.cluster === null ? '' : ` to cluster ${odd.cluster}`}`;
  return { ok: false, expected: `${status} for all RPCs`, actual: `${actual}, but not for ${part}: ${end}` };
}

function outcomeText({ outcome, status, chains }: ExplainView): string {
  if (status !== null) return status.message === '' ? status.code : `${status.code}: ${status.message}`;
  if (outcome === 'waits') return 'queued: the configuration is incomplete';
  const why = chains.length > 0 ? 'it depends on the caller' : 'a plugin chooses the cluster';
  return `unknown: ${why}`;
}

function messagePart({ message }: RpcOutcome, { status }: ExplainView): ComparedPart | undefined {
  if (message === undefined) return undefined;
  const actual = status?.message ?? '';
  const expected = `message ${matchText(message)}`;
  return { ok: fits(message, actual), expected, actual: `message ${JSON.stringify(actual)}` };
}

function clusterPart({ cluster, clusters }: RpcOutcome, view: ExplainView): ComparedPart | undefined {
  const wanted = cluster === undefined ? clusters : new Map([[cluster, 100]]);
  if (wanted === undefined) return undefined;
  const found = clusterShares(view);
  const ok = [...wanted.keys(), ...found.keys()].every((name) => (wanted.get(name) ?? 0) === (found.get(name) ?? 0));
  return { ok, expected: clustersText(wanted), actual: clustersText(found) };
}

/** The share of RPCs for each cluster, in percent. */
export function clusterShares({ paths }: ExplainView): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { cluster, share } of paths) if (cluster !== null) shares.set(cluster, (shares.get(cluster) ?? 0) + share);
  return new Map([...shares].map(([name, share]) => [name, percentOf(share)]));
}

function percentOf(share: number): number {
  return Math.round(share * 100 * TENTHS) / TENTHS;
}

function clustersText(shares: ReadonlyMap<string, number>): string {
  if (shares.size === 0) return 'no cluster';
  const all = [...shares].map(([name, percent]) => (percent === 100 ? name : `${name} ${percent} %`));
  return `cluster ${all.join(' + ')}`;
}

function timeoutPart({ timeout }: RpcOutcome, view: ExplainView): ComparedPart | undefined {
  if (timeout === undefined) return undefined;
  const found = view.timeout?.value ?? 'none';
  const from = view.timeout === null || found === 'none' ? '' : ` (${view.timeout.from})`;
  return { ok: found === timeout, expected: timeoutText(timeout), actual: `${timeoutText(found)}${from}` };
}

function timeoutText(timeout: number | 'none'): string {
  return timeout === 'none' ? 'no timeout' : `timeout ${formatMillis(timeout)}`;
}
