/** An input file cannot be used; the message says which and why. Caught where commands end, with exit code 65. */
export class InputProblem extends Error {}
