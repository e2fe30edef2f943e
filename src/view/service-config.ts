import type { InspectedTarget } from '../inspect/inspection-result.js';
import { selectableKeys } from '../routing/config-selector.js';
import { EMPTY_SERVICE_CONFIG, priorityConfig, serviceConfig } from '../routing/service-config.js';
import type { ServiceConfigDocument } from './documents.js';

/** The load-balancing configuration that gRPC's resolver and its cds policies would generate, one document per target. */
export function serviceConfigs(targets: readonly InspectedTarget[]): ServiceConfigDocument[] {
  return targets.map(({ channel: { target, state } }) => {
    if (state.kind !== 'published') return { target, serviceConfig: EMPTY_SERVICE_CONFIG, cds: {} };
    const { config } = state;
    const cds = [...config.clusters.keys()].map((name) => [name, priorityConfig(name, config)] as const);
    return {
      target,
      serviceConfig: serviceConfig(selectableKeys(config), config),
      cds: Object.fromEntries(cds),
    };
  });
}
