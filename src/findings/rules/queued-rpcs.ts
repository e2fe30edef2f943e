import { RESOURCE_TYPES } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

const ROOTS: ReadonlySet<string> = new Set([RESOURCE_TYPES.LDS, RESOURCE_TYPES.RDS]);

/** The client_scope of all gRPC servers (A71). */
const SERVER_SCOPE = '#server';

/** The last error of the listener or the route configuration of a scope. */
interface RootError {
  at: number;
  server: string;
  typeUrl: string;
  name: string;
  isConnection: boolean;
}

/** R7.15: an RPC that C-core queues during an error of the listener or the route configuration has no cluster. */
export function queuedRpcs(report: Report): Rule {
  const errors = new Map<string, RootError>();
  return {
    error({ at, scope, server, typeUrl, name, origin }) {
      if (ROOTS.has(typeUrl)) errors.set(scope, { at, server, typeUrl, name, isConnection: origin === 'transport' });
    },
    config({ at, scope, target, change }) {
      // RPCs do not go through the listener of an xDS-enabled server.
      if (scope === SERVER_SCOPE) return;
      const cause = errors.get(scope);
      const isNew = cause?.at === at;
      // An unreachable server does not violate the protocol.
      if (change !== 'error' || (isNew && cause.isConnection)) return;
      const about = isNew ? { server: cause.server, typeUrl: cause.typeUrl, names: [cause.name] } : { server: '' };
      const message = `RPCs with wait-for-ready to ${target} stay queued in C-core, even after this error clears`;
      report({ code: 'XI219', at, scope, ...about, message });
    },
  };
}
