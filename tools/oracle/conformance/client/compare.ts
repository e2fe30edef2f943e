import type { Preset } from '../../../../src/bootstrap/switches.js';
import { type Comparison, sorted } from '../comparison.js';
import type { ClientRecording, ClientScenario } from './recording.js';
import { type Replayed, replay } from './replay.js';
import { isVariedPart } from './varied.js';

/** Replays every scenario and compares the results with the recording. */
export async function compareClients(
  recording: ClientRecording,
  comparison: Comparison,
  preset: Preset,
  isChosen: (scenario: ClientScenario) => boolean = () => true,
): Promise<void> {
  for (const scenario of recording.scenarios.filter(isChosen)) {
    let replayed: Replayed;
    try {
      replayed = await replay(scenario, recording, preset);
    } catch (error) {
      comparison.compare(scenario.id, 'steps', 'a replay', (error as Error).stack);
      continue;
    }
    compareScenario(scenario, replayed, recording, comparison, preset);
  }
}

/** Compares the expectations of a scenario with the behaviour of a client. */
export function compareScenario(
  scenario: ClientScenario,
  replayed: Replayed,
  recording: ClientRecording,
  comparison: Comparison,
  preset: Preset,
): void {
  const { id, expected, varied = [], decision } = scenario;
  const one: OneScenario = {
    id: decision === undefined ? id : `${id} (${decision})`,
    isVaried: (part, label) => isVariedPart(varied, part, label),
    comparison,
  };
  for (const { step, nonce, answer, version, error } of expected.answers) {
    const wanted = answer === 'none' ? { answer } : { answer, version: version ?? '', error };
    compareUnlessVaried(one, 'answers', wanted, replayed.answers.get(step), `step ${step} nonce ${nonce}`);
  }
  compareSubscriptions(one, scenario, replayed);
  const view = preset === 'spec' ? withoutClientSpecifics : (dump: unknown): unknown => dump;
  for (const { label, step, clients } of expected.csds) {
    if (one.isVaried('csds', label)) comparison.skip('csds');
    else {
      const [recorded, here] = [withBytes(clients, recording.resources), replayed.csds.get(step)];
      compareUnlessVaried(one, 'csds', view(recorded), view(here), `"${label}"`);
    }
  }
  for (const { label, step, code, message, backend, limit } of expected.rpcs) {
    const here = replayed.rpcs.get(step);
    // The outcome of a queued RPC depends on backends that start and stop.
    if (here === undefined || one.isVaried('rpcs', label)) comparison.skip('rpcs');
    else compareUnlessVaried(one, 'rpcs', { code, message, backend, limit }, here, `"${label}"`);
  }
  if (one.isVaried('steps')) comparison.skip('steps');
  else comparison.compare(one.id, 'steps', unmetTexts(expected.unmet), unmetTexts(replayed.unmet));
}

function unmetTexts(unmet: Replayed['unmet'] = []): string[] {
  return unmet.map(({ step, what }) => `step ${step}: ${what}`);
}

interface OneScenario {
  id: string;
  isVaried: (part: string, label?: string) => boolean;
  comparison: Comparison;
}

function compareUnlessVaried(one: OneScenario, what: string, expected: unknown, actual: unknown, detail: string): void {
  if (one.isVaried(what)) one.comparison.skip(what);
  else one.comparison.compare(one.id, what, expected, actual, detail);
}

/** A recording contains only the points at which subscriptions changed. */
function compareSubscriptions(one: OneScenario, { expected, steps }: ClientScenario, replayed: Replayed): void {
  const inOrder = [...replayed.subscriptions].sort((a, b) => a.step - b.step);
  for (const { step, streams } of inOrder) {
    const recorded = sortNames(expected.subscriptions.findLast((point) => point.step <= step)?.streams ?? {});
    const here = step === steps.length ? withoutUnrecordedRequests(streams, recorded) : streams;
    compareUnlessVaried(one, 'subscriptions', recorded, here, `step ${step}`);
  }
}

function sortNames(streams: Record<string, Record<string, string[]>>): unknown {
  return Object.fromEntries(
    Object.entries(streams).map(([stream, types]) => [
      stream,
      Object.fromEntries(Object.entries(types).map(([type, names]) => [type, [...names].sort()])),
    ]),
  );
}

/** A recording may end before the first request of a stream has arrived. Ignores the requests of such a stream. */
function withoutUnrecordedRequests(streams: Record<string, unknown>, recorded: unknown): unknown {
  const hasNoRequest = (stream: string): boolean =>
    JSON.stringify((recorded as Record<string, unknown>)[stream]) === '{}';
  return Object.fromEntries(Object.entries(streams).map(([name, types]) => [name, hasNoRequest(name) ? {} : types]));
}

/** Replaces keys of resources by their bytes: several keys may name equal resources. */
export function withBytes(clients: unknown[], resources: ClientRecording['resources']): unknown[] {
  const text = JSON.stringify(sorted(clients), (key, value: unknown) =>
    key === 'xds_config' && typeof value === 'string' ? (resources[value]?.base64 ?? value) : value,
  );
  return JSON.parse(text) as unknown[];
}

/** D17, D22: policies other than C-core's spell client_scope differently and have other client features. */
function withoutClientSpecifics(dump: unknown): unknown {
  const clients = (dump ?? []) as { client_scope: string; node: object }[];
  return clients
    .map((client) => ({
      ...client,
      client_scope: client.client_scope.replace(/^xds:\/?([^/]|$)/, 'xds:///$1').replace(/[?#].*$/, ''),
      node: { ...client.node, client_features: undefined },
    }))
    .sort((a, b) => (a.client_scope < b.client_scope ? -1 : 1));
}
