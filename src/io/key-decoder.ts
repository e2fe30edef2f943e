import type { Key } from '../base/key.js';

/** What terminals send for keys without a character, in both of the modes that they know. */
const SEQUENCES: Record<string, Exclude<Key['kind'], 'character'>> = {
  '[A': 'up',
  OA: 'up',
  '[B': 'down',
  OB: 'down',
  '[5~': 'page-up',
  '[6~': 'page-down',
  '[H': 'home',
  OH: 'home',
  '[1~': 'home',
  '[F': 'end',
  OF: 'end',
  '[4~': 'end',
};
const ESCAPE = '\x1b';
/** A sequence from its start; unfinished while no letter or `~` has come. */
const WHOLE = /^(?:\[[\d;?]*[A-Za-z~]|O[A-Za-z])/;
const UNFINISHED = /^(?:\[[\d;?]*|O)?$/;
const CONTROL = /^\p{Cc}$/u;

/** Turns what a terminal sends into keys. A sequence may arrive in several reads. */
export class KeyDecoder {
  #rest = '';

  /** The keys that are complete. */
  read(text: string): Key[] {
    let left = this.#rest + text;
    const keys: Key[] = [];
    this.#rest = '';
    while (left !== '') {
      if (left[0] === ESCAPE) {
        const after = left.slice(1);
        if (UNFINISHED.test(after)) {
          this.#rest = left;
          break;
        }
        const sequence = WHOLE.exec(after)?.[0];
        const kind = sequence === undefined ? 'escape' : SEQUENCES[sequence];
        if (kind !== undefined) keys.push({ kind });
        left = after.slice(sequence?.length ?? 0);
      } else {
        const character = String.fromCodePoint(left.codePointAt(0) as number);
        const key = keyOf(character);
        if (key !== undefined) keys.push(key);
        left = left.slice(character.length);
      }
    }
    return keys;
  }

  /** Whether more has to come, or be known not to come. */
  get isWaiting(): boolean {
    return this.#rest !== '';
  }

  /** Nothing followed: it was the Escape key. */
  flush(): Key[] {
    const keys: Key[] = this.#rest === '' ? [] : [{ kind: 'escape' }];
    this.#rest = '';
    return keys;
  }
}

function keyOf(character: string): Key | undefined {
  if (character === '\r' || character === '\n') return { kind: 'enter' };
  if (character === '\x7f' || character === '\b') return { kind: 'backspace' };
  return CONTROL.test(character) ? undefined : { kind: 'character', text: character };
}
