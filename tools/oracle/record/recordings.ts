import type { Command } from '../../peers/peers.js';
import type { BootstrapRecording } from '../conformance/bootstraps.js';
import type { ClientRecording } from '../conformance/client/recording.js';
import type { NameRecording } from '../conformance/names.js';
import type { ResourceRecording } from '../conformance/resources.js';
import type { RouteRecording } from '../conformance/routes.js';
import { recordBootstraps } from './bootstraps.js';
import { recordClients } from './clients.js';
import { recordNames } from './names.js';
import { recordResources } from './resources.js';
import { recordRoutes } from './routes.js';

interface RecordingEnvironment {
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
  record(recording: never, surroundings: RecordingEnvironment): Promise<object>;
}

function kind<T extends object>(
  name: string,
  fixture: string,
  record: (recording: T, surroundings: RecordingEnvironment) => Promise<T>,
): KindOfRecording {
  return { name, fixture, record };
}

const clients = (recording: ClientRecording, { command, ...rest }: RecordingEnvironment): Promise<ClientRecording> =>
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
