import { clockSuite } from './clock/suite.ts';
import { dnsSuite } from './dns/suite.ts';
import { halfOpen } from './half-open/suite.ts';
import { interruptSuite } from './interrupt/suite.ts';
import { pauses } from './pauses.ts';
import { proxySuite } from './proxy/suite.ts';
import { restarts } from './restarts.ts';
import type { Suite } from './suite.ts';
import { tlsSuite } from './tls/suite.ts';

/** All suites, in the order in which they run. */
export const SUITES: readonly Suite[] = [
  proxySuite,
  restarts,
  halfOpen,
  dnsSuite,
  tlsSuite,
  pauses,
  clockSuite,
  interruptSuite,
];
