/** An element that differs between two lists, with its index in each list that has it. */
export interface ElementMatch {
  before: number | undefined;
  after: number | undefined;
  /** The order of the list matters, and the element is in another place. It may also have changed. */
  isMoved?: true;
}
