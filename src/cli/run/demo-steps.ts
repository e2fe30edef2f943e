import { join, relative } from 'node:path';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { DemoStepName } from '../demo-step-names.js';

/** One act: what the application says, and the command that finds the cause. */
export interface DemoStep {
  title: string;
  /** Stands before the application's log. */
  text: string;
  /** What the application dials and calls; undefined where none runs yet. */
  application?: { target: string; method: string };
  /** A file that the command reads, in the folder of the package. */
  file?: string;
  argv: readonly string[];
  /** Of the command, if all went as told. */
  exit: ExitCode;
  /** Stands after the view. */
  conclusion?: string;
}

const EXPECTATIONS = 'fixtures/expectations/shop.yaml';

/** What the words of each command mean is with its view; a story about it would say it twice. */
export const DEMO_STEPS: Readonly<Record<DemoStepName, DemoStep>> = {
  healthy: {
    title: 'A healthy target',
    text: 'All is well: the verdict, what RPCs get, the path from listener to endpoints, the resources.',
    application: { target: 'xds:///checkout', method: '/shop.Checkout/Pay' },
    argv: ['checkout'],
    exit: EXIT.ok,
  },
  'wrong-name': {
    title: 'A wrong name',
    text: 'Every call to xds:///inventory fails.',
    application: { target: 'xds:///inventory', method: '/shop.Inventory/List' },
    argv: ['inventory'],
    exit: EXIT.findings,
  },
  'rejected-update': {
    title: 'A rejected update',
    text: 'Version 6 of a cluster is pushed while we look, and nothing changes: the application works as before.',
    application: { target: 'xds:///catalog', method: '/shop.Catalog/List' },
    argv: ['catalog', '--for', '1s'],
    exit: EXIT.findings,
  },
  'permission-error': {
    title: 'A permission error',
    text: 'Some calls to xds:///orders work, others fail.',
    application: { target: 'xds:///orders', method: '/shop.OrdersAdmin/Close' },
    argv: ['orders'],
    exit: EXIT.findings,
  },
  fallback: {
    title: 'A fallback',
    text: 'The primary control plane is down. Calls work, so nobody has noticed.',
    application: { target: 'xds:///search', method: '/shop.Search/Query' },
    argv: ['search'],
    exit: EXIT.ok,
  },
  'wrong-order': {
    title: 'A rollout in the wrong order',
    text: 'At every rollout of xds:///cart some clients lose calls for a moment. This application does not.',
    application: { target: 'xds:///cart', method: '/shop.Cart/Add' },
    argv: ['tears', 'cart', '--for', '1.5s'],
    exit: EXIT.findings,
  },
  check: {
    title: 'The same in CI',
    text: 'Before a deployment, CI checks what the control plane serves against a file in the repository.',
    file: EXPECTATIONS,
    argv: ['check', EXPECTATIONS],
    exit: EXIT.findings,
    conclusion: `Exit code ${EXIT.findings}: the job fails before anything is deployed.`,
  },
};

/** A file of the package as a user would type it from here. */
export function pathFromCurrentFolder(file: string, packageRoot: string): string {
  const path = join(packageRoot, file);
  const short = relative('', path);
  return short.length < path.length ? short : path;
}
