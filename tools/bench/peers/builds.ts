import { type Command, PEER_RECIPES, type PeerName, toolchainOf } from '../../peers/peers.ts';
import { toolchains } from '../../peers/toolchains.ts';
import type { Outcome } from '../section.ts';
import { canMeter } from './process-meter.ts';

/** The peers that could be built here, and the reasons why others could not. */
export interface Builds {
  commands: Partial<Record<PeerName, Command>>;
  skipped: string[];
}

/** The outcome of a part whose control plane could not be built. */
export function skipped(builds: Builds): Outcome {
  return { notes: skippedLines(builds), figures: [] };
}

export function skippedLines({ skipped }: Builds): string[] {
  return skipped.length === 0 ? [] : [`Skipped: ${skipped.join('; ')}.`];
}

export async function build(...names: PeerName[]): Promise<Builds> {
  const builds: Builds = { commands: {}, skipped: [] };
  if (!canMeter) return { ...builds, skipped: ['all peers: processes are measured on Linux only'] };
  const here = toolchains();
  for (const name of names) {
    const toolchain = here.find((one) => one.name === toolchainOf(name));
    if (toolchain?.isThere === false) builds.skipped.push(`${name}: ${toolchain.version}`);
    else builds.commands[name] = await PEER_RECIPES[name].prepare();
  }
  return builds;
}
