import type { Effect } from '../../../src/core/effect.js';
import type { XdsConfig } from '../../../src/deps/config.js';
import { clusterNamesOf } from '../../../src/resources/references.js';
import { require } from '../violation.js';
import type { Check, World } from './world.js';

/** Checks every configuration that a dependency manager publishes (A74). */
export class ConfigCheck implements Check {
  readonly #world: World;
  #isChanged = false;

  constructor(world: World) {
    this.#world = world;
  }

  onEffect(effect: Effect): void {
    if (effect.kind === 'event' && effect.event.kind === 'config') this.#isChanged = true;
  }

  onStep(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    for (const { channels } of this.#world.snapshot()) {
      for (const { state, target } of channels) if (state.kind === 'published') checkConfig(state.config, target);
    }
  }
}

function checkConfig({ clusters, virtualHost }: XdsConfig, target: string): void {
  const missing = [...clusterNamesOf(virtualHost)].filter((name) => !clusters.has(name));
  require(missing.length === 0, 'config-complete', () => `${target}: routes name ${missing}, which is missing`);
  for (const [name, cluster] of clusters) {
    if (cluster.kind === 'aggregate') {
      const lost = cluster.leaves.filter((leaf) => clusters.get(leaf)?.kind !== 'endpoints');
      const isComplete = cluster.leaves.length > 0 && lost.length === 0;
      require(isComplete, 'config-complete', () => `${target}: ${name} names ${lost}, which is missing`);
    }
  }
}
