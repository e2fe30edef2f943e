import type { CacheEntry } from '../../core/cache-entry.js';
import type { ClientDump, DumpedResource } from '../../csds/dump.js';
import type { Fetch } from '../../engine/get/fetch.js';
import type { ReceivedResource } from '../../engine/get/received-resource.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import type { ComparedResource } from '../diff/resource-set.js';
import type { SidePart } from './merge-parts.js';
import { encodedResource } from './side-resource.js';

/** The resources in use by a client of this process or of a recording, and those that it lacks. */
export function scopePart({ scope, entries }: Pick<ScopeSnapshot, 'scope' | 'entries'>): SidePart {
  return { name: `client_scope ${scope}`, resources: entries.map(ofEntry) };
}

function ofEntry({ typeUrl, name, version, status, bytes }: CacheEntry): ComparedResource {
  return encodedResource({ typeUrl, name, version: version || undefined, status }, bytes);
}

/** The resources that a client of another process reports over CSDS. */
export function dumpPart({ clientScope, node, resources }: ClientDump): SidePart {
  const nodeId = node?.id ?? '';
  const names = [clientScope && `client_scope ${clientScope}`, nodeId && `node ${nodeId}`].filter((one) => one !== '');
  return { name: names.join(' of ') || 'the client', resources: resources.map(ofDumped) };
}

/** A control plane may know only whether its client is in sync. */
function ofDumped({ typeUrl, name, version, status, sync, contents }: DumpedResource): ComparedResource {
  const facts = { typeUrl, name, version: version || undefined, status: status === 'UNKNOWN' ? sync : status };
  return encodedResource(facts, contents);
}

/** The resources that `get` received. */
export function fetchPart({ resources, errors }: Pick<Fetch, 'resources' | 'errors'>, typeUrl: string): SidePart {
  return {
    name: 'the recording',
    resources: [
      ...resources.map(({ received }) => ofReceived(received, typeUrl)),
      ...errors.map(({ name }) =>
        encodedResource({ typeUrl, name, version: undefined, status: 'RECEIVED_ERROR' }, undefined),
      ),
    ],
  };
}

const STATUS_OF = { accepted: 'ACKED', rejected: 'NACKED', 'not judged': undefined } as const;

function ofReceived({ name, version, verdict, resource }: ReceivedResource, typeUrl: string): ComparedResource {
  const type = resource?.typeUrl ?? typeUrl;
  const facts = { typeUrl: type, name, version: version || undefined, status: STATUS_OF[verdict] };
  return encodedResource(facts, resource?.value);
}
