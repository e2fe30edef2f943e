import type { Status } from '../base/status.js';
import { statusTexts } from '../core/status-texts/index.js';
import type { XdsConfig } from '../deps/config.js';
import type { RetryPolicy } from '../resources/retry-policy.js';
import type { Call } from './match.js';
import { select } from './select.js';
import type { ClusterKey } from './service-config.js';
import { effectiveTimeout } from './timeout.js';

/** The configuration that a selector returns for an RPC (A31). */
export type CallConfig =
  | { status: Status }
  | {
      methodConfig: { timeoutMs: number | undefined; retryPolicy: RetryPolicy | undefined };
      /** For the picker: the cluster, selected once, also for retries. */
      pick: { key: ClusterKey };
      /** The RPC does not pick again: releases its cluster. */
      commit: () => void;
    };

/** Counts the references to clusters (R9.7). */
export interface ClusterReferences {
  take(key: ClusterKey): void;
  release(key: ClusterKey): void;
}

/** Selects a cluster for each RPC, from one configuration. It references every selectable cluster until it is replaced. */
export class ConfigSelector {
  readonly config: XdsConfig;
  readonly keys: readonly ClusterKey[];
  readonly #references: ClusterReferences;
  readonly #random: () => number;

  constructor(config: XdsConfig, references: ClusterReferences, random: () => number) {
    this.config = config;
    this.keys = selectableKeys(config);
    this.#references = references;
    this.#random = random;
    for (const key of this.keys) references.take(key);
  }

  select(call: Call, deadlineMs?: number): CallConfig {
    const selection = select(this.config, call, this.#random);
    if (selection.kind === 'no route') return { status: statusTexts(this.config.statusTexts).noRoute(call.path) };
    if (selection.kind === 'no action') return { status: statusTexts(this.config.statusTexts).noAction };
    const { action } = selection;
    const key: ClusterKey =
      selection.kind === 'plugin' ? `cluster_specifier_plugin:${selection.plugin}` : `cluster:${selection.cluster}`;
    this.#references.take(key);
    let isCommitted = false;
    return {
      methodConfig: {
        timeoutMs: effectiveTimeout(action, this.config.listener, deadlineMs).ms,
        retryPolicy: action.retryPolicy,
      },
      pick: { key },
      commit: () => {
        if (!isCommitted) this.#references.release(key);
        isCommitted = true;
      },
    };
  }

  /** Releases its clusters when another selector replaces it. */
  close(): void {
    for (const key of this.keys) this.#references.release(key);
  }
}

/** Every key that the routes of a configuration can select. */
export function selectableKeys({ virtualHost }: XdsConfig): ClusterKey[] {
  const keys = new Set<ClusterKey>();
  for (const { action } of virtualHost.routes) {
    if (action.kind !== 'route') continue;
    const { destination } = action;
    if (destination.kind === 'plugin') keys.add(`cluster_specifier_plugin:${destination.name}`);
    else if (destination.kind === 'cluster') keys.add(`cluster:${destination.name}`);
    else for (const { name } of destination.clusters) keys.add(`cluster:${name}`);
  }
  return [...keys];
}
