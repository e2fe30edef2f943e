import type { ExitCode } from '../base/exit-codes.js';
import type { Clock, Dns, Transport } from '../engine/ports.js';
import type { Keyboard } from './keyboard.js';
import type { PortForward } from './kube/port-forward.js';
import type { Output } from './output.js';

/** All inputs and outputs of a command. Tests pass their own. */
export interface CliEnvironment {
  stdout: Output;
  /** For messages, as opposed to data. */
  stderr: Output;
  /** Reads stdin to its end. Throws an error if it has more bytes. */
  readStdin(maxBytes: number): Promise<Uint8Array>;
  /** Undefined if stdin is not a terminal. */
  keyboard?: Keyboard | undefined;
  variables: Record<string, string | undefined>;
  clock: Clock;
  /** Replaces sockets and the system resolver in tests. */
  network?: { transport: Transport; dns: Dns };
  /** Replaces gRPC's resource timer of 15 s in the demo. */
  resourceTimerMs?: number;
  /** The folder of the installed package, which contains the built-in scenarios. */
  packageRoot: string;
  version: string;
  /** The program name in suggested commands. */
  program: string;
  /** Calls back on Ctrl-C or a termination signal. Returns a function that removes the callback. */
  onInterrupt(stop: () => void): () => void;
  /** The exit code of the process for that of the command: after an interrupt it depends on the signal. */
  codeOf?(code: ExitCode): number;
  /** Calls back when the process ends for any reason. Returns a function that removes the callback. */
  atExit(restore: () => void): () => void;
  /** The port-forwards of this process, by server: its clients share them. */
  portForwards?: Map<string, Promise<PortForward>>;
  /** Delays the end of the process until a last task has settled. */
  holdEnd?(task: Promise<void>): void;
  /** Calls back before Ctrl-Z stops the process, and when it continues. Returns a function that removes the callbacks. */
  onSuspend?(screen: { leave(): void; resume(): void }): () => void;
}
