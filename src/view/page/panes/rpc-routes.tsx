import type { JSX } from 'preact';
import { countText, firstFew } from '../../../base/count-text.js';
import { serverAddress } from '../../../bootstrap/target.js';
import { percentText } from '../../../inspect/verdict/phrases.js';
import type { RouteOutcome } from '../../../inspect/verdict/verdict.js';
import type { Explanation } from '../../explain.js';
import { Icon, type IconKind } from '../icons.js';
import { shortLine, shortName } from '../text.js';

const MOST_ROUTES = 30;

const ICONS: Record<RouteOutcome['outcome'], IconKind> = {
  ok: 'ok',
  partly: 'partly',
  fails: 'error',
  waiting: 'waiting',
  'never-matches': 'none',
};
const RANKS: readonly RouteOutcome['outcome'][] = ['fails', 'partly', 'waiting', 'ok', 'never-matches'];

/** Without an RPC: what the RPCs of each route get, the worst first. */
export function RouteOutcomes({ view }: { view: Explanation }): JSX.Element {
  const { routes, hasUnmatchedCalls, target, clients } = view;
  const noun = serverAddress(target) === undefined ? 'route' : 'filter chain';
  const sorted = [...routes].sort((a, b) => RANKS.indexOf(a.outcome) - RANKS.indexOf(b.outcome));
  return (
    <>
      <dl class="steps" hidden={sorted.length === 0}>
        {sorted.slice(0, MOST_ROUTES).map((route) => (
          <div class="step" key={route.index}>
            <Icon kind={ICONS[route.outcome]} label={route.outcome} />
            <dt>
              {noun} {route.index + 1}
            </dt>
            <dd>
              <code class="step-name">{shortName(route.match, 200)} </code>
              <span class={route.outcome === 'fails' ? 'is-fails' : 'step-detail'}>{outcomeText(route)}</span>
              {route.status !== null && <div class="step-detail">{shortLine(route.status.message, 300)}</div>}
            </dd>
          </div>
        ))}
      </dl>
      {sorted.length > MOST_ROUTES && <p class="note">and {countText(sorted.length - MOST_ROUTES, `more ${noun}`)}</p>}
      {hasUnmatchedCalls && <p class="note">RPCs that match no route get UNAVAILABLE.</p>}
      {clients !== null && <p class="note">{shortLine(clients, 500)}</p>}
      <p class="note">Enter a method above, or select a route in the graph, to follow one RPC.</p>
    </>
  );
}

function outcomeText({ outcome, status, failingShare, clusters }: RouteOutcome): string {
  const to = clusters.length === 0 ? '' : ` → ${firstFew(clusters, 3, (name) => shortName(name, 60))}`;
  switch (outcome) {
    case 'ok':
      return `OK${to}`;
    case 'waiting':
      return `queued${to}`;
    case 'never-matches':
      return 'never matched';
    case 'partly':
      return `${status?.code ?? 'fails'} for ${percentText(failingShare)}${to}`;
    case 'fails':
      return `${status?.code ?? 'fails'}${to}`;
  }
}
