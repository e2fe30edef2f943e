import { EXIT } from '../../base/exit-codes.js';
import type { ProcessAddress } from '../../csds/process-address.js';

/** What a side of a comparison is, as the user named it. */
export type Side = { typed: string } & (
  | { kind: 'target'; target: string }
  | { kind: 'csds'; address: ProcessAddress }
  | { kind: 'folder'; path: string }
  /** A recording, resources, a saved document or a dump of Envoy. `at` is a time in a recording. `-` is stdin. */
  | { kind: 'file'; path: string; at: string | undefined; isEnvoy: boolean }
  | { kind: 'url'; url: string }
);

/** Why a word is not a side. */
export interface SideProblem {
  kind: 'problem';
  exitCode: typeof EXIT.usage | typeof EXIT.badInput;
  message: string;
}

export function misused(message: string): SideProblem {
  return { kind: 'problem', exitCode: EXIT.usage, message };
}

export function missing(message: string): SideProblem {
  return { kind: 'problem', exitCode: EXIT.badInput, message };
}

/** Access to the file system. */
export interface Paths {
  kindOf(path: string): 'file' | 'folder' | undefined;
  /** The names in a folder; those of folders end in a slash. Empty if it cannot be read. */
  namesIn(folder: string): readonly string[];
}
