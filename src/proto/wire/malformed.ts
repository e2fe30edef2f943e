/** Thrown inside the readers when bytes are no valid message; `decode` turns it into a value. */
export class Malformed extends Error {
  readonly reason: string;
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`${reason} at byte ${offset}`);
    this.reason = reason;
    this.offset = offset;
  }
}
