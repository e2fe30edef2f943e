import { SLICE_BYTES, type Slices } from '../base/slices.js';
import type { Effect } from '../core/effect.js';
import type { Event } from '../core/event.js';
import type { Input, StreamId } from '../core/input.js';
import type { Machine } from '../core/machine.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { ProtocolLint } from '../findings/protocol-lint.js';
import { InputRoutes } from './input-routes.js';

/** The owner of a stream, which can decode and validate its messages in slices. */
interface MessageOwner {
  prepare(stream: StreamId, bytes: Uint8Array): Slices<void> | undefined;
}

/** A machine that routes inputs to the owners of streams and channels, and runs the protocol lint on its effects. */
export abstract class LintedMachine<Owner extends MessageOwner> implements Machine<Input, Effect> {
  protected readonly routes = new InputRoutes<Owner>();
  readonly #lint = new ProtocolLint();

  handle(input: Input, now: number): Effect[] {
    const effects = this.step(input, now);
    this.routes.observe(effects);
    this.#lint.observeStep(effects, now);
    return effects;
  }

  prepare(input: Input): Slices<void> | undefined {
    if (input.kind !== 'message' || input.bytes.length <= SLICE_BYTES) return undefined;
    return this.routes.ownerOf(input)?.prepare(input.stream, input.bytes);
  }

  protected abstract step(input: Input, now: number): Effect[];

  /** The protocol errors of the control planes. */
  findings(): ProtocolFinding[] {
    return this.#lint.findings;
  }

  /** Whether a storm is ongoing whose rate is not known yet. */
  get hasUnknownRate(): boolean {
    return this.#lint.hasUnknownRate;
  }

  /** Whether a finding already counts this event as one of many repetitions. */
  isRepeated(event: Event): boolean {
    return this.#lint.isRepeated(event);
  }

  nextDeadline(): number | undefined {
    return this.#lint.nextDeadline();
  }
}
