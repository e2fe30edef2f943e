import { finish } from '../../src/base/slices.ts';
import type { Input } from '../../src/core/input.ts';
import { Engine } from '../../src/engine/engine.ts';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.ts';
import { encodeResponse } from '../../src/scenario/encode-response.ts';
import { LISTENER } from './client/listener.ts';
import { Mesh, type Type } from './client/mesh.ts';
import type { Figure } from './measure.ts';
import type { Amount } from './page/value.ts';

const CLUSTERS = 100_000;
const RUNS = 7;
/** Rounds until V8 has compiled the functions. */
const WARM_UP = 2;
const GOAL_MS = 5;

/** An engine without a network, whose control plane sends all resources of a type in each response. */
class Client {
  readonly #engine = new Engine({
    servers: [{ uri: 'memory', creds: { type: 'insecure' }, callCreds: [] }],
    node: { id: 'bench', userAgentName: 'bench', userAgentVersion: '0' },
    seed: 1,
  });
  readonly #mesh = new Mesh(CLUSTERS);
  #sent = 0;

  start(): void {
    const target = `xds:///${LISTENER}`;
    this.#engine.handle({ kind: 'follow', scope: target, target, listener: LISTENER, authority: LISTENER }, 0);
    this.#engine.handle({ kind: 'connectivity', channel: 1, state: 'ready', reason: '' }, 0);
    for (const type of ['LDS', 'RDS', 'CDS', 'EDS'] as const) this.receive(type);
  }

  /** Reads a response, and returns the CPU time of `handle` after that and the number of configurations that it published. */
  receive(type: Type): { ms: number; published: number } {
    this.#engine.handle({ kind: 'sent', stream: 1 }, this.#sent);
    const typeUrl = RESOURCE_TYPES[type];
    const nonce = String(++this.#sent);
    const resources = this.#mesh
      .all(type)
      .map((value) => ({ resource: { typeUrl, value, name: '' }, wrapper: undefined }));
    const bytes = Buffer.from(encodeResponse({ typeUrl, version: nonce, nonce, resources, errors: [] }));
    const input: Input = { kind: 'message', stream: 1, bytes };
    const slices = this.#engine.prepare(input);
    if (slices !== undefined) finish(slices);
    const begin = process.cpuUsage();
    const effects = this.#engine.handle(input, this.#sent);
    const { user, system } = process.cpuUsage(begin);
    const ms = (user + system) / 1000;
    const events = effects.flatMap((effect) => (effect.kind === 'event' ? [effect.event] : []));
    const isRejected = events.some((event) => event.kind === 'response' && event.refused !== undefined);
    if (isRejected) throw new Error(`the client rejects a response of ${type}`);
    return { ms, published: events.filter(({ kind }) => kind === 'config').length };
  }

  change(): void {
    this.#mesh.change('EDS');
  }
}

const client = new Client();
client.start();
/** With one changed resource, and with none. */
const times: [number[], number[]] = [[], []];
for (let run = 0; run < RUNS + WARM_UP; run++) {
  for (const isChanged of [true, false]) {
    if (isChanged) client.change();
    const { ms, published } = client.receive('EDS');
    if (published !== (isChanged ? 1 : 0)) throw new Error(`${published} configurations were published`);
    if (run >= WARM_UP) times[isChanged ? 0 : 1].push(ms);
  }
}
/** The least of many: a garbage collection in one run costs more than what is measured. */
const [[changed = 0], [unchanged = 0, next = 0]] = times.map((all) => all.sort((a, b) => a - b)) as typeof times;
const ms = (time: number): Amount => ({ unit: 'ms', median: time });
const many = CLUSTERS.toLocaleString('en');
/**
 * An unchanged response costs the same for each resource: storing its version and time. The difference of two equal runs
 * is the noise; a smaller difference cannot be measured.
 */
const own = Math.max(changed - unchanged, next - unchanged);
const figures: Figure[] = [
  {
    what: `own work on one changed load assignment among ${many}, beyond reading the response, or the noise of the measurement if that is larger`,
    value: ms(own),
    ratio: own / GOAL_MS,
    peer: 'the limit',
    peerValue: ms(GOAL_MS),
    goal: 1,
    runs: RUNS,
  },
];
process.stdout.write(JSON.stringify(figures));
