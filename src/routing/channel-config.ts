import { type Status, statusCode } from '../base/status.js';
import type { ConfigState, XdsConfig } from '../deps/config.js';
import type { Json } from '../proto/json/well-known.js';
import { type ClusterReferences, ConfigSelector } from './config-selector.js';
import { type ClusterKey, EMPTY_SERVICE_CONFIG, serviceConfig } from './service-config.js';

/** The result of the resolver: the channel applies the service config before it uses the selector (A31). */
export interface ChannelConfig {
  serviceConfig: Json;
  selector: ConfigSelector | undefined;
}

/**
 * gRPC's xds resolver between the dependency manager and the channel. It counts the references to clusters and keeps a
 * cluster in the service config until its last reference is released. So a removed cluster first becomes unselectable, then
 * it is removed from the service config.
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

  /** R9.8: the new selector takes its references before the previous one releases them. */
  update(state: ConfigState): void {
    const before = this.#selector;
    this.#isUpdating = true;
    this.#selector = state.kind === 'published' ? new ConfigSelector(state.config, this, this.#random) : undefined;
    this.#publish();
    before?.close();
    this.#isUpdating = false;
    // Removes clusters that only the previous selector could select and that no RPC references.
    if (before !== undefined && this.#selector !== undefined) this.#publish();
  }

  take(key: ClusterKey): void {
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count === 0 && key.startsWith('cluster:')) this.#watchedClusters.hold(key.slice('cluster:'.length));
  }

  /** R9.9: releasing the last reference removes the key, and the same configuration is applied without it. */
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

/** R9.11: the failure of the cluster manager's picker; undefined if it has a child for the key. */
export function pickFailure(key: string, { serviceConfig: config }: ChannelConfig): Status | undefined {
  const isKnown = JSON.stringify(config).includes(`${JSON.stringify(key)}:`);
  if (isKnown) return undefined;
  return { code: statusCode('INTERNAL'), message: `xds cluster manager picker: unknown cluster "${key}"` };
}
