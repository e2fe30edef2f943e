import type { XdsClient } from '../core/client.js';
import type { TearEvent } from '../core/event.js';
import { routeText, type Tear } from '../deps/tears/tear.js';
import type { TearPorts } from '../deps/tears/tear-detector.js';
import { RESOURCE_TYPES, type ShortType } from '../proto/resource-types.js';

type TearDetails = Omit<TearEvent, 'kind' | 'at' | 'scope' | 'target'>;

/** Connects the tear detector of one target to the cache of its client and to the log. */
export function tearPorts(
  client: XdsClient,
  graceMs: () => number,
  routesTo: TearPorts['routesTo'],
  log: (details: TearDetails) => void,
): TearPorts {
  const entry = (type: ShortType, name: string) => client.entry(RESOURCE_TYPES[type], name);
  const logTear = (change: 'opened' | 'closed', tear: Tear): void => {
    const { kind, begin, end, resolvedBy, resources, neededBy, routes, wouldHave, instead } = tear;
    const facts = { begin, end, resolvedBy, resources, neededBy, routes: routes.map(routeText), wouldHave, instead };
    log({ change, tear: kind, ...facts });
  };
  return {
    graceMs,
    resource: (type, name) => {
      const known = entry(type, name);
      const isUsed = known?.resource !== undefined;
      const [version, server] = isUsed ? [known.version, known.server] : [undefined, undefined];
      return { type, name, version, server, status: known?.status };
    },
    hasResource: (type, name) => entry(type, name)?.resource !== undefined,
    authority: (type, name) => entry(type, name)?.authority,
    wireName: (type, name) => entry(type, name)?.name ?? name,
    routesTo,
    onOpened: (tear) => logTear('opened', tear),
    onClosed: (tear) => logTear('closed', tear),
    onHeldBack: ({ type, name, begin, end }) => {
      const resources = [{ type, name, version: undefined, server: undefined, status: undefined }];
      const none = { resolvedBy: undefined, neededBy: undefined, routes: [], wouldHave: '', instead: '' };
      log({ change: 'held-back', tear: undefined, begin, end, resources, ...none });
    },
  };
}
