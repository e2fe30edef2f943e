import type { Implementation, Note } from '../../src/peers/note.js';
import { notesOn } from '../../src/peers/notes.js';
import type { RecordedCase } from '../../tools/oracle/recorded-case.js';
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

/** The notes for all implementations; found once per case, since each implementation decided about the same cases. */
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
