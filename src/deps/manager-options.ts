import type { Policies } from '../bootstrap/policies.js';

export interface ManagerOptions {
  target: string;
  listener: string;
  /** The data-plane authority, which selects the virtual host. */
  authority: string;
  policies: Policies;
  random: () => number;
}
