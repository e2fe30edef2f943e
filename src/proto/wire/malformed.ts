/** Thrown by the readers if bytes cannot be decoded. `decode` converts it to a return value. */
export class Malformed extends Error {
  readonly reason: string;
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`${reason} at byte ${offset}`);
    this.reason = reason;
    this.offset = offset;
  }
}
