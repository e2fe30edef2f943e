import { statusTexts } from '../core/status-texts/index.js';
import type { ConfigState, XdsConfig } from '../deps/config.js';
import { injectedFault } from './fault.js';
import { clusterState, type LbOptions } from './lb/cluster-state.js';
import type { Pick } from './lb/lb-state.js';
import type { Call } from './match.js';
import { aborts, fails, type Outcome } from './outcome.js';
import { type Selection, select } from './select.js';

export interface Prediction {
  selection: Selection | undefined;
  outcome: Outcome;
}

export interface PredictOptions extends LbOptions {
  random: () => number;
}

/** Predicts the outcome of an RPC: its endpoints, or its status with the literal message of C-core. */
export function predict(state: ConfigState, call: Call, options: PredictOptions): Prediction {
  if (state.kind === 'error' && state.isQueued) {
    return { selection: undefined, outcome: { kind: 'waits', why: state.message } };
  }
  if (state.kind === 'error') {
    const { targetStatus } = statusTexts(state.statusTexts);
    const outcome = fails(targetStatus(state.message, state.previous), { by: 'target' });
    return { selection: undefined, outcome };
  }
  if (state.kind !== 'published') {
    return { selection: undefined, outcome: { kind: 'waits', why: 'the configuration is incomplete' } };
  }
  const selection = select(state.config, call, options.random);
  return { selection, outcome: outcomeOf(selection, state.config, call, options) };
}

export function outcomeOf(selection: Selection, config: XdsConfig, call: Call, options: LbOptions): Outcome {
  const texts = statusTexts(config.statusTexts);
  switch (selection.kind) {
    case 'no route':
      return fails(texts.noRoute(call.path), { by: 'routes' });
    case 'no action':
      return fails(texts.noAction, { by: 'routes' });
    case 'plugin':
      return { kind: 'unknown', why: `the plugin ${selection.plugin} chooses the cluster` };
    case 'cluster': {
      const { abort } = injectedFault(selection.fault, call);
      return abort?.share === 1 ? aborts(abort.code, texts) : clusterOutcome(selection.cluster, config, options);
    }
  }
}

/** The outcome of an RPC to a cluster. If there are several, one that is not a drop. */
export function clusterOutcome(name: string, config: XdsConfig, options: LbOptions): Outcome {
  const { picks } = clusterState(name, config, options);
  const chosen = picks.find(({ outcome }) => !isDrop(outcome)) ?? picks.at(-1);
  return (chosen as Pick).outcome;
}

function isDrop(outcome: Outcome): boolean {
  return outcome.kind === 'fails' && outcome.blocked.by === 'drop';
}
