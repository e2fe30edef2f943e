import type { Preset } from '../../../../src/bootstrap/preset-names.js';
import { explainView } from '../../../../src/inspect/explain/explain.js';
import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import { type Connected, connect } from '../../../../src/io/connect.js';
import { eventually } from '../eventually.js';
import { DEADLINE_S } from './caller.js';
import type { RandomCall } from './random-matchers.js';
import type { RandomTarget } from './random-targets.js';

/** The library on some of the targets. Unlike `explain`, it knows the dead ports and follows updates. */
export class Follower {
  readonly #client: Connected;
  readonly #nodeId: string | undefined;
  readonly #call: RandomCall;
  readonly #dead: readonly number[];

  constructor(
    preset: Preset,
    bootstrap: string,
    targets: readonly RandomTarget[],
    call: RandomCall,
    dead: readonly number[],
  ) {
    this.#client = connect(bootstrap, { as: preset, variables: {} });
    this.#nodeId = JSON.parse(bootstrap).node?.id;
    this.#call = call;
    this.#dead = dead;
    for (const { name } of targets) this.#client.follow(name);
  }

  async settled(): Promise<void> {
    await eventually(
      () => this.#channels(),
      (all) => all.every(({ channel }) => channel.state.kind !== 'none'),
      'all targets are resolved',
    );
  }

  explain(): ExplainView[] {
    const { method: path, metadata } = this.#call;
    return this.#channels().map(({ scope, channel }) =>
      explainView(scope, channel, {
        call: { path, metadata },
        deadlineMs: DEADLINE_S * 1000,
        rules: 'today',
        nodeId: this.#nodeId,
        random: () => 0,
        isReachable: ({ port }) => !this.#dead.includes(port),
      }),
    );
  }

  close(): void {
    this.#client.close();
  }

  #channels() {
    return this.#client.snapshot().flatMap((scope) => scope.channels.map((channel) => ({ scope, channel })));
  }
}
