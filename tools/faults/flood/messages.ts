import { Problems } from '../../../src/base/problem.ts';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.ts';
import { parseAny } from '../../../src/proto/json/parse.ts';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.ts';
import { encodeResponse } from '../../../src/scenario/encode-response.ts';
import { Mesh, type Type } from '../../bench/client/mesh.ts';
import { framed } from '../../oracle/grpc-frames.ts';

/** What every response of a flood contains. */
export const FLOODS = ['update', 'repeat', 'reject', 'tear'] as const;
export type Flood = (typeof FLOODS)[number];

/** Responses are encoded once and sent in turn, so that the server is faster than any client. */
const PREPARED = 500;

/** The encoded responses of a flooding control plane: one of each type, then those of the flood. */
export class FloodMessages {
  readonly first: Record<Type, Buffer>;
  readonly flood: readonly Buffer[];

  constructor(kind: Flood, clusters: number) {
    const mesh = new Mesh(clusters);
    const first = (type: Type): Buffer => response(type, 'first', mesh.all(type));
    this.first = { LDS: first('LDS'), RDS: first('RDS'), CDS: first('CDS'), EDS: first('EDS') };
    this.flood = Array.from({ length: PREPARED }, (_, i) => nextOf(kind, mesh, i));
  }
}

function nextOf(kind: Flood, mesh: Mesh, i: number): Buffer {
  const version = `${kind}-${i}`;
  if (kind === 'update') return response('EDS', version, mesh.change('EDS'));
  if (kind === 'repeat') return response('EDS', version, mesh.all('EDS').slice(0, 1));
  // A cluster without a type: gRPC NACKs it.
  if (kind === 'reject') return response('CDS', version, [encode('CDS', { name: 'cluster-0', lb_policy: 'MAGLEV' })]);
  return response('RDS', version, [encode('RDS', routesTo(i % 2 === 0 ? 'cluster-0' : `absent-${i % 10}`))]);
}

/** One route. The control plane has no cluster that is called `absent-…`. */
function routesTo(cluster: string): object {
  const routes = [{ match: { prefix: '' }, route: { cluster } }];
  return { name: 'routes', virtual_hosts: [{ name: 'all', domains: ['*'], routes }] };
}

function encode(type: Type, json: object): Uint8Array {
  const problems = new Problems();
  const any = parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES[type], ...json }, problems);
  if (any === undefined) throw new Error(problems.list[0]?.message);
  return any.value;
}

function response(type: Type, version: string, values: readonly Uint8Array[]): Buffer {
  const typeUrl = RESOURCE_TYPES[type];
  const resources = values.map((value) => ({ resource: { typeUrl, value, name: '' }, wrapper: undefined }));
  return framed(encodeResponse({ typeUrl, version, nonce: version, resources, errors: [] }));
}
