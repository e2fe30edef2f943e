/** The response that one shape of hostile input consists of, by the message type that it answers. */
export interface Shape {
  title: string;
  /** The resource type that carries the hostile part. */
  type: 'Listener' | 'RouteConfiguration' | 'Cluster' | 'ClusterLoadAssignment';
  /** A response of about this many bytes. */
  response(size: number): Buffer;
}

type Bytes = Uint8Array | string;

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) out.push((rest & 127) | 128);
  return Buffer.from([...out, rest]);
}

export function field(number: number, value: Bytes): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** As many copies of `part` as fit into `size` bytes. */
function copies(part: Uint8Array, size: number): Buffer {
  const count = Math.max(1, Math.floor(size / part.length));
  return Buffer.alloc(count * part.length, part);
}

/** As many parts with a number in them as fit into `size` bytes. */
function numbered(part: (i: number) => Buffer, size: number): Buffer {
  const out = Buffer.alloc(size);
  let at = 0;
  for (let i = 0; ; i++) {
    const next = part(i);
    if (at + next.length > size) return out.subarray(0, at);
    next.copy(out, at);
    at += next.length;
  }
}

const TYPES = {
  Listener: 'envoy.config.listener.v3.Listener',
  RouteConfiguration: 'envoy.config.route.v3.RouteConfiguration',
  Cluster: 'envoy.config.cluster.v3.Cluster',
  ClusterLoadAssignment: 'envoy.config.endpoint.v3.ClusterLoadAssignment',
};

export const typeUrl = (type: Shape['type']): string => `type.googleapis.com/${TYPES[type]}`;

export function response(type: Shape['type'], ...parts: Buffer[]): Buffer {
  return Buffer.concat([field(1, '1'), ...parts, field(4, typeUrl(type)), field(5, 'n1')]);
}

export function any(url: string, value: Bytes): Buffer {
  return Buffer.concat([field(1, url), field(2, value)]);
}

const HCM = 'envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager';
const ROUTER = field(
  5,
  Buffer.concat([
    field(1, 'router'),
    field(4, any('type.googleapis.com/envoy.extensions.filters.http.router.v3.Router', '')),
  ]),
);

/** A listener whose HttpConnectionManager has these fields besides the router filter. */
function listener(...fields: Buffer[]): Buffer {
  const manager = any(`type.googleapis.com/${HCM}`, Buffer.concat([...fields, ROUTER]));
  return Buffer.concat([field(1, 'greeter'), field(19, field(1, manager))]);
}

const ROUTE = Buffer.concat([field(1, field(1, '')), field(2, field(1, 'c'))]);
const ADS = Buffer.concat([field(3, ''), Buffer.from([0x30, 2])]);

/** Valid resources that lead a client of the target greeter to the hostile one. */
export const VALID: Record<Shape['type'], Buffer> = {
  Listener: listener(field(3, Buffer.concat([field(1, ADS), field(2, 'r')]))),
  RouteConfiguration: Buffer.concat([field(1, 'r'), field(2, Buffer.concat([field(2, '*'), field(3, ROUTE)]))]),
  Cluster: Buffer.concat([field(1, 'c'), Buffer.from([0x10, 3]), field(3, field(1, ADS))]),
  ClusterLoadAssignment: field(1, 'c'),
};

const NAMES: Record<Shape['type'], string> = {
  Listener: 'greeter',
  RouteConfiguration: 'r',
  Cluster: 'c',
  ClusterLoadAssignment: 'c',
};

const inResource = (type: Shape['type'], parts: (size: number) => Buffer) => ({
  type,
  response: (size: number) =>
    response(type, field(2, any(typeUrl(type), Buffer.concat([field(1, NAMES[type]), parts(size)])))),
});

const inResponse = (parts: (size: number) => Buffer, type: Shape['type'] = 'Listener') => ({
  type,
  response: (size: number) => response(type, parts(size)),
});

const socketAddress = (i: number): Buffer =>
  field(
    1,
    field(1, Buffer.concat([field(2, `1.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`), Buffer.from([0x18, 80])])),
  );
const lbEndpoint = (i: number): Buffer => field(2, field(1, socketAddress(i)));
const locality = (...fields: Buffer[]): Buffer =>
  field(2, Buffer.concat([field(1, ''), ...fields, field(3, Buffer.from([8, 1]))]));

