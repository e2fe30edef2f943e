import { DEFAULT_PRESET } from '../bootstrap/preset-names.js';
import { policiesOf } from '../bootstrap/presets.js';
import type { Preset } from '../bootstrap/switches.js';
import type { Resolution } from '../core/input.js';
import type { ClientDump } from '../csds/dump.js';
import { type FollowedDump, followDump } from '../csds/follow-dump.js';
import { readClientStatus } from '../csds/read-client-status.js';
import { type RecognizedClient, recognizedClient, recognizedText } from '../csds/recognized-client.js';
import { type ValidatedDump, validateDump } from '../csds/validate-dump.js';
import { type TargetResult, targetResults } from './inspection-result.js';
import { VerdictFacts } from './verdict/facts.js';
import { type TargetVerdict, unknownVerdict, verdictsOf } from './verdict/verdict.js';

/** An XdsClient of another process. */
export interface RemoteClient {
  /** Its implementation, with the preset that the views use; undefined if it is not known. */
  client: RecognizedClient | undefined;
  validated: ValidatedDump;
  snapshot: FollowedDump;
  /** One per target, including targets that CSDS shows only partly. */
  verdicts: TargetVerdict[];
}

/** The last CSDS response of a process. */
export interface RemoteAnswer {
  address: string;
  clients: RemoteClient[];
  /** Sentences that explain why data is missing. */
  problems: string[];
  /** No data could be read. */
  isDead: boolean;
  /** The response that the clients were read from; undefined if there is none. */
  received?: ReceivedStatus | undefined;
}

/** A CSDS response, and what it does not contain. */
export interface ReceivedStatus {
  /** The ClientStatusResponse. */
  bytes: Uint8Array;
  /** The results of DNS lookups, by `host:port`. */
  resolutions: ReadonlyMap<string, Resolution>;
}

/** The clients in a ClientStatusResponse, and why data is missing. */
export interface ValidatedStatus {
  clients: ValidatedDump[];
  problems: string[];
}

export interface AnswerOptions {
  /** undefined: the preset of each client's own implementation. */
  as: Preset | undefined;
  defaultAuthority: string | undefined;
  now: number;
}

export function validateStatus(bytes: Uint8Array, as: Preset | undefined): ValidatedStatus {
  const { clients, problems } = readClientStatus(bytes);
  return { clients: clients.map((dump) => validateDump(dump, policiesOf(presetFor(dump, as)))), problems };
}

/** The preset for a client: the requested one, or that of its implementation. */
function presetFor(dump: ClientDump, as: Preset | undefined): Preset {
  return as ?? recognizedClient(dump.node)?.preset ?? DEFAULT_PRESET;
}

/** The preset of all clients in the responses; that of the gRFCs if there are several. */
export function commonPreset(answers: readonly RemoteAnswer[], as: Preset | undefined): Preset {
  const presets = answers.flatMap(({ clients }) => clients.map(({ client }) => client?.preset ?? DEFAULT_PRESET));
  const [first = DEFAULT_PRESET] = presets;
  return as ?? (presets.every((one) => one === first) ? first : DEFAULT_PRESET);
}

/** One sentence for each implementation in each process. */
export function recognizedSentences(answers: readonly RemoteAnswer[]): string[] {
  return answers.flatMap(({ address, clients }) => [
    ...new Set(clients.flatMap(({ client }) => (client === undefined ? [] : `${address}: ${recognizedText(client)}`))),
  ]);
}

/** Follows the targets of all clients in a response. */
export function remoteAnswer(
  address: string,
  received: ReceivedStatus,
  { as, defaultAuthority, now }: AnswerOptions,
  { clients, problems }: ValidatedStatus = validateStatus(received.bytes, as),
): RemoteAnswer {
  const followed = clients.map((validated) => {
    const preset = presetFor(validated.dump, as);
    const policies = policiesOf(preset);
    const snapshot = followDump(validated, { policies, now, defaultAuthority, resolutions: received.resolutions });
    const recognized = recognizedClient(validated.dump.node);
    const client = recognized && { ...recognized, preset, exact: recognized.exact && preset === recognized.preset };
    return { client, validated, snapshot, verdicts: remoteVerdicts(validated, snapshot, now) };
  });
  return { address, clients: followed, problems, isDead: clients.length === 0 && problems.length > 0, received };
}

/** The targets of each client that a process has. */
export function remoteTargets({ address, clients }: RemoteAnswer): TargetResult[][] {
  return clients.map(({ client, validated: result, snapshot, verdicts }) =>
    targetResults(snapshot, result.dump.node?.id, verdicts).map((target) => ({
      address,
      ...(client && { client }),
      ...target,
    })),
  );
}

/** Computes one verdict per target. CSDS has no events, so causes are less specific than those of a live client. */
export function remoteVerdicts({ dump }: ValidatedDump, snapshot: FollowedDump, now: number): TargetVerdict[] {
  const { scope, unfollowed } = snapshot;
  return [
    // The remote process is a running client itself, so there is no other client to compare it with.
    ...verdictsOf([snapshot], { facts: new VerdictFacts(), nodeId: dump.node?.id, now }).map((one) => ({
      ...one,
      clients: null,
    })),
    ...unfollowed.map(({ target }) => ({ scope, ...unknownVerdict(target) })),
  ];
}
