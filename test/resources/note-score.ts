import type { Implementation, Note } from '../../src/resources/notes/note.js';
import { notesOn } from '../../src/resources/notes/notes.js';
import { subjectOf } from './notes-subject.js';
import type { RecordedCase } from './recorded.js';

/** A response with one resource, and what is noted on it for all implementations. */
export interface NotedCase {
  id: string;
  isAccepted: boolean;
  notes: Note[];
}

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

/** Notes are about single resources, so cases that are about a response as a whole are left out. */
export function notedCases(cases: readonly RecordedCase[]): NotedCase[] {
  return cases.flatMap((one) => {
    const subject = subjectOf(one);
    if (subject === undefined) return [];
    return [{ id: one.id, isAccepted: one.expect.verdict === 'ACK', notes: notesOn(subject) }];
  });
}

/** How the notes for an implementation compare with what it decided; cases that it did not decide are left out. */
export function scoreNotes(
  implementation: Implementation,
  cases: readonly NotedCase[],
  verdictOf: (id: string) => string | undefined,
): NoteScore {
  const score: NoteScore = { different: [], silent: [], noted: 0, wrong: [] };
  for (const { id, isAccepted, notes } of cases) {
    const verdict = verdictOf(id);
    if (verdict === undefined) continue;
    const own = notes.filter((note) => note.implementation === implementation);
    const isDifferent = isAccepted !== ACCEPTED.has(verdict) || verdict === 'CRASH';
    if (isDifferent) score.different.push(id);
    if (isDifferent && own.length === 0) score.silent.push(`${id}: ${verdict}`);
    if (own.length > 0) score.noted++;
    const wrong = own.filter((note) => !isRight(note, verdict));
    if (wrong.length > 0) score.wrong.push(`${id}: ${wrong.map(({ code }) => code).join(', ')}, but ${verdict}`);
  }
  return score;
}

function isRight({ decides }: Note, verdict: string): boolean {
  if (decides === 'aborts') return verdict === 'CRASH';
  return (decides === 'accepts') === ACCEPTED.has(verdict) && verdict !== 'CRASH';
}
