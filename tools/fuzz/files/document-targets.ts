import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatsOf } from '../../../src/view/formats.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { checkCommand, type Main } from '../command-run.js';
import type { FuzzTarget } from '../target.js';
import { fileTarget } from './file-target.js';
import { changedDocument, FIXTURES, filesBelow } from './seed-files.js';

/** Reads the seeds when the first case needs them. */
function lazy(read: () => Buffer[]): (dice: Dice) => Buffer {
  let seeds: Buffer[] | undefined;
  return (dice) => {
    seeds ??= read();
    return dice.pick(seeds);
  };
}

const recording = join(FIXTURES, 'recordings/first-look.xdsrec');

/** The bootstraps that were compared with C-core. */
function recordedBootstraps(): Buffer[] {
  const { cases } = JSON.parse(readFileSync(join(FIXTURES, 'bootstrap/c-core.json'), 'utf8')) as {
    cases: { config: string | null }[];
  };
  return cases.flatMap(({ config }) => (config ? [Buffer.from(config)] : []));
}

export function bootstrapTarget(main?: Main): FuzzTarget {
  const seed = lazy(recordedBootstraps);
  return fileTarget({
    name: 'bootstraps',
    description: 'bootstrap files: bootstrap validate and resolve',
    share: 1,
    extension: '.json',
    generate: (dice) => changedDocument(seed(dice), dice),
    checkOf: (dice) => {
      const as = dice.pick(['spec', 'c-core']);
      const target = dice.pick(['xds:///a', 'xds://a/b', 'xds:%zz', '#server:1', 'xds:///\u001b', '']);
      const validate = ['bootstrap', 'validate', '--as', as, '-o', dice.pick(formatsOf('bootstrap'))];
      const resolve = ['bootstrap', 'resolve', '--as', as, '-o', dice.pick(formatsOf('resolve')), '--', target];
      return async (path, { length }) => {
        await checkCommand([...validate, path], length, main);
        await checkCommand([...resolve, path], length, main);
      };
    },
  });
}

/** Every key of a file of expectations, for the target of the recording. */
const EXPECTATIONS = `
version: 1
observe: 1s
settled_within: 5s
max_tear: 100ms
never: [NACKED, TIMEOUT]
findings: { forbid: [XI201, warning] }
targets:
  - target: xds:///greeter
    ready: true
    verdict: ok
    resources:
      LDS/greeter: { status: ACKED, version: "1" }
      EDS/greeter-blue: { endpoints: { healthy: '>=2', all: 3 }, fields: { clusterName: greeter-blue } }
    rpcs:
      - /helloworld.Greeter/SayHello
      - { method: /helloworld.Greeter/SayHello, headers: { env: canary }, cluster: a, status: OK, timeout: 5s }
    fallback_drill: { drop: primary, ready_within: 10s, back_within: 20s }
`;

export function expectationTarget(main?: Main): FuzzTarget {
  const seed = lazy(() => [...filesBelow('expectations', /\.ya?ml$/), Buffer.from(EXPECTATIONS)]);
  return fileTarget({
    name: 'expectations',
    description: 'files of expectations: replay check',
    share: 1,
    extension: '.yaml',
    generate: (dice) => changedDocument(seed(dice), dice),
    checkOf: (dice) => {
      const format = dice.pick(formatsOf('check'));
      return async (path, { length }) =>
        await checkCommand(['replay', recording, 'check', path, '-o', format], length, main);
    },
  });
}

export function resourceFileTarget(main?: Main): FuzzTarget {
  const seed = lazy(() => [
    ...filesBelow('scenarios', /resources[/\\].*\.(json|ya?ml)$/),
    ...filesBelow('csds', /\.json$/),
  ]);
  return fileTarget({
    name: 'resource-files',
    description: 'resources in YAML and JSON, and config dumps: validate',
    share: 1,
    extension: '.yaml',
    generate: (dice) => changedDocument(seed(dice), dice),
    checkOf: (dice) => {
      const format = dice.pick(formatsOf('validate'));
      return async (path, { length }) => await checkCommand(['validate', path, '-o', format], length, main);
    },
  });
}
