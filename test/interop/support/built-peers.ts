import { PeerProcess } from '../../../tools/peers/peer-process.js';
import type { Command, PeerName } from '../../../tools/peers/peers.js';
import { later } from '../../support/serving.js';
import { COMMANDS_VARIABLE } from './variables.js';

/** The command line of a peer that `npm run interop` has built. */
export function commandOf(name: PeerName): Command {
  const commands = JSON.parse(process.env[COMMANDS_VARIABLE] ?? '{}') as Partial<Record<PeerName, Command>>;
  const command = commands[name];
  if (command === undefined) throw new Error(`${name} was not built: run this with npm run interop`);
  return command;
}

/** Starts a peer that `npm run interop` has built; it ends with the test. */
export async function startPeer<Greeting>(
  name: PeerName,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string | undefined> } = {},
): Promise<{ peer: PeerProcess; greeting: Greeting }> {
  const started = await PeerProcess.start<Greeting>([...commandOf(name), ...args], env);
  later(() => started.peer.kill());
  return started;
}
