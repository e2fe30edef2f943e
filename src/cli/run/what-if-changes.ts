import { didYouMean } from '../../base/nearest.js';
import { SERVER_FEATURES } from '../../bootstrap/bootstrap.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { Changes } from '../../engine/recording/setting.js';
import type { Arguments } from '../command.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

type Feature = (typeof SERVER_FEATURES)[number];

/** What `--feature`, `--as` and the timers change; undefined where none is given. */
export function readChanges(args: Arguments): Changes | undefined {
  const typed = (args.feature as string[] | undefined) ?? [];
  const changes: Changes = {
    as: args.as as Preset | undefined,
    features: typed.length === 0 ? undefined : new Map(typed.map(readFeature)),
    resourceTimerMs: args.resourceTimer as number | undefined,
    tearGraceMs: args.tearGrace as number | undefined,
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function readFeature(text: string): [Feature, boolean] {
  const [name = '', value = 'on', ...more] = text.split('=');
  const feature = SERVER_FEATURES.find((one) => one === name);
  if (feature === undefined) {
    const known = SERVER_FEATURES.join(', ');
    throw new Failure(EXIT.usage, `--feature takes ${known}, not "${name}"${didYouMean(name, SERVER_FEATURES)}`);
  }
  if (more.length > 0 || (value !== 'on' && value !== 'off')) {
    throw new Failure(EXIT.usage, `--feature takes ${name} or ${name}=off, not "${text}"`);
  }
  return [feature, value === 'on'];
}

/** The same by name, for a document. */
export function changesText({ as, features, resourceTimerMs, tearGraceMs }: Changes): Record<string, unknown> {
  return {
    as: as ?? null,
    features: Object.fromEntries(features ?? []),
    resourceTimerMs: resourceTimerMs ?? null,
    tearGraceMs: tearGraceMs ?? null,
  };
}
