import { describe, expect, it } from 'vitest';
import { pathOf } from '../../src/inspect/report/path.js';
import { listener } from '../support/serving.js';
import { aggregate, cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from './verdict-plane.js';

/** The path of the target, with the fault marked. */
function path(spec: PlaneSpec): string {
  const simulation = run(spec);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  return pathOf({ scope, channel, nodeId: 'n', verdict: verdictNow(simulation) })
    .map(({ kind, name, isFault }) => `${isFault ? '✗ ' : ''}${kind} ${name}`)
    .join(' > ');
}

const RDS = 'rds: { route_config_name: rt, config_source: { ads: {} } }';
const ALL = { l: routes(route('', 'blue')), c: cluster('blue'), e: endpoints('blue') };
const NO_REQUESTS = ALL.c.replace(/ }$/, ', circuit_breakers: { thresholds: [{ max_requests: 0 }] } }');
const SPLIT =
  '{ match: { prefix: "" }, route: { weighted_clusters: { clusters: [{ name: blue, weight: 1 }, { name: red, weight: 1 }] } } }';

describe('the path of an RPC', () => {
  const table: [title: string, PlaneSpec, path: string][] = [
    ['ends at the listener if the control plane is down', { primary: 'state: refusing' }, '✗ listener greeter'],
    ['ends at routes that have not arrived', { resources: { l: listener(RDS) } }, 'listener greeter > ✗ routes rt'],
    ['ends at a cluster that has not arrived', { resources: { l: ALL.l } }, 'listener greeter > ✗ cluster blue'],
    [
      'ends at endpoints that have not arrived',
      { resources: { l: ALL.l, c: ALL.c } },
      'listener greeter > ✗ endpoints blue',
    ],
    [
      'ends at the cluster whose circuit breaker drops every RPC, before its endpoints',
      { resources: { ...ALL, c: NO_REQUESTS } },
      'listener greeter > virtual host * > route any path > ✗ cluster blue',
    ],
    [
      'ends at its last step if the cause names no resource',
      { resources: { l: routes('{ match: { prefix: "" }, redirect: { path_redirect: /x } }') } },
      'listener greeter > virtual host * > ✗ route any path',
    ],
    [
      'follows a weighted route to the cluster whose endpoints are unusable',
      {
        resources: {
          ...{ l: routes(SPLIT), c: ALL.c, cr: cluster('red') },
          ...{ e: ALL.e, er: endpoints('red', ['UNHEALTHY']) },
        },
      },
      'listener greeter > virtual host * > route any path > cluster red > ✗ endpoints red',
    ],
    [
      'follows the route to the aggregate cluster that lacks a leaf',
      {
        resources: { ...ALL, l: routes(route('/a', 'blue'), route('', 'all')), ca: aggregate('all', 'red', 'blue') },
        at: 20,
      },
      'listener greeter > virtual host * > route any path > cluster all > cluster red',
    ],
  ];
  it.each(table)('%s', (_, spec, wanted) => {
    expect(path(spec)).toBe(wanted);
  });
});
