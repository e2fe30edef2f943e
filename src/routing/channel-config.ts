import { type Status, statusCode } from '../base/status.js';
import type { ConfigState, XdsConfig } from '../deps/config.js';
import type { Json } from '../proto/json/well-known.js';
import { type ClusterReferences, ConfigSelector } from './config-selector.js';
import { type ClusterKey, EMPTY_SERVICE_CONFIG, serviceConfig } from './service-config.js';

/** What a resolver gives its channel: the LB policy's part is applied before the selector is used (A31). */
export interface ChannelConfig {
  serviceConfig: Json;
  selector: ConfigSelector | undefined;
}

/**
 * gRPC's xds resolver between the dependency manager and the channel: counts who still needs a cluster, and keeps it in
 * the service config until nobody does. So a cluster leaves in two steps: first no RPC can choose it, then it goes.
 */
export class ChannelConfigs implements ClusterReferences {
  readonly #counts = new Map<ClusterKey, number>();
  readonly #random: () => number;
  readonly #apply: (config: ChannelConfig) => void;
  readonly #watchedClusters: { hold(cluster: string): void; release(cluster: string): void };
  #selector: ConfigSelector | undefined;
  #isUpdating = false;

  constructor(
    apply: (config: ChannelConfig) => void,
    watchedClusters: { hold(cluster: string): void; release(cluster: string): void },
    random: () => number,
  ) {
    this.#apply = apply;
    this.#watchedClusters = watchedClusters;
    this.#random = random;
  }

  /** R9.8: the new selector takes its references before the one before lets go of them. */
  update(state: ConfigState): void {
    const before = this.#selector;
    this.#isUpdating = true;
    this.#selector = state.kind === 'published' ? new ConfigSelector(state.config, this, this.#random) : undefined;
    this.#publish();
    before?.close();
    this.#isUpdating = false;
    // What only the selector before could choose, and no RPC holds, goes now.
    if (before !== undefined && this.#selector !== undefined) this.#publish();
  }

  take(key: ClusterKey): void {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count === 0 && key.startsWith('cluster:')) this.#watchedClusters.hold(key.slice('cluster:'.length));
  }

  /** R9.9: with the last reference the key goes, and the same configuration is applied without it. */
  release(key: ClusterKey): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) {
      this.#counts.set(key, count);
      return;
    }
    this.#counts.delete(key);
    if (key.startsWith('cluster:')) this.#watchedClusters.release(key.slice('cluster:'.length));
    if (!this.#isUpdating) this.#publish();
  }

  #publish(): void {
    const config: XdsConfig | undefined = this.#selector?.config;
    const service = config === undefined ? EMPTY_SERVICE_CONFIG : serviceConfig(this.#counts.keys(), config);
    this.#apply({ serviceConfig: service, selector: this.#selector });
  }
}

/** R9.11: what the cluster manager's picker says of a key; undefined where it knows it. */
export function pickFailure(key: string, { serviceConfig: config }: ChannelConfig): Status | undefined {
  const isKnown = JSON.stringify(config).includes(`${JSON.stringify(key)}:`);
  if (isKnown) return undefined;
  return { code: statusCode('INTERNAL'), message: `xds cluster manager picker: unknown cluster "${key}"` };
}
