/** The bytes of a recording: a file, or a member of an archive. */
export interface RecordingBytes {
  isCompressed: boolean;
  /** Reads them from the start. */
  read(): AsyncIterable<Buffer>;
}

export function isGzip(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}
