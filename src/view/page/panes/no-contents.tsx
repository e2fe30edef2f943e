import type { JSX } from 'preact';
import { sentenceOf } from '../load.js';
import { contentsProblem } from '../store.js';
import { shortLine } from '../text.js';

/** Shown while contents are loaded, or why they cannot be. */
export function NoContents(): JSX.Element {
  const problem = contentsProblem.value;
  return <p class="empty">{problem === undefined ? 'Loading the contents …' : shortLine(sentenceOf(problem))}</p>;
}
