import type { BootstrapRecording } from '../../../tools/conformance/bootstraps.js';
import type { ClientRecording } from '../../../tools/conformance/client/recording.js';
import type { NameRecording } from '../../../tools/conformance/names.js';
import type { ResourceRecording } from '../../../tools/conformance/resources.js';
import type { RouteRecording } from '../../../tools/conformance/routes.js';
import { recordBootstraps } from '../oracle/record/bootstraps.js';
import { recordClients } from '../oracle/record/clients.js';
import { recordNames } from '../oracle/record/names.js';
import { recordResources } from '../oracle/record/resources.js';
import { recordRoutes } from '../oracle/record/routes.js';
import type { Command } from '../support/peers.js';

export interface Surroundings {
  command: Command;
  /** Scenarios that are played at a time. */
  atOnce: number;
  tell: (line: string) => void;
}

export interface KindOfRecording {
  /** What it is called, and its file in the folder of the new recordings. */
  name: string;
  /** The recording whose inputs are recorded anew, below fixtures. */
  fixture: string;
  record(recording: never, surroundings: Surroundings): Promise<object>;
}

function kind<T extends object>(
  name: string,
  fixture: string,
  record: (recording: T, surroundings: Surroundings) => Promise<T>,
): KindOfRecording {
  return { name, fixture, record };
}

const clients = (recording: ClientRecording, { command, ...rest }: Surroundings): Promise<ClientRecording> =>
  recordClients(recording, command, rest);

/** All that `npm run conformance` reads, short ones first. */
export const RECORDINGS: readonly KindOfRecording[] = [
  kind<ResourceRecording>('resources', 'resources/c-core.json', (one, { command }) => recordResources(one, command)),
  kind<RouteRecording>('routing', 'routing/c-core.json', (one, { command }) => recordRoutes(one, command)),
  kind<NameRecording>('names', 'bootstrap/c-core-names.json', (one, { command }) => recordNames(one, command)),
  kind<BootstrapRecording>('bootstraps', 'bootstrap/c-core.json', (one, { command }) => recordBootstraps(one, command)),
  kind<ClientRecording>('client', 'client/c-core.json', clients),
  kind<ClientRecording>('client-walks', 'client/c-core-walks.json', clients),
];
