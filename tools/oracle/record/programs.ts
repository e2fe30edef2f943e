import { PEER_RECIPES } from '../../peers/peers.js';
import type { ClientScenario } from '../conformance/client/recording.js';

/** A real client whose behaviour can be recorded. */
export interface OracleRecipe {
  /** The name of its peer. */
  peer: string;
  /** How often each scenario runs; differences between the runs are recorded as varied. */
  runs: number;
  /** The client may send several changes in one request, other than the C-core for which the scripts were written. */
  mergesRequests: boolean;
  /** Adds what this client requires of a bootstrap, so that a scenario tells about more than its bootstrap. */
  adapt?(scenario: ClientScenario): ClientScenario;
}

export const ORACLE_RECIPES = {
  'c-core': { peer: 'c-core-oracle', runs: 2, mergesRequests: false },
  'grpc-go': { peer: 'grpc-go-oracle', runs: 3, mergesRequests: true },
  'grpc-java': { peer: 'grpc-java-oracle', runs: 3, mergesRequests: true },
  'grpc-node': { peer: 'grpc-node-oracle', runs: 2, mergesRequests: true, adapt: completeBootstrap },
} as const satisfies Record<string, OracleRecipe>;

export type OracleName = keyof typeof ORACLE_RECIPES;

export function isOracleName(name: string): name is OracleName {
  return Object.hasOwn(ORACLE_RECIPES, name) && Object.hasOwn(PEER_RECIPES, ORACLE_RECIPES[name as OracleName].peer);
}

interface CompletedBootstrap {
  node?: object;
  certificate_providers?: Record<string, { plugin_name: string; config?: object }>;
}

/** grpc-js-xds rejects a bootstrap without node.id, without node.locality, or without the refresh interval of files. */
function completeBootstrap(scenario: ClientScenario): ClientScenario {
  const { node, certificate_providers: providers, ...others } = scenario.bootstrap as CompletedBootstrap;
  const completed = Object.entries(providers ?? {}).map(([name, { plugin_name, config }]) => [
    name,
    { plugin_name, config: { refresh_interval: '600s', ...config } },
  ]);
  const bootstrap = {
    ...others,
    node: { id: '', locality: {}, ...node },
    ...(providers && { certificate_providers: Object.fromEntries(completed) }),
  };
  return { ...scenario, bootstrap };
}
