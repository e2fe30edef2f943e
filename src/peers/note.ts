import type { NoteCode } from './rules/titles.js';

/** The other xDS clients whose validation results were recorded and compared with C-core's. */
export type Implementation = 'grpc-go' | 'grpc-java' | 'grpc-js-xds' | 'envoy';

export const IMPLEMENTATIONS: readonly Implementation[] = ['grpc-go', 'grpc-java', 'grpc-js-xds', 'envoy'];

export type Decision = 'rejects' | 'accepts' | 'aborts';

/** A difference between another implementation and gRPC C-core in the validation of a resource. */
export interface Note {
  /** A stable code, like those of findings: `DL01`. */
  code: NoteCode;
  implementation: Implementation;
  decides: Decision;
  /** The path with the field names of the .proto files; empty for the whole resource. */
  path: string;
  text: string;
}
