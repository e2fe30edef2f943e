import { firstFew } from '../../base/count-text.js';
import type { Tear, TornResource, TornRoute } from '../../deps/tears/tear.js';
import type { ShortType } from '../../proto/resource-types.js';
import { percentText } from '../verdict/phrases.js';

/** The maximum number of names in a sentence. */
const MAX_NAMES = 3;

/** Describes tears that differ only in times and versions, in one sentence without a full stop. */
export function happened(tears: readonly [Tear, ...Tear[]], time: string | undefined): string {
  const last = tears.at(-1) ?? tears[0];
  const { kind, resources, filters, servers } = last;
  const lasting = time === undefined ? '' : ` for ${time}`;
  if (kind === 'flap')
    return `the client moved from ${servers.join(' to ')} and back${time === undefined ? '' : ` in ${time}`}`;
  if (kind === 'mixed-servers') {
    const parts = resources.map((one) => `${versioned(one)} from ${one.server}`);
    return `resources of several servers are mixed${lasting}: ${parts.join(', ')}`;
  }
  if (filters.length > 0) {
    const [routes] = resources;
    const subject = routes === undefined ? 'routes in the listener override' : `${versioned(routes)} overrides`;
    return `${subject} filter ${filters.join(', ')}, which the listener lacks${lasting}`;
  }
  return kind === 'removed-in-use' ? removed(tears, lasting) : missing(tears, lasting, time);
}

function missing(tears: readonly [Tear, ...Tear[]], lasting: string, time: string | undefined): string {
  const { resources, resolvedBy } = tears.at(-1) ?? tears[0];
  const by = namersText(tears) ?? 'the configuration';
  const [resource] = resources;
  if (resource === undefined) return `${by} names a missing resource${lasting}`;
  const { type, name, status } = resource;
  const [noun, it] = NOUNS[type];
  const what = `${noun}${name}`;
  if (resolvedBy === 'arrived')
    return `${by} names ${what}${time === undefined ? '' : ` ${time}`} before ${type} has ${it}`;
  if (resolvedBy === 'no-longer-needed') return `${by} named ${what}${lasting}, and ${type} never had ${it}`;
  // A status other than REQUESTED explains why the resource is missing.
  const why = status === undefined || status === 'REQUESTED' ? '' : ` (${status})`;
  return `${by} names ${what}, which ${lasting === '' ? 'is' : 'has been'} missing from ${type}${why}${lasting}`;
}

function removed(tears: readonly [Tear, ...Tear[]], lasting: string): string {
  const { resources, end } = tears.at(-1) ?? tears[0];
  const [resource] = resources;
  const what = resource === undefined ? 'a resource' : `${resource.type} ${resource.name}`;
  const why = resource?.status === undefined ? '' : ` (${resource.status})`;
  const by = namersText(tears);
  const [was, named] = end === undefined ? ['is', 'names'] : ['was', 'named'];
  const use = by === undefined ? `it ${was} in use` : `${by} ${named} it`;
  return `${what} ${was} dropped${why}${lasting} while ${use}`;
}

/** The noun before the name, and the pronoun for it. */
const NOUNS: Record<ShortType, readonly [string, string]> = {
  LDS: ['listener ', 'it'],
  RDS: ['routes ', 'them'],
  CDS: ['', 'it'],
  EDS: ['endpoints ', 'them'],
};

/** `RDS r version 8`, or with several `RDS r (versions 2, 4, 6 and 1 more)` */
function namersText(tears: readonly Tear[]): string | undefined {
  const all = tears.flatMap(({ neededBy }) => neededBy ?? []);
  const [first] = all;
  if (first === undefined) return undefined;
  const versions = [...new Set(all.flatMap(({ version }) => version ?? []))];
  if (versions.length < 2) return versioned(first);
  return `${first.type} ${first.name} (versions ${firstFew(versions, MAX_NAMES, (version) => version)})`;
}

function versioned({ type, name, version }: TornResource): string {
  return version === undefined ? `${type} ${name}` : `${type} ${name} version ${version}`;
}

/** The effect on RPCs of a client that applies each resource as it arrives. */
export function withoutA74({ kind, resources, routes, wouldHave, filters }: Tear): string {
  const name = resources[0]?.name ?? '';
  if (kind === 'dangling-cluster') return `${rpcsOn(routes)} fail: there is no cluster ${name}`;
  if (kind === 'dangling-endpoints') return `${rpcsOn(routes)} fail: there are no endpoints ${name}`;
  if (kind === 'removed-in-use') return `the same: ${rpcsOn(routes)} fail`;
  return kind === 'listener-route-skew' && filters.length === 0 ? 'RPCs fail: the listener has no routes' : wouldHave;
}

/** `RPCs on prefix /news.List`, `25 % of RPCs on any path` */
function rpcsOn(routes: readonly TornRoute[]): string {
  if (routes.length === 0) return 'RPCs that need it';
  const share = Math.max(...routes.map((route) => route.share));
  const part = share >= 1 ? '' : `${routes.length === 1 ? '' : 'up to '}${percentText(share)} of `;
  return `${part}RPCs on ${firstFew(
    routes,
    MAX_NAMES,
    ({ match }) => match,
    (more) => ` and ${more} more routes`,
  )}`;
}
