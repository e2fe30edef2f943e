import type { Policies } from '../bootstrap/policies.js';

export interface ManagerOptions {
  listener: string;
  /** The data-plane authority, which selects the virtual host. */
  authority: string;
  /** The ID of the client's node; undefined without a node. */
  nodeId?: string | undefined;
  policies: Policies;
  random: () => number;
}
