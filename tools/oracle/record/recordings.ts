import type { Command } from '../../peers/peers.js';
import type { BootstrapRecording } from '../conformance/bootstraps.js';
import type { ClientRecording } from '../conformance/client/recording.js';
import type { NameRecording } from '../conformance/names.js';
import type { ResourceRecording } from '../conformance/resources.js';
import type { RouteRecording } from '../conformance/routes.js';
import { recordBootstraps } from './bootstraps.js';
import { recordClients } from './clients.js';
import { recordNames } from './names.js';
import type { OracleRecipe } from './programs.js';
import { recordResources } from './resources.js';
import { recordRoutes } from './routes.js';

interface RecordingEnvironment {
  command: Command;
  /** The number of scenarios that run in parallel. */
  atOnce: number;
  print: (line: string) => void;
  recipe: OracleRecipe;
}

export interface RecordingKind {
  /** Its name, and its file name in the folder of new recordings. */
  name: string;
  /** The fixture with the inputs, below fixtures. */
  fixture: string;
  record(recording: never, environment: RecordingEnvironment): Promise<object>;
}

function kind<T extends object>(
  name: string,
  fixture: string,
  record: (recording: T, environment: RecordingEnvironment) => Promise<T>,
): RecordingKind {
  return { name, fixture, record };
}

/** All recordings that `npm run conformance` reads, short ones first. */
export const RECORDINGS: readonly RecordingKind[] = [
  kind<ResourceRecording>('resources', 'resources/c-core.json', (one, { command }) => recordResources(one, command)),
  kind<RouteRecording>('routing', 'routing/c-core.json', (one, { command }) => recordRoutes(one, command)),
  kind<NameRecording>('names', 'bootstrap/c-core-names.json', (one, { command }) => recordNames(one, command)),
  kind<BootstrapRecording>('bootstraps', 'bootstrap/c-core.json', (one, { command }) => recordBootstraps(one, command)),
  kind<ClientRecording>('client', 'client/c-core.json', recordClients),
  kind<ClientRecording>('client-walks', 'client/c-core-walks.json', recordClients),
];
