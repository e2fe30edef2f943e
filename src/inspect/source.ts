import type { Bootstrap } from '../bootstrap/bootstrap.js';
import type { Dial } from '../bootstrap/dial.js';
import type { Input } from '../core/input.js';
import type { ClientEnvironment } from '../engine/options.js';
import type { Clock, Dns, Transport } from '../engine/ports.js';
import type { WhatIfChanges } from '../engine/recording/engine-setup.js';
import type { FileEnd } from '../engine/recording/file-end.js';
import type { RecordingHeader } from '../engine/recording/header.js';

export type Follow = Extract<Input, { kind: 'follow' }>;

/** A bootstrap as it was read. */
export interface BootstrapText {
  bytes: Uint8Array;
  /** The path of the file; undefined for the text of an environment variable. */
  file: string | undefined;
  /** Whether the command line names it; otherwise an environment variable does. */
  isNamed: boolean;
}

/** The client that connects: the bootstrap of a gRPC program, and the environment that its behaviour depends on. */
export interface ClientSetup {
  bootstrap: Bootstrap;
  /** Where the bootstrap came from. */
  origin: string;
  /** Undefined if flags replace the bootstrap. */
  text?: BootstrapText;
  /** How to connect to the server that flags name instead of a bootstrap. */
  dial?: Dial;
  environment: ClientEnvironment;
}

export interface Ports {
  clock: Clock;
  transport: Transport;
  dns: Dns;
}

/** A control plane, over real or simulated connections. A fallback drill uses a transport that blocks servers. */
export interface LiveSource {
  kind: 'live';
  client: ClientSetup;
  ports: Ports;
  /** The initial subscriptions of the client: targets to follow, or single resources. */
  inputs: readonly Input[];
  /** Receives every input with its time, before the engine processes it. */
  recorder?: Recorder | undefined;
}

export interface Recorder {
  record(input: Input, at: number): void;
  close(): void;
}

/** A recorded session. */
export interface RecordingSource {
  kind: 'recording';
  file: RecordingFile;
  header: RecordingHeader;
  /** The replay stops at this time. */
  until: number | undefined;
  /** Differences between the what-if client and the recorded one. */
  changes: WhatIfChanges;
  /** Receives a sentence that describes damage to the file. */
  onRemark(sentence: string): void;
}

/**
 * Returns whether the reader needs the next line, or a function that does. The function runs when the line itself is
 * garbage: a line may have 400 MB, and handling it needs memory, too.
 */
export type OnLine = (line: string, number: number) => boolean | (() => boolean);

/** Access to a recording file. */
export interface RecordingFile {
  path: string;
  /** Calls `onLine` with each line until it returns false. */
  readLines(onLine: OnLine): Promise<FileEnd>;
  decodeBase64(text: string): Uint8Array | undefined;
}
