import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';

/** An input file cannot be used; the message names the file and the reason. */
export class InputProblem extends Failure {
  constructor(message: string) {
    super(EXIT.badInput, message);
  }
}
