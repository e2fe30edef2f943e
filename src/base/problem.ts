import { isSecretName, REDACTED } from './secret-name.js';

/** A step into a document: a key of a mapping or an index of a list. */
export type PathStep = string | number;

/** A problem in an input, with its path. The message says what to do if that is known. */
export interface Problem {
  path: readonly PathStep[];
  message: string;
}

/** Collects every problem of an input instead of stopping at the first. */
export class Problems {
  readonly list: Problem[] = [];
  readonly #path: PathStep[] = [];

  /** Returns undefined, so that a reader can return the result of this call. */
  add(message: string): undefined {
    this.addAt([], message);
  }

  /** Adds a problem at a path below the current one. */
  addAt(path: readonly PathStep[], message: string): undefined {
    const whole = this.pathTo(path);
    const isSecret = whole.some((step) => typeof step === 'string' && isSecretName(step));
    this.list.push({ path: whole, message: isSecret ? withoutGot(message) : message });
  }

  /** Returns the whole path to a part below the current one. */
  pathTo(path: readonly PathStep[]): PathStep[] {
    return [...this.#path, ...path];
  }

  /** Runs `inside`, and adds its problems below `step`. */
  at<T>(step: PathStep, inside: () => T): T {
    this.#path.push(step);
    try {
      return inside();
    } finally {
      this.#path.pop();
    }
  }

  /** Like `at`, with several steps. */
  below<T>(path: readonly PathStep[], inside: () => T): T {
    const [step, ...rest] = path;
    return step === undefined ? inside() : this.at(step, () => this.below(rest, inside));
  }

  get any(): boolean {
    return this.list.length > 0;
  }
}

/** A message may repeat the value that it rejects. */
function withoutGot(message: string): string {
  return message.replace(/(?<=\bgot )"(?:[^"\\]|\\.)*"?|(?<=\bgot )-?\d\S*/gs, REDACTED);
}

/** `servers.primary.on[2].send` */
export function formatPath(path: readonly PathStep[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w$@-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
