import type { Command } from '../peers/peers.ts';
import type { Figure } from './measure.ts';
import type { Amount } from './page/value.ts';
import { skipped } from './peers/builds.ts';
import { Plane } from './peers/plane.ts';
import { regexTarget, separateTargets, targetNames } from './scale/resources.ts';
import { type Cost, costOf } from './scale/run.ts';
import { withServer } from './scale/serving.ts';
import { type BenchSetup, figuresOnly, type Outcome } from './section.ts';

const FEW = 1000;
const MANY = 100_000;
const EXPONENT = 1.05;
const MOST_MIB = 1.2 * 1024;
const MILLION = 1_000_000;
const REGEX_ROUTES = 100_000;
const REGEX_MS = 2000;
const SCOPES = [10, 50, 200] as const;
/** On a slow machine, the commands take longer and still measure the same. */
const PATIENCE = ['--timeout', '10m'];

/** How cost grows in large cases. */
export async function scale({ root, builds }: BenchSetup): Promise<Outcome> {
  const plane = builds.commands['bench-plane'];
  if (plane === undefined) return skipped(builds);
  return figuresOnly([
    ...(await clusters(root, plane)),
    await endpoints(root, plane),
    ...(await regexRoutes(root)),
    await scopes(root),
  ]);
}

/** `status` of a go-control-plane: everything until all has arrived and is printed. */
async function statusOf(root: string, command: Command, count: number, each: number, runs: number): Promise<Cost> {
  const plane = await Plane.start(command, count, each);
  try {
    return await costOf(root, ['status', 'xds:///bench', ...PATIENCE], runs, {
      GRPC_XDS_BOOTSTRAP_CONFIG: plane.bootstrap,
    });
  } finally {
    plane.end();
  }
}

async function clusters(root: string, plane: Command): Promise<Figure[]> {
  const few = await statusOf(root, plane, FEW, 10, 5);
  const many = await statusOf(root, plane, MANY, 10, 1);
  const what = `\`status\` of ${number(MANY)} clusters with 10 endpoints each`;
  const growth = MANY / FEW;
  return [
    {
      what: `${what}: peak memory`,
      value: { unit: 'MiB', median: many.peakMiB },
      ratio: many.peakMiB / MOST_MIB,
      peer: '1.2 GiB',
      goal: 1,
      runs: 1,
    },
    {
      what: `${what}: CPU`,
      value: milliseconds(many.cpuMs),
      ratio: many.cpuMs / (growth * few.cpuMs),
      peer: `${growth} times that of ${number(FEW)}`,
      peerValue: milliseconds(growth * few.cpuMs),
      goal: growth ** (EXPONENT - 1),
      runs: 1,
    },
  ];
}

async function endpoints(root: string, plane: Command): Promise<Figure> {
  const whole = await statusOf(root, plane, 1, MILLION, 3);
  const parts = await statusOf(root, plane, 10, MILLION / 10, 3);
  return {
    what: `\`status\` of ${number(MILLION)} endpoints in one resource: CPU`,
    value: milliseconds(whole.cpuMs),
    ratio: whole.cpuMs / parts.cpuMs,
    peer: `ten resources of ${number(MILLION / 10)}`,
    peerValue: milliseconds(parts.cpuMs),
    goal: 3,
    runs: 3,
  };
}

/** No route matches the first RPC, and only the last one the second. */
async function regexRoutes(root: string): Promise<Figure[]> {
  const methods = { none: '/package.v1.Service/Get', last: `/package.v1.Service${REGEX_ROUTES - 1}/GetItem` };
  return withServer(root, regexTarget(REGEX_ROUTES), async (server) => {
    const figures: Figure[] = [];
    for (const [which, method] of Object.entries(methods)) {
      const { cpuMs, wallMs } = await costOf(root, ['explain', 'regex', ...server, '--method', method, ...PATIENCE], 3);
      figures.push({
        what: `\`explain\` with ${number(REGEX_ROUTES)} regex routes, of which ${which} matches: CPU or wall time, the longer one`,
        value: milliseconds(Math.max(cpuMs, wallMs)),
        ratio: Math.max(cpuMs, wallMs) / REGEX_MS,
        peer: `${REGEX_MS / 1000} s`,
        goal: 1,
        runs: 3,
      });
    }
    return figures;
  });
}

/** Each target has its own client_scope, with its own connection. */
async function scopes(root: string): Promise<Figure> {
  const [few, some, many] = SCOPES;
  return withServer(root, separateTargets(many), async (server) => {
    const at = async (count: number): Promise<number> =>
      (await costOf(root, ['status', ...targetNames(count), ...server, ...PATIENCE], 5)).cpuMs;
    const [atFew, atSome, atMany] = [await at(few), await at(some), await at(many)];
    const early = (atSome - atFew) / (some - few);
    const late = (atMany - atSome) / (many - some);
    return {
      what: `\`status\` of targets with 10 clusters each: CPU for each added client_scope, from ${some} to ${many}`,
      value: milliseconds(late),
      ratio: late / early,
      peer: `from ${few} to ${some}`,
      peerValue: milliseconds(early),
      goal: 1.2,
      runs: 5,
    };
  });
}

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const milliseconds = (median: number): Amount => ({ unit: 'ms', median });
