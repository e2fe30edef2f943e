/** A file that is not read, and the reason. */
export class UnsuitableFile extends Error {}
