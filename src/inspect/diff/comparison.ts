import { AlignBudget } from './align.js';
import { Identities } from './identity.js';
import { OTHER } from './schema.js';

/** What all parts of one comparison share. */
export class Comparison {
  readonly identities = new Identities();
  readonly budget = new AlignBudget();

  /** The number of a value without unordered lists. */
  identify(value: unknown): number {
    return this.identities.of(value, OTHER);
  }
}
