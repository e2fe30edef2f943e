interface NameRequest {
  names: readonly string[];
  at: number;
}

/**
 * Requests and responses can cross on the wire, so a response may precede the last requests. The server has read the
 * requests that are older than this.
 */
const MAX_TRANSIT_MS = 2000;
const MAX_REQUESTS = 64;

/** The requested names of one type on one stream, for all requests to which a response may still refer. */
export class RequestedNames {
  /** In order of time. Requests with unchanged names share one list, which saves memory. */
  readonly #requests: NameRequest[] = [];
  /** Time at which a request was dropped although a response could still refer to it. */
  #cutAt = Number.NEGATIVE_INFINITY;
  #isFirstKept = true;

  /** Adds a request, and returns whether its names differ from those of the previous one. */
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

  /** Whether the server has read a request, and every request that it may have read contains this name. */
  wasSurelyRequested(name: string, at: number): boolean {
    this.#drop(at);
    const [oldest] = this.#requests;
    if (oldest === undefined || this.#isUncertain(at)) return false;
    // A response of a type always follows the first request for that type.
    const isRead = this.#isFirstKept || at - oldest.at >= MAX_TRANSIT_MS;
    return isRead && this.#requests.every(({ names }) => names.includes(name));
  }

  /** Whether no request that the server may have read contains this name. An empty list may mean a wildcard. */
  wasSurelyNotRequested(name: string, at: number): boolean {
    this.#drop(at);
    if (this.#requests.length === 0 || this.#isUncertain(at)) return false;
    return this.#requests.every(({ names }) => names.length > 0 && !names.includes(name));
  }

  #isUncertain(at: number): boolean {
    return at - this.#cutAt <= MAX_TRANSIT_MS;
  }

  /** Drops a request once the server has read the next one. */
  #drop(at: number): void {
    for (let next = this.#requests[1]; next !== undefined && at - next.at > MAX_TRANSIT_MS; next = this.#requests[1]) {
      this.#requests.shift();
      this.#isFirstKept = false;
    }
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
