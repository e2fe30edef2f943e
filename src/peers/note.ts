import type { NoteCode } from './rules/titles.js';

/** Other xDS clients whose verdicts were recorded beside C-core's. */
export type Implementation = 'grpc-go' | 'grpc-java' | 'grpc-js-xds' | 'envoy';

export const IMPLEMENTATIONS: readonly Implementation[] = ['grpc-go', 'grpc-java', 'grpc-js-xds', 'envoy'];

export type Decision = 'rejects' | 'accepts' | 'aborts';

/** Where another implementation decides otherwise than gRPC C-core does. */
export interface Note {
  /** Stable, like the codes of findings: `DL01`. */
  code: NoteCode;
  implementation: Implementation;
  decides: Decision;
  /** With the field names of the .proto files; empty for the resource as a whole. */
  path: string;
  text: string;
}
