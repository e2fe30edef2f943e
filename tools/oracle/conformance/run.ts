import type { Preset } from '../../../src/bootstrap/switches.js';
import { type BootstrapRecording, compareBootstraps } from './bootstraps.js';
import { compareClients } from './client/compare.js';
import type { ClientRecording } from './client/recording.js';
import { Comparison } from './comparison.js';
import { compareNames, type NameRecording } from './names.js';
import { compareResources, type ResourceRecording } from './resources.js';
import { compareRoutes, type RouteRecording } from './routes.js';

type Kind = 'client' | 'resources' | 'bootstraps' | 'names' | 'routes';

/** The kind of a recording, determined by its contents. */
export function kindOf(recording: unknown): Kind | undefined {
  const { scenarios, cases } = (recording ?? {}) as { scenarios?: unknown; cases?: unknown };
  if (Array.isArray(scenarios)) return 'client';
  const first: unknown = Array.isArray(cases) ? cases[0] : undefined;
  if (typeof first !== 'object' || first === null) return undefined;
  if ('response' in first) return 'resources';
  if ('expect' in first) return 'bootstraps';
  const { kind } = first as { kind?: unknown };
  if (kind === 'cluster-name' || kind === 'target') return 'names';
  return kind === 'virtual-host' || kind === 'route' ? 'routes' : undefined;
}

/** Compares the engine with a recording. */
export async function compareRecording(recording: unknown, kind: Kind, preset: Preset): Promise<Comparison> {
  const comparison = new Comparison();
  if (kind === 'client') await compareClients(recording as ClientRecording, comparison, preset);
  else if (kind === 'resources') compareResources(recording as ResourceRecording, comparison);
  else if (kind === 'bootstraps') compareBootstraps(recording as BootstrapRecording, comparison);
  else if (kind === 'names') compareNames(recording as NameRecording, comparison);
  else compareRoutes(recording as RouteRecording, comparison);
  return comparison;
}
