import type { ClientInspection } from './inspection.js';
import type { Condition } from './until.js';
import { byVerdict, type TargetVerdict } from './verdict/verdict.js';

/** A verdict that a target had for some time. */
export interface PastVerdict extends Pick<TargetVerdict, 'scope' | 'target' | 'verdict' | 'cause'> {
  /** When it was first seen. */
  at: number;
}

/** The worst verdict of each target since it had its first one. */
export class WorstVerdicts {
  readonly #worst = new Map<string, PastVerdict>();

  /** Every target begins with `waiting`, which is no news. */
  observe(verdicts: readonly TargetVerdict[], at: number): void {
    for (const { scope, target, verdict, cause } of verdicts) {
      const key = `${scope}\n${target}`;
      const known = this.#worst.get(key);
      if (known === undefined && verdict === 'waiting') continue;
      if (known === undefined || byVerdict({ verdict }, known) < 0) {
        this.#worst.set(key, { scope, target, verdict, cause, at });
      }
    }
  }

  /** Undefined if nothing was worse than what there is now. */
  worseThan({ scope, target, verdict }: Pick<TargetVerdict, 'scope' | 'target' | 'verdict'>): PastVerdict | undefined {
    const worst = this.#worst.get(`${scope}\n${target}`);
    return worst !== undefined && byVerdict(worst, { verdict }) < 0 ? worst : undefined;
  }
}

/** Looks at the verdicts whenever a condition is evaluated. */
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
