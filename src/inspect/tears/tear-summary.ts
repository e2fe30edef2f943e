import { countText } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import type { Tear, TearKind } from '../../deps/tears/tear.js';
import { happened } from './sentences.js';
import { aboutText } from './time-text.js';

/**
 * Summarizes tears for all views: `4 config tears in 20 s, all resolved: routes arrive about 400 ms before the cluster
 * that they name (CDS green)`. Undefined if there are none.
 */
export function tearSummary(tears: readonly Tear[], observedMs?: number): string | undefined {
  if (tears.length === 0) return undefined;
  const open = tears.filter(({ end }) => end === undefined);
  const [firstOpen] = open;
  const during = observedMs === undefined ? '' : ` in ${formatMillis(observedMs)}`;
  const count = `${countText(tears.length, 'config tear')}${during}`;
  if (firstOpen !== undefined) {
    const state = tears.length === 1 ? 'still open' : `${open.length} still open`;
    return `${count}, ${state}: ${happened([firstOpen], undefined)}`;
  }
  const [most, ...others] = byKind(tears);
  const state = tears.length === 1 ? 'resolved' : 'all resolved';
  const also = others.map(([first, ...more]) => `${more.length + 1} ${first.kind}`).join(', ');
  const what = most === undefined ? '' : `${patternText(most)}${resourceText(most)}`;
  return `${count}, ${state}: ${what}${also === '' ? '' : `; also ${also}`}`;
}

type SomeTears = [Tear, ...Tear[]];

/** The most frequent kind first. */
function byKind(tears: readonly Tear[]): SomeTears[] {
  const kinds = new Map<TearKind, SomeTears>();
  for (const tear of tears) {
    const known = kinds.get(tear.kind);
    if (known === undefined) kinds.set(tear.kind, [tear]);
    else known.push(tear);
  }
  return [...kinds.values()].sort((a, b) => b.length - a.length);
}

/** ` (CDS green)` if all tears are about the same resource. */
function resourceText(tears: SomeTears): string {
  if (tears[0].kind === 'removed-in-use') return '';
  const names = new Set(tears.map(({ resources }) => resources.map(({ type, name }) => `${type} ${name}`).join(', ')));
  const [first] = names;
  return names.size === 1 && first !== '' ? ` (${first})` : '';
}

/** Describes the pattern of repeated tears. */
function patternText(tears: SomeTears): string {
  const last = tears.at(-1) ?? tears[0];
  const about = aboutText(tears.map(({ begin, end }) => (end ?? begin) - begin));
  const never = last.resolvedBy === 'no-longer-needed';
  const by = last.neededBy?.type;
  switch (last.kind) {
    case 'dangling-cluster': {
      const [who, arrive, they] = NAMERS[by ?? 'RDS'];
      if (never) return `${who} named a cluster for ${about} that never arrived`;
      return `${who} ${arrive} ${about} before the cluster that ${they}`;
    }
    case 'dangling-endpoints':
      return never
        ? `a cluster named endpoints for ${about} that never arrived`
        : `clusters arrive ${about} before their endpoints`;
    case 'listener-route-skew':
      if (last.filters.length > 0) return `routes override a filter that the listener lacks for ${about}`;
      return never
        ? `the listener named routes for ${about} that never arrived`
        : `the listener arrives ${about} before the routes that it names`;
    case 'removed-in-use':
      return `${last.resources.map(({ type, name }) => `${type} ${name}`).join(', ')} was dropped for ${about} while in use`;
    case 'mixed-servers':
      return `resources of several servers are mixed for ${about}`;
    case 'flap':
      return `the client moved to another server and back in ${about}`;
  }
}

const NAMERS = {
  LDS: ['the listener', 'arrives', 'its routes name'],
  RDS: ['routes', 'arrive', 'they name'],
  CDS: ['an aggregate cluster', 'arrives', 'it names'],
  EDS: ['endpoints', 'arrive', 'they name'],
} as const;
