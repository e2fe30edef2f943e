import { relative } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { DemoStepName } from '../demo-step-names.js';

/** A step of the demo: the result of an RPC of an application, and the command that finds the cause. */
export interface DemoStep {
  title: string;
  /** Printed before the result of the RPC. */
  text: string;
  /** The target and method of the application; undefined if the step has none. */
  application?: { target: string; method: string };
  /** A file of the package that the command reads. */
  file?: string;
  argv: readonly string[];
  /** The expected exit code of the command. */
  exit: ExitCode;
  /** Printed after the output of the command. */
  conclusion?: string;
}

const EXPECTATIONS = 'fixtures/expectations/shop.yaml';

/** The texts do not explain the output of the commands, because the output explains itself. */
export const DEMO_STEPS: Readonly<Record<DemoStepName, DemoStep>> = {
  healthy: {
    title: 'A healthy target',
    text: 'Everything works. The report shows the verdict, the outcome of RPCs, the path from listener to endpoints, and the resources.',
    application: { target: 'xds:///checkout', method: '/shop.Checkout/Pay' },
    argv: ['checkout'],
    exit: EXIT.ok,
  },
  'wrong-name': {
    title: 'A wrong name',
    text: 'Every RPC to xds:///inventory fails.',
    application: { target: 'xds:///inventory', method: '/shop.Inventory/List' },
    argv: ['inventory'],
    exit: EXIT.findings,
  },
  'rejected-update': {
    title: 'A rejected update',
    text: 'While the command runs, the control plane sends version 6 of a cluster. The application works as before.',
    application: { target: 'xds:///catalog', method: '/shop.Catalog/List' },
    argv: ['catalog', '--for', '1s'],
    exit: EXIT.findings,
  },
  'permission-error': {
    title: 'A permission error',
    text: 'Some RPCs to xds:///orders work, others fail.',
    application: { target: 'xds:///orders', method: '/shop.OrdersAdmin/Close' },
    argv: ['orders'],
    exit: EXIT.findings,
  },
  fallback: {
    title: 'A fallback',
    text: 'The primary control plane is down. RPCs work, so nobody has noticed.',
    application: { target: 'xds:///search', method: '/shop.Search/Query' },
    argv: ['search'],
    exit: EXIT.ok,
  },
  'wrong-order': {
    title: 'A rollout in the wrong order',
    text: 'During every rollout of xds:///cart, RPCs of some clients fail for a moment. RPCs of this application do not.',
    application: { target: 'xds:///cart', method: '/shop.Cart/Add' },
    argv: ['tears', 'cart', '--for', '1.5s'],
    exit: EXIT.findings,
  },
  check: {
    title: 'The same in CI',
    text: 'Before a deployment, CI compares the configuration of the control plane with a file in the repository.',
    file: EXPECTATIONS,
    argv: ['check', EXPECTATIONS],
    exit: EXIT.findings,
    conclusion: `Exit code ${EXIT.findings}: the job fails before anything is deployed.`,
  },
};

/** A path, relative to the current folder if that is shorter. */
export function pathFromCurrentFolder(path: string): string {
  const short = relative('', path);
  return short.length < path.length ? short : path;
}
