interface NameRequest {
  names: readonly string[];
  at: number;
}

/**
 * Messages cross: what arrives now may have been sent before the server had read the last requests. Those that are
 * older than this it has read.
 */
const CROSSING_MS = 2000;
const MAX_REQUESTS = 64;

/** What was asked for of one type on one stream, as far back as an answer may refer to. */
export class RequestedNames {
  /** The latest last. Names that stay the same are the same list, so that keeping them costs nothing. */
  readonly #requests: NameRequest[] = [];
  /** When a request was forgotten that an answer could still refer to. */
  #cutAt = Number.NEGATIVE_INFINITY;
  #isFirstKept = true;

  /** Whether other names are asked for than before. */
  add(names: readonly string[], at: number): boolean {
    const last = this.#requests.at(-1);
    if (last?.names === names) return false;
    this.#requests.push({ names, at });
    this.#drop(at);
    if (this.#requests.length > MAX_REQUESTS) {
      this.#requests.shift();
      this.#isFirstKept = false;
      this.#cutAt = at;
    }
    return last === undefined || !isSame(last.names, names);
  }

  /** The server has read a request with this name, and none that lacks it. */
  wasSurelyRequested(name: string, at: number): boolean {
    this.#drop(at);
    const [oldest] = this.#requests;
    if (oldest === undefined || this.#isUnsure(at)) return false;
    // Whatever comes of a type comes after the first request for it.
    const isRead = this.#isFirstKept || at - oldest.at >= CROSSING_MS;
    return isRead && this.#requests.every(({ names }) => names.includes(name));
  }

  /** The server cannot think that this is wanted. An empty list may be read as asking for all. */
  wasSurelyNotRequested(name: string, at: number): boolean {
    this.#drop(at);
    if (this.#requests.length === 0 || this.#isUnsure(at)) return false;
    return this.#requests.every(({ names }) => names.length > 0 && !names.includes(name));
  }

  #isUnsure(at: number): boolean {
    return at - this.#cutAt <= CROSSING_MS;
  }

  /** A request is forgotten when the one after it has been read. */
  #drop(at: number): void {
    for (let next = this.#requests[1]; next !== undefined && at - next.at > CROSSING_MS; next = this.#requests[1]) {
      this.#requests.shift();
      this.#isFirstKept = false;
    }
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
