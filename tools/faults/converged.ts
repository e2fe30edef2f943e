import { bootstrap } from './client/bootstrap.ts';
import type { LoggedEvent } from './client/logged-event.ts';
import { library, type Observed, type Running } from './clients.ts';
import { completeRevision, SOLO } from './model.ts';
import type { PlaneProcess } from './plane/plane-process.ts';
import { checkLog, checkStreamCount, checkStreamsOnly, type LogCheck } from './rules/check-log.ts';
import { clientStreams, planeStreams, requestsOn, responsesOn } from './rules/stream-log.ts';
import { StreamMatcher } from './rules/wire-rules.ts';
import { firstDifference, outstanding } from './state.ts';
import { NotMet, until } from './until.ts';

export interface Checked {
  failures: string[];
  events: number;
  streams: number;
  transitions: number;
}

export interface CheckOptions {
  /** Streams that a proxy opened, not a client. */
  extraStreams?: number;
  newClient?: () => Running;
}

/**
 * After the faults: serves a last, complete revision, waits until every client has it, and then compares the event log of
 * each client with the log of the control plane, and its state with that of a new client.
 */
export async function checkConverged(
  plane: PlaneProcess,
  clients: readonly Observed[],
  { extraStreams = 0, newClient = () => library(bootstrap(plane.address)) }: CheckOptions = {},
): Promise<Checked> {
  const revision = completeRevision(plane.revision + 1);
  plane.serve(revision);
  // A changed bit in a version makes the event log wrong, and no event corrects it if the contents are equal.
  const failures = await converged(
    plane,
    clients.filter(({ isCorrupted }) => !isCorrupted),
    revision,
  );
  const fresh: Running = { ...newClient(), name: 'a new client' };
  failures.push(...(await converged(plane, [fresh], revision)));
  const expected = (await fresh.state?.()) ?? '';
  for (const client of clients) {
    const difference = await differenceFrom(expected, client);
    if (difference !== undefined)
      failures.push(`${client.name}: its state differs from that of a new client: ${difference}`);
  }
  const all = [...clients, fresh].map((client) => checkOne(client, plane, failures));
  failures.push(...(await fresh.stop()));
  failures.push(...checkStreamCount(all, plane.log, extraStreams));
  const sum = (key: 'events' | 'streams' | 'transitions'): number => all.reduce((total, one) => total + one[key], 0);
  return { failures, events: sum('events'), streams: sum('streams'), transitions: sum('transitions') };
}

/** How the state of a client differs from the expected one. Waits for a client whose event log does not show its state. */
export async function differenceFrom(
  expected: string,
  { state, isCorrupted }: Pick<Observed, 'state' | 'isCorrupted'>,
  patienceMs?: number,
): Promise<string | undefined> {
  if (state === undefined) return undefined;
  let actual = await state();
  if (isCorrupted) {
    const read = async (): Promise<boolean> => {
      actual = await state();
      return actual === expected;
    };
    await until(read, () => 'the expected state', patienceMs).catch(() => {});
  }
  return firstDifference(actual, expected);
}

function checkOne(client: Observed, plane: PlaneProcess, failures: string[]): LogCheck {
  const check = client.isCorrupted ? checkStreamsOnly(client.events) : checkLog(client.events, plane.log);
  failures.push(...check.failures.map((failure) => `${client.name}: ${failure}`));
  const updates = client.updates?.();
  const expected = client.events.filter(isSoloUpdate).length;
  if (updates !== undefined && updates !== expected)
    failures.push(`${client.name}: its watcher received ${updates} updates, but there are ${expected} events`);
  return check;
}

function isSoloUpdate({ kind, scope, name, change }: LoggedEvent): boolean {
  return kind === 'resource' && scope === '' && name === SOLO && change === 'updated';
}

/** Waits until all clients have a revision, and the control plane has all of their requests. */
async function converged(plane: PlaneProcess, clients: readonly Observed[], revision: number): Promise<string[]> {
  const restOf = (client: Observed): string[] => {
    const resources = outstanding(client.events, revision, client.scopes);
    return resources.length > 0 ? resources : inFlight(client, plane);
  };
  const rest = (): string[] => clients.flatMap((client) => restOf(client).map((one) => `${client.name}: ${one}`));
  try {
    await until(
      () => rest().length === 0,
      () => rest().join('; '),
    );
    return [];
  } catch (error) {
    if (error instanceof NotMet) return [error.message];
    throw error;
  }
}

/** Open streams with messages that the other side has not read yet, or events that a process has not printed yet. */
function inFlight(client: Observed, plane: PlaneProcess): string[] {
  const matcher = new StreamMatcher(planeStreams(plane.log).values());
  return clientStreams(client.events)
    .streams.filter(({ isOpen }) => isOpen)
    .flatMap((stream) => {
      const { requests = [], responses = [] } = matcher.match(stream, []) ?? {};
      const isQuiet = requests.length === requestsOn(stream).length && responsesOn(stream).length === responses.length;
      return isQuiet ? [] : [`stream ${stream.id} has messages on their way`];
    });
}
