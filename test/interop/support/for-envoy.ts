import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '../../../src/base/base64.js';
import { bytesOfCase, type RecordedCase } from '../../../tools/oracle/recorded-case.js';
import { bytesField, type Change, contentOf, edit, renumber } from '../../resources/wire-edit.js';

const text = (value: string): Uint8Array => Buffer.from(value);
const NOTHING = new Uint8Array();

/** Adds a field unless the message has it. */
const filled =
  (number: number, content: Uint8Array): Change =>
  (bytes) =>
    contentOf(bytes, number) === undefined ? Buffer.concat([bytes, bytesField(number, content)]) : bytes;

interface Adaptation {
  /** The field numbers on the path to a message. */
  path: readonly number[];
  change: Change;
}

/** Envoy opens the key log of a TLS context for writing, as the user that runs the test. */
export const KEY_LOG = join(tmpdir(), `xds-inspect-key-log-${process.pid}`);

/** transport_socket.typed_config.value, common_tls_context, key_log, path: after the number of transport_socket. */
const KEY_LOG_PATH = [3, 2, 1, 15, 1];
const intoTemporaryFile: Change = (path) => (path.length === 0 ? path : text(KEY_LOG));

const SELF_TO_ADS = renumber(5, 3);
/** In a Resource: resource, value. */
const WRAPPED = [2, 2];
const LISTENER_CHAINS = [[3], [25]];
/** filters, typed_config, value. */
const MANAGER = [3, 4, 2];

/** Envoy requires names of virtual hosts. */
const ROUTES: readonly Adaptation[] = [{ path: [2], change: filled(1, text('vhost')) }];

/** An HttpConnectionManager needs a stat_prefix, and routes by ads. */
const MANAGERS: readonly Adaptation[] = [
  { path: [], change: filled(2, text('x')) },
  { path: [3, 1], change: SELF_TO_ADS },
  ...ROUTES.map(({ path, change }) => ({ path: [4, ...path], change })),
];

const ADAPTATIONS: Record<string, readonly Adaptation[]> = {
  Listener: [
    { path: [], change: withChain },
    // bind_to_port is false: several listeners of this run have the same address.
    { path: [], change: filled(26, NOTHING) },
    // Envoy binds a pipe even so; an abstract one needs no folder.
    { path: [2, 2, 1], change: (path) => (path.length === 0 ? path : text('@xds-inspect')) },
    ...LISTENER_CHAINS.map((chain) => ({ path: [...chain, 6, ...KEY_LOG_PATH], change: intoTemporaryFile })),
    ...LISTENER_CHAINS.flatMap((chain) =>
      MANAGERS.map(({ path, change }) => ({ path: [...chain, ...MANAGER, ...path], change })),
    ),
  ],
  RouteConfiguration: ROUTES,
  Cluster: [
    { path: [3, 1], change: SELF_TO_ADS },
    { path: [33], change: filled(1, text('foo')) },
    { path: [24, ...KEY_LOG_PATH], change: intoTemporaryFile },
    // transport_socket_matches
    { path: [43, 3, ...KEY_LOG_PATH], change: intoTemporaryFile },
  ],
  ClusterLoadAssignment: [{ path: [], change: filled(1, text('foo')) }],
};

/**
 * Adapts a case to Envoy's requirements: names that gRPC does not need, `ads` instead of `self`, and a listener with a
 * filter chain, since Envoy uses an `api_listener` only in its bootstrap.
 */
export function forEnvoy(recordedCase: RecordedCase): RecordedCase {
  const adaptations = ADAPTATIONS[recordedCase.type] ?? [];
  const response = recordedCase.response.map((sent) => {
    const way = sent.type_url.endsWith('.Resource') ? WRAPPED : [];
    const bytes = adaptations.reduce(
      (before, { path, change }) => edit(before, [...way, ...path], change),
      bytesOfCase(sent.bytes),
    );
    return { ...sent, bytes: toBase64(bytes) };
  });
  return { ...recordedCase, response };
}

/** Turns an api_listener into a filter chain on some address. */
function withChain(listener: Uint8Array): Uint8Array {
  const api = contentOf(listener, 19);
  if (api === undefined) return listener;
  const manager = contentOf(api, 1) ?? NOTHING;
  const filter = Buffer.concat([bytesField(1, text('hcm')), bytesField(4, manager)]);
  const socket = Buffer.concat([bytesField(2, text('127.0.0.1')), Uint8Array.of(24, 1)]);
  return Buffer.concat([
    bytesField(1, contentOf(listener, 1) ?? NOTHING),
    bytesField(2, bytesField(1, socket)),
    bytesField(3, bytesField(3, filter)),
  ]);
}
