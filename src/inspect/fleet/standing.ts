import type { ClientState, HeldResource } from './client-state.js';
import { ageOfVersion, agrees, keyOf, type ResourceVersions, type VersionInUse } from './resource-versions.js';

/** How a client differs from a healthy fleet; the worst first. */
export const STANDINGS = [
  'rejected',
  'error',
  'missing',
  'fails',
  'stale',
  'older',
  'different',
  'newer',
  'waiting',
  'agrees',
] as const;

export type StandingWord = (typeof STANDINGS)[number];

/** A problem of a client with a resource, or with its RPCs. */
export interface FleetProblem {
  kind: Exclude<StandingWord, 'agrees'>;
  /** Undefined for a problem of its RPCs. */
  resource: HeldResource | undefined;
  /** Position in the resources of the state. */
  index: number;
  /** What most clients have; only if the version differs. */
  reference: VersionInUse | undefined;
  message: string | null;
}

export interface Standing {
  word: StandingWord;
  /** The worst first. */
  problems: FleetProblem[];
}

const BY_STATUS: Partial<Record<HeldResource['status'], FleetProblem['kind']>> = {
  NACKED: 'rejected',
  RECEIVED_ERROR: 'error',
  ERROR: 'error',
  DOES_NOT_EXIST: 'missing',
  TIMEOUT: 'missing',
  STALE: 'stale',
  REQUESTED: 'waiting',
};

const DEFAULT_MESSAGES: Partial<Record<HeldResource['status'], string>> = {
  DOES_NOT_EXIST: 'does not exist',
  TIMEOUT: 'not received in time',
  STALE: 'the last response is not acknowledged',
};

/** Compares a state with what most clients have. */
export function standingOf(state: ClientState, versions: ReadonlyMap<string, ResourceVersions>): Standing {
  const problems = state.resources.flatMap((held, index) => problemOf(held, index, versions.get(keyOf(held))) ?? []);
  const { word, cause } = state.verdict;
  const plain = { resource: undefined, index: -1, reference: undefined, message: cause };
  if (word === 'fails' || word === 'partly') problems.push({ ...plain, kind: 'fails' });
  else if (word === 'waiting' && problems.length === 0) problems.push({ ...plain, kind: 'waiting' });
  problems.sort((a, b) => STANDINGS.indexOf(a.kind) - STANDINGS.indexOf(b.kind) || a.index - b.index);
  return { word: problems[0]?.kind ?? 'agrees', problems };
}

function problemOf(
  held: HeldResource,
  index: number,
  versions: ResourceVersions | undefined,
): FleetProblem | undefined {
  const { status, error, version, contents } = held;
  const isHeld = version !== null || contents !== undefined;
  const differing = isHeld && versions !== undefined && !agrees(held, versions.reference) ? versions : undefined;
  const reference = differing?.reference;
  const kind = BY_STATUS[status];
  if (kind !== undefined) {
    return { kind, resource: held, index, reference, message: error?.message || (DEFAULT_MESSAGES[status] ?? null) };
  }
  if (differing === undefined) return undefined;
  return { kind: ageIn(held, differing), resource: held, index, reference, message: null };
}

function ageIn(held: HeldResource, { reference, versions }: ResourceVersions): ReturnType<typeof ageOfVersion> {
  const own = versions.find(({ version, contents }) => version === held.version && contents === held.contents);
  return own === undefined ? 'different' : ageOfVersion(own, reference);
}
