import type { Tear, TearKind } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { Cause } from './verdict.js';
import { waitedText } from './words.js';

const NEEDED_FIRST =
  'Serve the cluster and its endpoints before the routes name it; remove it after they no longer do.';

interface Order {
  /** What happened in which order, with the time between in place of `$`. */
  resolved: string;
  open: string;
  advice: string;
}

const KEPT = 'the previous configuration stays in use';

const KINDS: Record<TearKind, Order> = {
  'dangling-cluster': {
    resolved: 'routes arrive $ before the cluster that they name',
    open: `routes name a cluster that has not arrived for $, and ${KEPT}`,
    advice: NEEDED_FIRST,
  },
  'dangling-endpoints': {
    resolved: 'clusters arrive $ before their endpoints',
    open: `a cluster needs endpoints that have not arrived for $, and ${KEPT}`,
    advice: NEEDED_FIRST,
  },
  'listener-route-skew': {
    resolved: 'the listener arrives $ before the routes that fit it',
    open: 'the routes that fit the listener have not arrived for $',
    advice: 'Serve the routes before the listener names them.',
  },
  'mixed-servers': {
    resolved: 'resources of two xDS servers were mixed for $',
    open: 'resources of two xDS servers are mixed for $',
    advice: 'Serve the same configuration from the primary and the fallback server.',
  },
  flap: {
    resolved: 'the client used the fallback server for $ and returned',
    open: 'the client uses the fallback server for $',
    advice: 'Find out why the primary xDS server fails and comes back.',
  },
  'removed-in-use': {
    resolved: 'a resource was removed for $ while it was needed',
    open: 'a resource was removed $ ago while it is needed',
    advice: 'Remove a resource only after nothing refers to it.',
  },
};

/** `4 config tears, all resolved: routes arrive about 400 ms before the cluster that they name (CDS red)` */
export function tearCause({ tears }: ChannelSnapshot, now: number): Cause | undefined {
  const shown = tears.find(({ end }) => end === undefined) ?? tears.at(-1);
  if (shown === undefined) return undefined;
  const open = tears.filter(({ end }) => end === undefined).length;
  const count = tears.length === 1 ? '1 config tear' : `${tears.length} config tears`;
  const state =
    open === 0
      ? tears.length === 1
        ? 'resolved'
        : 'all resolved'
      : tears.length === 1
        ? 'still open'
        : `${open} still open`;
  const [resource] = shown.resources;
  const named = shown.resources.map(({ type, name }) => `${type} ${name}`).join(', ');
  const { resolved, open: still, advice } = KINDS[shown.kind];
  const text = shown.end === undefined ? still : resolved;
  return {
    code: 'config-tear',
    message: `${count}, ${state}: ${text.replace('$', typicalLength(tears, shown.kind, now))}${named === '' ? '' : ` (${named})`}`,
    resource: resource === undefined ? null : { type: resource.type, name: resource.name },
    server: resource?.server ?? null,
    advice,
  };
}

/** The median of the tears of one kind. */
function typicalLength(tears: readonly Tear[], kind: TearKind, now: number): string {
  const lengths = tears.filter((tear) => tear.kind === kind).map(({ begin, end }) => (end ?? now) - begin);
  const sorted = lengths.sort((a, b) => a - b);
  const about = sorted.length > 1 ? 'about ' : '';
  return `${about}${waitedText(sorted[Math.floor(sorted.length / 2)] ?? 0)}`;
}
