import type { Implementation, Note } from '../../src/peers/note.js';
import { notesOn } from '../../src/peers/notes.js';
import type { RecordedCase } from '../resources/recorded.js';
import { subjectOf } from './notes-subject.js';

export interface NoteScore {
  /** What an implementation decided otherwise than C-core. */
  different: string[];
  /** Those of them without a note. */
  silent: string[];
  /** Cases with a note, right or wrong. */
  noted: number;
  wrong: string[];
}

/** HELD: it took the resource and waits for another. */
const ACCEPTED = new Set(['ACK', 'HELD']);

/** How the notes for an implementation compare with what it decided about single resources. */
export function scoreNotes(
  implementation: Implementation,
  decided: readonly { one: RecordedCase; verdict: string }[],
): NoteScore {
  const score: NoteScore = { different: [], silent: [], noted: 0, wrong: [] };
  for (const { one, verdict } of decided) {
    const subject = subjectOf(one);
    if (subject === undefined) continue;
    const notes = notesOn(subject).filter((note) => note.implementation === implementation);
    const isDifferent = (one.expect.verdict === 'ACK') !== ACCEPTED.has(verdict) || verdict === 'CRASH';
    if (isDifferent) score.different.push(one.id);
    if (isDifferent && notes.length === 0) score.silent.push(`${one.id}: ${verdict}`);
    if (notes.length > 0) score.noted++;
    const wrong = notes.filter((note) => !isRight(note, verdict));
    if (wrong.length > 0) score.wrong.push(`${one.id}: ${wrong.map(({ code }) => code).join(', ')}, but ${verdict}`);
  }
  return score;
}

function isRight({ decides }: Note, verdict: string): boolean {
  if (decides === 'aborts') return verdict === 'CRASH';
  return (decides === 'accepts') === ACCEPTED.has(verdict) && verdict !== 'CRASH';
}
