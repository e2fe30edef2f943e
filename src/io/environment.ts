import type { Readable } from 'node:stream';
import type { ExitCode } from '../base/exit-codes.js';
import type { Clock, Dns, Transport } from '../engine/ports.js';
import type { Keyboard } from './keyboard.js';
import type { PortForward } from './kube/port-forward.js';
import type { Output } from './output.js';
import type { PackageFiles } from './package-files.js';

/** All inputs and outputs of a command. Tests pass their own. */
export interface CliEnvironment {
  stdout: Output;
  /** For messages, as opposed to data. */
  stderr: Output;
  /** Gets the JSON form of every printed document, in addition to its form on stdout. */
  documents?: Output;
  /** Reads stdin to its end. Throws an error if it has more bytes. */
  readStdin(maxBytes: number): Promise<Uint8Array>;
  /** stdin as a stream, for a protocol. */
  openStdin?(): Readable;
  /** Gets what the command waits for, without text from a control plane. */
  onProgress?(text: string): void;
  /** Flags, contexts and variables name all servers: neither an argument nor an input file may name another one. */
  onlyGivenServers?: true;
  /** Undefined if stdin is not a terminal. */
  keyboard?(): Keyboard | undefined;
  variables: Record<string, string | undefined>;
  clock: Clock;
  /** Replaces sockets and the system resolver in tests. */
  network?: { transport: Transport; dns: Dns };
  /** Replaces gRPC's resource timer of 15 s in the demo. */
  resourceTimerMs?: number;
  packageFiles: PackageFiles;
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
