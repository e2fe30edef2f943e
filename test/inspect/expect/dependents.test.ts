import { describe, expect, it } from 'vitest';
import { momentOf, type Observation } from '../../../src/inspect/expect/observation.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';
import { evaluateTarget, isFailed } from '../../../src/inspect/expect/report.js';
import { listener } from '../../support/serving.js';
import { cluster, endpoints, type PlaneSpec, route, routes, run, verdictNow } from '../verdict-plane.js';

const RDS = listener('rds: { route_config_name: r, config_source: { ads: {} } }');
const TWO = routes(route('/red', 'red'), route('', 'blue'));
const HEALTHY = { l: TWO, c1: cluster('red'), c2: cluster('blue'), e1: endpoints('red'), e2: endpoints('blue') };
const ROUTES = (domain: string): string =>
  `{ "@type": RDS, name: r, virtual_hosts: [{ domains: ["${domain}"], routes: [${route('', 'blue')}] }] }`;

function observe(spec: PlaneSpec): Observation {
  const simulation = run(spec);
  const [scope] = simulation.engine.snapshot();
  const [channel] = scope?.channels ?? [];
  if (scope === undefined || channel === undefined) throw new Error('nothing is followed');
  return momentOf({ scope, channel, nodeId: 'n' }, verdictNow(simulation), simulation.clock.now());
}

/** The failed and the skipped expectations of a target; the latter with the failure that they depend on. */
function evaluated(spec: PlaneSpec, keys: string): { failed: string[]; skipped: Record<string, string> } {
  const read = readExpectations(`targets: [{ target: greeter, findings: { forbid: [] }, ${keys} }]`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const report = evaluateTarget('greeter', read.file.targets[0]?.expectations ?? [], observe(spec));
  return {
    failed: report.evaluated.filter(isFailed).map(({ name }) => name),
    skipped: Object.fromEntries(
      report.evaluated.flatMap(({ name, dependsOn }) => (dependsOn === undefined ? [] : [[name, dependsOn]])),
    ),
  };
}

const EVERYTHING = `resources: { LDS/greeter: ACKED, RDS/r: ACKED, CDS/red: ACKED, CDS/blue: ACKED, EDS/red: ACKED, EDS/blue: ACKED },
  rpcs: [/red.R/R, /b.B/B]`;
const PARTS = EVERYTHING.replace('RDS/r: ACKED, ', '');

const ROWS: [what: string, spec: PlaneSpec, keys: string, failed: string[], skipped: Record<string, string>][] = [
  ['nothing fails', { resources: HEALTHY }, PARTS, [], {}],
  [
    'the listener is missing',
    { resources: { x: cluster('blue') }, at: 20 },
    EVERYTHING,
    ['verdict', 'LDS/greeter status'],
    {
      'RDS/r status': 'LDS greeter',
      'CDS/red status': 'LDS greeter',
      'CDS/blue status': 'LDS greeter',
      'EDS/red status': 'LDS greeter',
      'EDS/blue status': 'LDS greeter',
      'rpc /red.R/R': 'LDS greeter',
      'rpc /b.B/B': 'LDS greeter',
    },
  ],
  [
    'the routes are missing',
    { resources: { l: RDS }, at: 20 },
    'resources: { LDS/greeter: ACKED, RDS/r: ACKED, CDS/blue: ACKED }, rpcs: [/b.B/B]',
    ['verdict', 'RDS/r status'],
    { 'CDS/blue status': 'RDS r', 'rpc /b.B/B': 'RDS r' },
  ],
  [
    'no virtual host matches',
    { resources: { l: RDS, r: ROUTES('elsewhere') } },
    'resources: { RDS/r: ACKED, CDS/blue: ACKED, EDS/blue: ACKED }, rpcs: [/b.B/B]',
    ['verdict'],
    { 'CDS/blue status': 'RDS r', 'EDS/blue status': 'RDS r', 'rpc /b.B/B': 'RDS r' },
  ],
  [
    'one of two clusters is missing',
    { resources: { ...HEALTHY, c1: cluster('other') }, at: 20 },
    PARTS,
    ['verdict', 'CDS/red status'],
    { 'EDS/red status': 'CDS red', 'rpc /red.R/R': 'CDS red' },
  ],
  [
    'endpoints cannot be used',
    { resources: { ...HEALTHY, e1: endpoints('red', ['UNHEALTHY']) } },
    PARTS,
    ['verdict'],
    { 'rpc /red.R/R': 'EDS red' },
  ],
  [
    'a missing cluster is expected, so the RPC is the only failure',
    { resources: { ...HEALTHY, c1: cluster('other') }, at: 20 },
    'resources: { CDS/red: DOES_NOT_EXIST }, rpcs: [/red.R/R]',
    ['rpc /red.R/R'],
    {},
  ],
  [
    'any verdict is accepted, but a resource is expected',
    { resources: { ...HEALTHY, c1: cluster('other') }, at: 20 },
    'verdict: any, resources: { CDS/red: ACKED, EDS/red: ACKED }, rpcs: [/red.R/R]',
    ['CDS/red status'],
    { 'EDS/red status': 'CDS red', 'rpc /red.R/R': 'CDS red' },
  ],
  [
    'a second failure is not the cause of the verdict',
    { resources: { ...HEALTHY, e1: endpoints('red', []), e2: endpoints('blue', []) } },
    'rpcs: [/red.R/R, /b.B/B]',
    ['verdict', 'rpc /b.B/B'],
    { 'rpc /red.R/R': 'EDS red' },
  ],
  [
    'a name is misspelt in the file',
    { resources: HEALTHY },
    'resources: { CDS/rde: ACKED, EDS/rde: ACKED }',
    ['CDS/rde status', 'EDS/rde status'],
    {},
  ],
  [
    'no server can be reached',
    { primary: 'state: refusing' },
    'settled_within: 1s, resources: { LDS/greeter: ACKED, CDS/red: ACKED }, rpcs: [/b.B/B]',
    ['verdict'],
    {
      'settled within 1.0 s': 'xDS server memory:p',
      'LDS/greeter status': 'xDS server memory:p',
      'CDS/red status': 'xDS server memory:p',
      'rpc /b.B/B': 'xDS server memory:p',
    },
  ],
  [
    'a target without a configuration expects a failing RPC',
    { resources: { x: cluster('blue') }, at: 20 },
    'resources: { CDS/red: ACKED }, rpcs: [{ expect: { status: INTERNAL } }]',
    ['configuration'],
    { 'CDS/red status': 'LDS greeter', 'rpc of any method': 'LDS greeter' },
  ],
];

describe('an expectation is skipped if it depends on a failure of the same report', () => {
  it.each(ROWS)('if %s', (_, spec, keys, failed, skipped) => {
    expect(evaluated(spec, keys)).toEqual({ failed, skipped });
  });
});
