/** At most ten updates a second, fewer if one takes long: the page stays usable while thousands of resources change. */
const FASTEST_MS = 100;
const SLOWEST_MS = 2000;
const SHARE = 4;

/** Draws the page again when it has changed, but not too often, and not while nobody can see it. */
export class Updates {
  readonly #update: () => void;
  #isRequested = false;
  #isWaiting = false;
  #waitMs = FASTEST_MS;

  constructor(update: () => void) {
    this.#update = update;
    document.addEventListener('visibilitychange', () => this.#next());
  }

  request(): void {
    this.#isRequested = true;
    this.#next();
  }

  #next(): void {
    if (!this.#isRequested || this.#isWaiting || document.hidden) return;
    this.#isRequested = false;
    this.#isWaiting = true;
    const began = performance.now();
    this.#update();
    // Preact draws before the next frame.
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.#waitMs = Math.min(SLOWEST_MS, Math.max(FASTEST_MS, SHARE * (performance.now() - began)));
        setTimeout(() => {
          this.#isWaiting = false;
          this.#next();
        }, this.#waitMs);
      }),
    );
  }
}
