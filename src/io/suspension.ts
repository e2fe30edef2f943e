/** What a live screen does when the user stops the process (Ctrl-Z), and when it continues. */
interface Suspended {
  leave(): void;
  resume(): void;
}

/** The process continues at once if no shell could continue it later: the operating system then ignores SIGTSTP. */
const CONTINUED_MS = 50;

/** Leaves live screens while the process is stopped. Without a live screen, signals have their default effect. */
export class Suspension {
  readonly #screens = new Set<Suspended>();

  readonly onSuspend = (screen: Suspended): (() => void) => {
    if (this.#screens.size === 0) {
      process.on('SIGTSTP', this.#stop);
      process.on('SIGCONT', this.#continue);
    }
    this.#screens.add(screen);
    return () => {
      this.#screens.delete(screen);
      if (this.#screens.size > 0) return;
      process.off('SIGTSTP', this.#stop);
      process.off('SIGCONT', this.#continue);
    };
  };

  readonly #stop = (): void => {
    for (const { leave } of this.#screens) leave();
    // Without a listener, the signal stops the process.
    process.off('SIGTSTP', this.#stop);
    process.kill(process.pid, 'SIGTSTP');
    setTimeout(this.#continue, CONTINUED_MS);
  };

  readonly #continue = (): void => {
    if (this.#screens.size === 0) return;
    process.off('SIGTSTP', this.#stop).on('SIGTSTP', this.#stop);
    for (const { resume } of this.#screens) resume();
  };
}
