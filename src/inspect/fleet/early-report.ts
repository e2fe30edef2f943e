/** Decides when to report on those that have responded, while others have not. */
export class EarlyReport {
  #quietMs: number;
  #lastAt: number | undefined;
  #hasNews = false;

  /** `quietMs`: how long nothing new may arrive before the report. */
  constructor(quietMs: number) {
    this.#quietMs = quietMs;
  }

  onAnswer(now: number): void {
    this.#lastAt = now;
    this.#hasNews = true;
  }

  /** Returns true once, when it is time. Further reports wait twice as long, so that there are few of them. */
  isDue(now: number): boolean {
    if (!this.#hasNews || this.#lastAt === undefined || now - this.#lastAt < this.#quietMs) return false;
    this.#hasNews = false;
    this.#quietMs *= 2;
    return true;
  }
}
