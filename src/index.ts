export type { Status } from './base/status.js';
export type { Policies } from './bootstrap/policies.js';
export type { Preset } from './bootstrap/preset-names.js';
export { PRESETS } from './bootstrap/presets.js';
export type { Effect, ServerTarget } from './core/effect.js';
export type { Event } from './core/event.js';
export type { Input } from './core/input.js';
export type { Machine } from './core/machine.js';
export type { ClientMetrics } from './core/metrics.js';
export type { CacheEntry } from './core/resource-cache.js';
export type { WatcherUpdate } from './core/watcher.js';
export type { ConfigState, XdsConfig } from './deps/config.js';
export { resolutionNote } from './deps/notes.js';
export { Engine, type EngineOptions } from './engine/engine.js';
export { type ClientEnvironment, engineOptions } from './engine/options.js';
export type { Clock, Connection, Dns, EventLog, ResourceWatcher, Transport } from './engine/ports.js';
export type { ScopeSnapshot } from './engine/scope.js';
export { Session, type SessionPorts } from './engine/session.js';
export type { ProtocolFinding as Finding } from './findings/finding.js';
export { ConnectError, type Connected, type ConnectOptions, connect } from './io/connect.js';
export { GrpcTransport } from './io/grpc-transport.js';
export { systemClock } from './io/system-clock.js';
export { systemDns } from './io/system-dns.js';
export { RESOURCE_TYPES } from './proto/resource-types.js';
export type { XdsResource } from './resources/resource.js';
export { eventJson } from './view/event-json.js';

/** Loads the API for route matching, ConfigSelectors and predicted RPC outcomes. It includes RE2, which is large. */
export const loadRouting = (): Promise<typeof import('./routing/index.js')> => import('./routing/index.js');
