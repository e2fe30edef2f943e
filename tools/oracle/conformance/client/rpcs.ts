import { statusName } from '../../../../src/base/status.js';
import type { StatusTexts } from '../../../../src/core/status-texts/status-texts.js';
import type { Engine } from '../../../../src/engine/engine.js';
import { addressUri, type IpAddress } from '../../../../src/resources/common/ip-address.js';
import { predict } from '../../../../src/routing/predict.js';
import { effectiveTimeout } from '../../../../src/routing/timeout.js';
import type { Step } from './recording.js';

/** The outcome of an RPC in the format of the recordings. */
export interface PredictedRpc {
  code: string;
  message?: string | undefined;
  backend?: string | undefined;
  limit?: string | undefined;
}

const DEFAULT_METHOD = '/oracle.Echo/Echo';

/** Predicts the outcome of an RPC. `backends` are ports by label; the `dead` ones are not reachable. */
export function predictRpc(
  step: Step,
  engine: Engine,
  backends: Record<string, number>,
  nodeId: string | undefined,
  texts: StatusTexts,
): PredictedRpc {
  const timedOut = (waitsFor: Parameters<StatusTexts['deadlineMessage']>[0]): PredictedRpc => ({
    code: 'DEADLINE_EXCEEDED',
    message: texts.deadlineMessage(waitsFor, step.waitForReady === true, '{seconds}'),
  });
  const key = step.channel ?? step.target;
  const channel = engine
    .snapshot()
    .flatMap(({ channels }) => channels)
    .find(({ target }) => target === key);
  const labels = new Map(Object.entries(backends).map(([label, port]) => [port, label]));
  const isReachable = ({ port }: IpAddress): boolean => !(labels.get(port) ?? 'dead').startsWith('dead');
  const call = { path: step.method ?? DEFAULT_METHOD, metadata: step.metadata ?? [] };
  const state = channel?.state ?? { kind: 'none' as const };
  const { selection, outcome } = predict(state, call, { nodeId, random: () => 0, isReachable });
  if (outcome.kind === 'waits' || outcome.kind === 'unknown') {
    return timedOut(state.kind === 'published' ? 'pick' : 'configuration');
  }
  if (outcome.kind === 'fails') {
    // A wait-for-ready RPC is queued on every failure except those of routes, faults and drops.
    const isFinal = outcome.blocked.by === 'routes' || outcome.blocked.by === 'fault' || outcome.blocked.by === 'drop';
    if (step.waitForReady === true && !isFinal) return timedOut('pick');
    return { code: statusName(outcome.status.code), message: outcome.status.message };
  }
  if (call.path.endsWith('/Hang') && selection?.kind === 'cluster' && state.kind === 'published') {
    const { from } = effectiveTimeout(selection.action, state.config.listener, (step.timeout ?? 3) * 1000);
    const [address] = outcome.addresses;
    const end = timedOut({ address: address === undefined ? '' : addressUri(address).replace(/^ipv[46]:/, '') });
    return { ...end, limit: from === 'application' ? 'application' : 'config' };
  }
  if (call.path.endsWith('/Deadline')) return { code: 'OK' };
  const [first] = outcome.addresses;
  return { code: 'OK', backend: labels.get(first?.port ?? 0) ?? 'none' };
}
