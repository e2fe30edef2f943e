import type { Implementation, Note } from '../../src/peers/note.js';
import { notesOn } from '../../src/peers/notes.js';
import type { RecordedCase } from '../../tools/oracle/recorded-case.js';
import { subjectOf } from './notes-subject.js';

export interface NoteScore {
  /** Cases in which the implementation differs from C-core. */
  different: string[];
  /** Different cases without a note. */
  silent: string[];
  /** The number of cases with a note, right or wrong. */
  noted: number;
  wrong: string[];
}

/** HELD: the implementation accepted the resource and waits for another one. */
const ACCEPTED = new Set(['ACK', 'HELD']);

/** Compares the notes on an implementation with its recorded results for single resources. */
export function scoreNotes(
  implementation: Implementation,
  recorded: readonly { one: RecordedCase; verdict: string }[],
): NoteScore {
  const score: NoteScore = { different: [], silent: [], noted: 0, wrong: [] };
  for (const { one, verdict } of recorded) {
    const notes = allNotes(one)?.filter((note) => note.implementation === implementation);
    if (notes === undefined) continue;
    const isDifferent = (one.expect.verdict === 'ACK') !== ACCEPTED.has(verdict) || verdict === 'CRASH';
    if (isDifferent) score.different.push(one.id);
    if (isDifferent && notes.length === 0) score.silent.push(`${one.id}: ${verdict}`);
    if (notes.length > 0) score.noted++;
    const wrong = notes.filter((note) => !isRight(note, verdict));
    if (wrong.length > 0) score.wrong.push(`${one.id}: ${wrong.map(({ code }) => code).join(', ')}, but ${verdict}`);
  }
  return score;
}

const notesByCase = new Map<RecordedCase, Note[] | undefined>();

/**
 * Returns the notes on all implementations. They are computed once per case, because all implementations share the
 * cases.
 */
function allNotes(one: RecordedCase): Note[] | undefined {
  if (!notesByCase.has(one)) {
    const subject = subjectOf(one);
    notesByCase.set(one, subject && notesOn(subject));
  }
  return notesByCase.get(one);
}

function isRight({ decides }: Note, verdict: string): boolean {
  if (decides === 'aborts') return verdict === 'CRASH';
  return (decides === 'accepts') === ACCEPTED.has(verdict) && verdict !== 'CRASH';
}
