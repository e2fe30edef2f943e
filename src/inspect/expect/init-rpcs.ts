import type { Call } from '../../routing/match.js';
import { percentText } from '../verdict/phrases.js';
import type { RouteOutcome } from '../verdict/verdict.js';
import { clusterShares } from './evaluate-rpc.js';
import { explained } from './evaluation-texts.js';
import { exampleCall } from './example-call.js';
import type { ServedTarget } from './init.js';
import { type Comment, FAILING_NOW, type FilePart } from './new-file.js';

/** Builds an RPC for each reachable route, with its current outcome. A comment names each route without an example RPC. */
export function rpcsFor(served: ServedTarget): FilePart<object[]> {
  const { channel, verdict } = served;
  const routes = channel.state.kind === 'published' ? channel.state.config.virtualHost.routes : [];
  const outcomes = new Map(verdict.routes.map((one) => [one.index, one]));
  const value: object[] = [];
  const comments: Comment[] = [];
  const known = new Set<string>();
  for (const route of routes) {
    const outcome = outcomes.get(route.displayOnly.index);
    if (outcome === undefined || outcome.outcome === 'never-matches') continue;
    const call = exampleCall(routes, route);
    // Routes that split RPCs by fraction have the same example.
    if (call !== undefined && known.has(JSON.stringify(call))) continue;
    if (call !== undefined) known.add(JSON.stringify(call));
    const rpc = call && rpcOf(served, call);
    if (rpc === undefined) comments.push({ path: [], text: noExample(outcome, call) });
    else {
      if (rpc.status !== 'OK') comments.push({ path: [value.length, 'expect', 'status'], text: FAILING_NOW });
      value.push(rpc.value);
    }
  }
  return { value, comments };
}

/** The comment for a route without an example RPC. */
function noExample({ index, match, outcome, failingShare }: RouteOutcome, call: Call | undefined): string {
  const route = `route ${index + 1} (${match})`;
  if (outcome === 'partly') return `${route}: ${percentText(failingShare)} of RPCs are ${FAILING_NOW}`;
  return call === undefined ? `${route}: add an RPC that matches it` : `${route}: the outcome of its RPCs varies`;
}

/** Undefined if chance, a plugin or a filter decides the outcome of the RPC. */
function rpcOf(served: ServedTarget, call: Call): { value: object; status: string } | undefined {
  const view = explained(served, call);
  const { status, timeout } = view;
  if (status === null || view.paths.some(({ outcome }) => outcome !== view.outcome)) return undefined;
  const shares = clusterShares(view);
  const [cluster] = shares.keys();
  const { path, metadata } = call;
  const value = {
    ...(path !== '/' && { method: path }),
    ...(metadata.length > 0 && { headers: Object.fromEntries(metadata) }),
    expect: {
      status: status.code,
      ...(shares.size === 1 && { cluster }),
      ...(shares.size > 1 && { clusters: Object.fromEntries(shares) }),
      ...(timeout !== null && { timeout: timeout.value === null ? 'none' : `${timeout.value}ms` }),
    },
  };
  return { value, status: status.code };
}
