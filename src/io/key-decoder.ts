import type { Key } from '../base/key.js';

/** The escape sequences of keys without a character, in both cursor key modes. */
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
/** A complete escape sequence ends with a letter or `~`. */
const WHOLE = /^(?:\[[\d;?]*[A-Za-z~]|O[A-Za-z])/;
const UNFINISHED = /^(?:\[[\d;?]*|O)?$/;
const CONTROL = /^\p{Cc}$/u;

/** Decodes terminal input to keys. A sequence may arrive in several reads. */
export class KeyDecoder {
  #rest = '';

  /** Returns the complete keys. */
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

  /** Whether the input ends with an incomplete sequence. */
  get isWaiting(): boolean {
    return this.#rest !== '';
  }

  /** Ends an incomplete sequence: it was the Escape key. */
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
