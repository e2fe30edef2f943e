import type { Rule } from '../rule.js';
import { CLUSTER_RULES } from './cluster.js';
import { ENDPOINT_RULES } from './endpoint.js';
import { LISTENER_RULES } from './listener.js';
import { ROUTE_RULES } from './route-configuration.js';
import { WIRE_RULES } from './wire.js';

/** All known differences from C-core, by code. */
export const RULES: readonly Rule[] = [
  ...LISTENER_RULES,
  ...ROUTE_RULES,
  ...CLUSTER_RULES,
  ...ENDPOINT_RULES,
  ...WIRE_RULES,
];
