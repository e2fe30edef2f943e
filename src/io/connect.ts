import { DEFAULT_PRESET } from '../bootstrap/preset-names.js';
import { PRESETS } from '../bootstrap/presets.js';
import { bootstrapReader } from '../bootstrap/readers/readers.js';
import { type Preset, readSwitches } from '../bootstrap/switches.js';
import { channelOf, type ResolvedChannel, resolveTarget } from '../bootstrap/target.js';
import type { Event } from '../core/event.js';
import type { Clock, Dns, ResourceWatcher, Transport } from '../engine/ports.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { Session } from '../engine/session.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { openLive } from '../inspect/live.js';
import { typeUrlOf } from '../proto/resource-types.js';
import { GrpcTransport } from './grpc-transport.js';
import { localEnvironment } from './live-client.js';
import { machineClock } from './system-clock.js';
import { systemDns } from './system-dns.js';

export interface ConnectOptions {
  /** The behaviour of the client. Default: `spec`, the gRFCs with A88 enabled. */
  as?: Preset;
  /** gRPC's environment switches. Default: those of the process. */
  variables?: Record<string, string | undefined>;
  userAgentName?: string;
  userAgentVersion?: string;
  /** Receives every event, in order. */
  onEvent?: (event: Event) => void;
  /** Default: grpc-js, and the clock and DNS of the system. */
  transport?: Transport;
  clock?: Clock;
  dns?: Dns;
}

/** XdsClients over real connections, one per client_scope. */
export interface Connected {
  /**
   * Watches one resource by type (`LDS`, `RDS`, `CDS`, `EDS` or a type URL) and name. The client connects at the first
   * watch. Returns a function that ends the watch.
   */
  watch(type: string, name: string, watcher: ResourceWatcher, scope?: string): () => void;
  /**
   * Watches all resources that a target needs, starting with its listener. All spellings of a target share one channel.
   * Returns a function that ends it.
   */
  follow(target: string, defaultAuthority?: string): () => void;
  /** Returns every scope with its servers, its cache and gRPC's counters. */
  snapshot(): ScopeSnapshot[];
  /** Returns the findings about the control planes. */
  findings(): ProtocolFinding[];
  /** Ends all streams and connections. */
  close(): void;
}

/** A bootstrap or a target that gRPC rejects, with the message of the implementation. */
export class ConnectError extends Error {}

/** Follows channels. Several spellings of a target share one channel (D17), which ends with the last of them. */
function followIn(session: Session): (channel: ResolvedChannel) => () => void {
  const counts = new Map<string, number>();
  return (channel) => {
    const { scope, target } = channel;
    counts.set(target, (counts.get(target) ?? 0) + 1);
    session.dispatch({ kind: 'follow', ...channel });
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      const left = (counts.get(target) ?? 1) - 1;
      counts.set(target, left);
      if (left === 0) session.dispatch({ kind: 'unfollow', scope, target });
    };
  };
}

/** Creates a client from a bootstrap, as a gRPC program would. It connects when a resource or a target is watched. */
export function connect(bootstrap: string | Uint8Array, options: ConnectOptions = {}): Connected {
  const { as: preset = DEFAULT_PRESET, variables = process.env, clock = machineClock() } = options;
  const switches = readSwitches(variables, preset);
  const bytes = typeof bootstrap === 'string' ? new TextEncoder().encode(bootstrap) : bootstrap;
  const read = bootstrapReader(preset).read(bytes, switches, undefined);
  if (!read.ok) throw new ConnectError(read.message);
  const userAgent = { name: options.userAgentName, version: options.userAgentVersion };
  const environment = localEnvironment(preset, variables, userAgent, clock);
  const { maxResponseBytes } = PRESETS[preset].policies;
  const { transport = new GrpcTransport({ maxResponseBytes }), dns = systemDns } = options;
  const client = { bootstrap: read.bootstrap, origin: 'connect()', environment };
  const inspection = openLive({ kind: 'live', client, ports: { clock, transport, dns }, inputs: [] }, {});
  const { session, events } = inspection;
  const follow = followIn(session);
  if (options.onEvent !== undefined) events.subscribe(options.onEvent);
  return {
    watch: (type, name, watcher, scope = '') => session.watch(scope, typeUrlOf(type), name, watcher),
    follow: (target, defaultAuthority) => {
      const resolved = resolveTarget(target, read.bootstrap, { preset, switches, defaultAuthority });
      if (!resolved.ok) throw new ConnectError(resolved.message);
      return follow(channelOf(target, resolved.resolution));
    },
    snapshot: () => inspection.snapshot(),
    findings: () => inspection.findings(),
    close: () => inspection.close(),
  };
}
