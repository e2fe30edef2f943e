import { matchText } from '../../resources/match-text.js';
import type { Call } from '../../routing/match.js';
import type { Route } from '../lone-route.js';
import { clusterShares } from './evaluate-rpc.js';
import { exampleCall } from './example-call.js';
import type { ServedTarget } from './init.js';
import { type Comment, FAILING_NOW, type Part } from './new-file.js';
import { explained } from './wording.js';

/** One RPC for each route that calls reach, with what it gets now; a route without an example is named in a comment. */
export function rpcsFor(served: ServedTarget): Part<object[]> {
  const { channel, verdict } = served;
  const routes = channel.state.kind === 'published' ? channel.state.config.virtualHost.routes : [];
  const isReached = new Set(
    verdict.routes.flatMap(({ index, outcome }) => (outcome === 'never-matches' ? [] : [index])),
  );
  const value: object[] = [];
  const comments: Comment[] = [];
  const known = new Set<string>();
  for (const route of routes.filter(({ aside }) => isReached.has(aside.index))) {
    const call = exampleCall(routes, route);
    // Routes that share calls by chance have the same example.
    if (call !== undefined && known.has(JSON.stringify(call))) continue;
    if (call !== undefined) known.add(JSON.stringify(call));
    const rpc = call && rpcOf(served, call);
    if (rpc === undefined) comments.push({ path: [], text: noExample(route) });
    else {
      if (rpc.status !== 'OK') comments.push({ path: [value.length, 'expect', 'status'], text: FAILING_NOW });
      value.push(rpc.value);
    }
  }
  return { value, comments };
}

function noExample({ aside: { index }, match }: Route): string {
  return `route ${index + 1} (${matchText(match)}): no RPC that always ends alike is known, so none is expected`;
}

/** Undefined where chance, a plugin or a filter decides how the RPC ends. */
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
