import { statusTexts } from '../core/status-texts/index.js';
import type { StatusTexts, TargetFailure } from '../core/status-texts/status-texts.js';
import type { ConfigState } from './config.js';
import type { ManagerOptions } from './manager-options.js';

/** The states of a target that has an error instead of a configuration. */
export class TargetErrors {
  readonly #options: ManagerOptions;
  readonly #texts: StatusTexts;
  #hasPublished = false;

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#texts = statusTexts(options.policies.statusTexts);
  }

  onState({ kind }: ConfigState): void {
    this.#hasPublished ||= kind === 'published';
  }

  /** The state that replaces `before`. */
  stateOf(failure: TargetFailure, before: ConfigState): ConfigState {
    const { target, nodeId, policies } = this.#options;
    const previous = before.kind === 'error' ? this.#texts.previousError(target, before.message) : undefined;
    const isQueued = policies.queueUntilFirstConfig && !this.#hasPublished;
    return {
      kind: 'error',
      message: this.#texts.targetError(failure, nodeId),
      statusTexts: policies.statusTexts,
      ...(previous !== undefined && { previous }),
      ...(isQueued && { isQueued }),
    };
  }
}
