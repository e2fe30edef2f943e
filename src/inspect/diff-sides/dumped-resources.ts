import { firstFew } from '../../base/count-text.js';
import { getOrAdd } from '../../base/get-or-add.js';
import type { ReceivedResource } from '../../engine/get/received-resource.js';
import { apiTypeName } from '../../proto/api-types.js';
import type { UnknownPart } from '../../proto/json/message-encoder.js';
import type { DumpState } from '../../resources/files/config-dump.js';
import type { FileResponse } from '../../resources/files/resource-file.js';
import type { ComparedResource } from '../diff/resource-set.js';
import { encodedResource } from './side-resource.js';

/** A resource of a file, without its wrapper. */
export interface FileResource {
  received: ReceivedResource;
  /** Set for a resource of a dump. */
  dumped: FileResponse['resources'][number]['dumped'];
  unknownParts: readonly UnknownPart[];
}

/** If a dump has a resource in several states, the client uses the one in the first of them. */
const STATES: readonly (DumpState | undefined)[] = [undefined, 'active', 'static', 'draining', 'warming', 'rejected'];

const MAX_NAMES = 3;

/** The resources of a file. Of a dump, those that the client uses. */
export function resourcesInUse(all: readonly FileResource[]): { resources: ComparedResource[]; notes: string[] } {
  const groups = new Map<string, FileResource[]>();
  for (const one of all) {
    const { received, dumped } = one;
    // Some resources of a dump have no name: routes in a listener.
    if (received.resource === undefined || (received.name === '' && dumped !== undefined)) continue;
    const key = `${dumped?.dump ?? ''} ${received.resource.typeUrl} ${received.name}`;
    getOrAdd(groups, key, () => []).push(one);
  }
  const resources: ComparedResource[] = [];
  const warming: ComparedResource[] = [];
  for (const group of groups.values()) {
    const best = Math.min(...group.map(rankOf));
    const isRejected = group.some(({ dumped }) => dumped?.state === 'rejected');
    const used = group.filter((one) => rankOf(one) === best).map((one) => inUse(one, isRejected));
    resources.push(...used);
    if (group.some(({ dumped }) => dumped?.state === 'warming')) warming.push(used[0] as ComparedResource);
  }
  if (warming.length === 0) return { resources, notes: [] };
  const names = firstFew(warming, MAX_NAMES, ({ typeUrl, name }) => `${apiTypeName(typeUrl)} ${name}`);
  const note = `warming: ${names}. Envoy does not use these versions yet: the active ones are compared, if there are any`;
  return { resources, notes: [note] };
}

function rankOf({ dumped }: FileResource): number {
  return STATES.indexOf(dumped?.state);
}

function inUse({ received, dumped }: FileResource, isRejected: boolean): ComparedResource {
  const { name, resource } = received;
  const status = isRejected ? 'NACKED' : dumped?.status;
  const version = dumped?.version ?? (received.version || undefined);
  const facts = { typeUrl: resource?.typeUrl ?? '', name, version, status };
  // A rejected resource is not used. Its entry has the version of the response that was rejected.
  return dumped?.state === 'rejected'
    ? encodedResource({ ...facts, version: undefined }, undefined)
    : encodedResource(facts, resource?.value);
}
