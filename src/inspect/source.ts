import type { Bootstrap } from '../bootstrap/bootstrap.js';
import type { Input } from '../core/input.js';
import type { ClientEnvironment } from '../engine/options.js';
import type { Clock, Dns, Transport } from '../engine/ports.js';
import type { WhatIfChanges } from '../engine/recording/engine-setup.js';
import type { FileEnd } from '../engine/recording/file-end.js';
import type { RecordingHeader } from '../engine/recording/header.js';

export type Follow = Extract<Input, { kind: 'follow' }>;

/** Who connects: a bootstrap as a gRPC program has it, and what else decides how its client behaves. */
export interface ClientSetup {
  bootstrap: Bootstrap;
  /** Where the bootstrap came from. */
  origin: string;
  environment: ClientEnvironment;
}

export interface Ports {
  clock: Clock;
  transport: Transport;
  dns: Dns;
}

/** A control plane, over real connections or simulated ones. A transport that blocks servers makes it a fallback drill. */
export interface LiveSource {
  kind: 'live';
  client: ClientSetup;
  ports: Ports;
  /** What the client subscribes to when it starts: targets to follow, or single resources. */
  inputs: readonly Input[];
  /** Gets every input with its time, before anything comes of it. */
  recorder?: Recorder | undefined;
}

export interface Recorder {
  record(input: Input, at: number): void;
  close(): void;
}

/** A session in a file. */
export interface RecordingSource {
  kind: 'recording';
  file: RecordingFile;
  header: RecordingHeader;
  /** Nothing after this time is played. */
  until: number | undefined;
  /** What if: the client differs from the one that was recorded. */
  changes: WhatIfChanges;
  /** Gets what is wrong with the file, in a sentence. */
  onRemark(sentence: string): void;
}

/** How a recording is read. */
export interface RecordingFile {
  path: string;
  /** Calls back with each line until it returns false. */
  readLines(onLine: (line: string, number: number) => boolean): Promise<FileEnd>;
  decodeBase64(text: string): Uint8Array | undefined;
}
