import type { Preset } from '../bootstrap/switches.js';
import type { CsdsResponse } from '../csds/csds-client.js';
import { csdsFailure } from '../csds/csds-failure.js';
import type { ScopeSnapshot } from '../engine/scope.js';
import type { ProtocolFinding } from '../findings/finding.js';
import { EventFeed } from './event-feed.js';
import { ProcessPoller, type ProcessSource } from './process-poller.js';
import { type RemoteAnswer, remoteAnswer, validateStatus } from './remote-answer.js';
import type { TargetVerdict } from './verdict/verdict.js';

/** Other processes, read over CSDS: gRPC applications and control planes. */
export interface CsdsSource extends ProcessSource {
  kind: 'csds';
  /** undefined: the preset of each client's own implementation. */
  as: Preset | undefined;
  defaultAuthority: string | undefined;
}

/** Keeps the whole last response of every process. CSDS has no events and no history. */
export class CsdsInspection extends ProcessPoller<RemoteAnswer> {
  readonly events = new EventFeed();
  readonly #source: CsdsSource;

  constructor(source: CsdsSource) {
    super(source);
    this.#source = source;
  }

  snapshot(): ScopeSnapshot[] {
    return this.answers().flatMap(({ clients }) => clients.map(({ snapshot }) => snapshot));
  }

  /** Always empty: CSDS does not show the wire, which protocol findings need. */
  findings(): ProtocolFinding[] {
    return [];
  }

  verdict(): TargetVerdict[] {
    return this.answers().flatMap(({ clients }) => clients.flatMap(({ verdicts }) => verdicts));
  }

  protected async read(address: string, answer: CsdsResponse): Promise<RemoteAnswer> {
    const dead = (problems: string[]): RemoteAnswer => ({ address, clients: [], problems, isDead: true });
    if ('failure' in answer) return dead([csdsFailure(answer.failure, this.#source)]);
    const { as } = this.#source;
    const validated = validateStatus(answer.bytes, as);
    if (validated.clients.length === 0 && validated.problems.length > 0) return dead(validated.problems);
    const received = { bytes: answer.bytes, resolutions: await this.resolveHosts(validated.clients) };
    return remoteAnswer(address, received, { ...this.#source, now: this.now() }, validated);
  }
}
