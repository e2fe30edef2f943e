import type { Status } from '../../../src/base/status.js';
import type { Effect } from '../../../src/core/effect.js';
import type { CacheEntry } from '../../../src/core/resource-cache.js';
import { Engine, type EngineOptions } from '../../../src/engine/engine.js';
import { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { decode } from '../../../src/proto/message-type.js';

/** The result of watching one resource, with or without a response. */
export interface WatchResult {
  /** The first request, if any was sent. */
  firstRequest: DiscoveryRequest | undefined;
  /** The request that acknowledges or rejects the response. */
  reply: DiscoveryRequest | undefined;
  /** The error that the watcher got instead of the resource. */
  error: Status | undefined;
  entry: CacheEntry | undefined;
}

/** Watches one resource over a connection that is always ready. */
export function watchOne(options: EngineOptions, typeUrl: string, name: string, response?: Uint8Array): WatchResult {
  const engine = new Engine(options);
  const requests: DiscoveryRequest[] = [];
  let error: Status | undefined;
  let stream = 0;
  const take = (effects: Effect[]): void => {
    for (const effect of effects) {
      if (effect.kind === 'open') stream = effect.stream;
      if (effect.kind === 'notify' && 'error' in effect.update) error ??= effect.update.error;
      if (effect.kind !== 'send') continue;
      const decoded = decode(DiscoveryRequest, effect.bytes);
      if (decoded.ok) requests.push(decoded.value);
    }
  };
  take(engine.handle({ kind: 'watch', scope: 's', watcher: 1, typeUrl, name }, 1));
  if (stream !== 0) take(engine.handle({ kind: 'sent', stream }, 2));
  const firstRequest = requests.shift();
  if (response !== undefined) take(engine.handle({ kind: 'message', stream, bytes: response }, 3));
  return { firstRequest, reply: requests[0], error, entry: engine.snapshot()[0]?.entries[0] };
}
