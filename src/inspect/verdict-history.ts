import type { ClientInspection } from './inspection.js';
import type { Condition } from './until.js';
import { byVerdict, type TargetVerdict } from './verdict/verdict.js';

/** A verdict of a target in the past. */
export interface PastVerdict extends Pick<TargetVerdict, 'scope' | 'target' | 'verdict' | 'cause'> {
  /** When the target first had this verdict. */
  at: number;
}

/** The worst verdict of each target since its first verdict. */
export class WorstVerdicts {
  readonly #worst = new Map<string, PastVerdict>();

  /** Ignores the `waiting` with which every target starts. */
  observe(verdicts: readonly Omit<PastVerdict, 'at'>[], at: number): void {
    for (const { scope, target, verdict, cause } of verdicts) {
      const key = `${scope}\n${target}`;
      const known = this.#worst.get(key);
      if (known === undefined && verdict === 'waiting') continue;
      if (known === undefined || byVerdict({ verdict }, known) < 0) {
        this.#worst.set(key, { scope, target, verdict, cause, at });
      }
    }
  }

  /** The worst past verdict, if it is worse than the current one. */
  worseThan({ scope, target, verdict }: Pick<TargetVerdict, 'scope' | 'target' | 'verdict'>): PastVerdict | undefined {
    const worst = this.#worst.get(`${scope}\n${target}`);
    return worst !== undefined && byVerdict(worst, { verdict }) < 0 ? worst : undefined;
  }
}

/** Observes the verdicts whenever a condition is evaluated. */
export function observed(
  inspection: Pick<ClientInspection, 'verdict'>,
  verdicts: WorstVerdicts,
  condition: Condition,
): Condition {
  return (now) => {
    verdicts.observe(inspection.verdict(), now);
    return condition(now);
  };
}
