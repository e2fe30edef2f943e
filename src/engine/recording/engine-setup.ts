import type { Bootstrap, SERVER_FEATURES, XdsServer } from '../../bootstrap/bootstrap.js';
import { readRecordedBootstrap } from '../../bootstrap/read-bootstrap.js';
import { type Preset, readSwitches, type Switches } from '../../bootstrap/switches.js';
import { engineOptions } from '../options.js';
import type { RecordingHeader } from './header.js';

type Feature = (typeof SERVER_FEATURES)[number];

/** The changes that a what-if replay applies to the recorded options. */
export interface WhatIfChanges {
  as?: Preset | undefined;
  /** Server features to add to (true) or remove from (false) all servers. */
  features?: ReadonlyMap<Feature, boolean> | undefined;
  resourceTimerMs?: number | undefined;
  tearGraceMs?: number | undefined;
}

type Options = ReturnType<typeof engineOptions>;

/** The options of an engine, and the settings that they are derived from. */
export interface EngineSetup {
  preset: Preset;
  switches: Switches;
  bootstrap: Bootstrap;
  options: Options;
}

/** The setup of the engine of a recording, with changes if given; or the reason why its bootstrap cannot be used. */
export function engineSetup(header: RecordingHeader, changes: WhatIfChanges = {}): EngineSetup | { failure: string } {
  const preset = changes.as ?? header.as;
  const { variables, userAgent, interfaces, seed } = header;
  const switches = readSwitches(variables, preset);
  const read = readRecordedBootstrap(new TextEncoder().encode(JSON.stringify(header.bootstrap)), switches);
  if (!read.ok) return { failure: read.message };
  const bootstrap = withFeatures(read.bootstrap, changes.features ?? new Map(), BY_FLAG.test(header.source));
  const options = engineOptions(bootstrap, {
    preset,
    variables,
    userAgentName: userAgent.name,
    userAgentVersion: userAgent.version,
    interfaces: new Map(Object.entries(interfaces)),
    seed,
    resourceTimerMs: changes.resourceTimerMs,
  });
  const grace = changes.tearGraceMs ?? header.tearGraceMs ?? undefined;
  const withGrace = grace === undefined ? options : { ...options, tearGraceMs: grace };
  return { preset, switches, bootstrap, options: withGrace };
}

/** The source of a session without a bootstrap. */
const BY_FLAG = /^--(?:server|kube) /;

function withFeatures(bootstrap: Bootstrap, features: ReadonlyMap<Feature, boolean>, isByFlag: boolean): Bootstrap {
  const changed = (server: XdsServer): XdsServer => {
    const all = new Set(server.features);
    for (const [name, isOn] of features) {
      if (isOn) all.add(name);
      else all.delete(name);
    }
    return { ...server, features: all, ...(isByFlag && { isByFlag }) };
  };
  const authorities = [...bootstrap.authorities].map(
    ([name, authority]) => [name, { ...authority, servers: authority.servers.map(changed) }] as const,
  );
  return { ...bootstrap, servers: bootstrap.servers.map(changed), authorities: new Map(authorities) };
}