/** Every known way to make a response of many small parts. */
export const SHAPES: readonly Shape[] = [
  { title: 'empty resources', ...inResponse((size) => copies(field(2, ''), size)) },
  { title: 'empty resource_errors', ...inResponse((size) => copies(field(7, ''), size)) },
  { title: 'resources with a type URL only', ...inResponse((size) => copies(field(2, field(1, 'a')), size)) },
  {
    title: 'resources of the right type, empty',
    ...inResponse((size) => copies(field(2, field(1, typeUrl('Listener'))), size)),
  },
  {
    title: 'resource_errors with names',
    ...inResponse((size) =>
      numbered((i) => field(7, Buffer.concat([field(1, field(1, `n${i}`)), field(2, Buffer.from([8, 5]))])), size),
    ),
  },
  {
    title: 'empty wrappers',
    ...inResponse((size) =>
      copies(field(2, field(1, 'type.googleapis.com/envoy.service.discovery.v3.Resource')), size),
    ),
  },
  {
    title: 'wrappers with names',
    ...inResponse((size) =>
      numbered(
        (i) => field(2, any('type.googleapis.com/envoy.service.discovery.v3.Resource', field(3, `n${i}`))),
        size,
      ),
    ),
  },
  { title: 'unknown fields in a response', ...inResponse((size) => copies(Buffer.from([0x78, 1]), size)) },
  {
    title: 'small valid clusters',
    ...inResponse(
      (size) =>
        numbered(
          (i) =>
            field(
              2,
              any(
                typeUrl('Cluster'),
                Buffer.concat([field(1, `c${i}`), Buffer.from([0x10, 3]), field(3, field(1, ADS))]),
              ),
            ),
          size,
        ),
      'Cluster',
    ),
  },
  {
    title: 'unknown fields in a resource',
    ...inResource('Listener', (size) => copies(Buffer.from([0xd8, 0x3e, 1]), size)),
  },
  { title: 'empty virtual hosts', ...inResource('RouteConfiguration', (size) => copies(field(2, ''), size)) },
  {
    title: 'empty routes',
    ...inResource('RouteConfiguration', (size) => field(2, Buffer.concat([field(2, '*'), copies(field(3, ''), size)]))),
  },
  {
    title: 'valid routes',
    ...inResource('RouteConfiguration', (size) =>
      field(
        2,
        Buffer.concat([
          field(2, '*'),
          numbered((i) => field(3, Buffer.concat([field(1, field(1, `/${i}`)), field(2, field(1, 'c'))])), size),
        ]),
      ),
    ),
  },
  {
    title: 'valid virtual hosts',
    ...inResource('RouteConfiguration', (size) =>
      numbered((i) => field(2, Buffer.concat([field(2, `h${i}`), field(3, ROUTE)])), size),
    ),
  },
  {
    title: 'empty header matchers',
    ...inResource('RouteConfiguration', (size) =>
      field(
        2,
        Buffer.concat([
          field(2, '*'),
          field(
            3,
            Buffer.concat([
              field(1, Buffer.concat([field(1, ''), copies(field(6, ''), size)])),
              field(2, field(1, 'c')),
            ]),
          ),
        ]),
      ),
    ),
  },
  { title: 'empty domains', ...inResource('RouteConfiguration', (size) => field(2, copies(field(2, ''), size))) },
  {
    title: 'empty weighted clusters',
    ...inResource('RouteConfiguration', (size) =>
      field(
        2,
        Buffer.concat([
          field(2, '*'),
          field(3, Buffer.concat([field(1, field(1, '')), field(2, field(3, copies(field(1, ''), size)))])),
        ]),
      ),
    ),
  },
  { title: 'empty localities', ...inResource('ClusterLoadAssignment', (size) => copies(field(2, ''), size)) },
  { title: 'empty endpoints', ...inResource('ClusterLoadAssignment', (size) => locality(copies(field(2, ''), size))) },
  { title: 'valid endpoints', ...inResource('ClusterLoadAssignment', (size) => locality(numbered(lbEndpoint, size))) },
  {
    title: 'empty HTTP filters',
    ...inResource('Listener', (size) =>
      field(19, field(1, any(`type.googleapis.com/${HCM}`, copies(field(5, ''), size)))),
    ),
  },
  { title: 'empty filter chains', ...inResource('Listener', (size) => copies(field(3, ''), size)) },
  {
    title: 'empty LB policies',
    ...inResource('Cluster', (size) => Buffer.concat([VALID.Cluster, field(41, copies(field(1, ''), size))])),
  },
  {
    title: 'nested structs',
    ...inResource('ClusterLoadAssignment', (size) =>
      locality(
        field(
          2,
          Buffer.concat([
            field(1, socketAddress(1)),
            field(
              3,
              copies(
                field(
                  1,
                  Buffer.concat([field(1, 'k'), field(2, field(1, Buffer.concat([field(1, 'x'), field(2, '')])))]),
                ),
                size,
              ),
            ),
          ]),
        ),
      ),
    ),
  },
];
