import type { Clock, Dns, Transport } from '../engine/ports.js';
import type { Keyboard } from './keyboard.js';
import type { Output } from './output.js';

/** Everything a command gets from outside: nothing in it is global, so a test can pass its own. */
export interface CliEnvironment {
  stdout: Output;
  /** For what is said beside the data. */
  stderr: Output;
  /** Everything that is piped in. */
  readStdin(): Promise<Uint8Array>;
  /** Undefined where stdin is no terminal. */
  keyboard?: Keyboard | undefined;
  variables: Record<string, string | undefined>;
  clock: Clock;
  /** In place of sockets and the system's resolver, for tests. */
  network?: { transport: Transport; dns: Dns };
  /** In place of gRPC's resource timers, for the demo: nobody waits 15 s for a lesson. */
  resourceTimerMs?: number;
  /** The folder of the installed package, where its built-in scenarios are. */
  packageRoot: string;
  version: string;
  /** How to call the tool again, for hints. */
  program: string;
  /** Calls back on Ctrl-C or a termination signal; the function returned ends that. */
  onInterrupt(stop: () => void): () => void;
  /** Calls back when the process ends, in whatever way; the function returned ends that. */
  atExit(restore: () => void): () => void;
}
