import type { Tear, TearKind } from '../../deps/tears/tear.js';
import type { ChannelSnapshot } from '../../engine/follower.js';
import type { Cause } from './verdict.js';
import { waitedText } from './words.js';

const NEEDED_FIRST =
  'Serve the cluster and its endpoints before the routes name it; remove it after they no longer do.';

/** What arrives in which order, with the time between in place of `$`; and what to do. */
const KINDS: Record<TearKind, { text: string; advice: string }> = {
  'dangling-cluster': { text: 'routes arrive $ before the cluster that they name', advice: NEEDED_FIRST },
  'dangling-endpoints': { text: 'clusters arrive $ before their endpoints', advice: NEEDED_FIRST },
  'listener-route-skew': {
    text: 'the listener arrives $ before the routes that it needs',
    advice: 'Serve the routes before the listener names them or needs their filters.',
  },
  'mixed-servers': {
    text: 'resources of two xDS servers are mixed for $',
    advice: 'Serve the same configuration from the primary and the fallback server.',
  },
  flap: {
    text: 'the client uses the fallback server for $ and returns',
    advice: 'Find out why the primary xDS server fails and comes back.',
  },
  'removed-in-use': {
    text: 'a resource is removed $ before nothing refers to it',
    advice: 'Remove a resource only after nothing refers to it.',
  },
};

/** `4 config tears, all resolved: routes arrive about 400 ms before the cluster that they name (CDS red)` */
export function tearCause({ tears }: ChannelSnapshot, now: number): Cause | undefined {
  const shown = tears.find(({ end }) => end === undefined) ?? tears.at(-1);
  if (shown === undefined) return undefined;
  const open = tears.filter(({ end }) => end === undefined).length;
  const count = tears.length === 1 ? '1 config tear' : `${tears.length} config tears`;
  const state = open === 0 ? (tears.length === 1 ? 'resolved' : 'all resolved') : `${open} still open`;
  const [resource] = shown.resources;
  const named = shown.resources.map(({ type, name }) => `${type} ${name}`).join(', ');
  const { text, advice } = KINDS[shown.kind];
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
