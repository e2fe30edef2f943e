import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Event } from '../../src/core/event.js';
import { Engine } from '../../src/engine/engine.js';
import type { Dns } from '../../src/engine/ports.js';
import { Session } from '../../src/engine/session.js';
import { ControlPlane } from '../../src/scenario/control-plane.js';
import { sentName } from '../../src/scenario/encode-response.js';
import { MemoryNetwork, memoryUri } from '../../src/scenario/memory-network.js';
import type { PlaneEvent } from '../../src/scenario/plane-io.js';
import { readScenario } from '../../src/scenario/read-scenario.js';
import type { Scenario } from '../../src/scenario/scenario.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';
import { eventLine } from '../../src/view/event-line.js';

export const noDns: Dns = { resolve: async () => ({ failure: 'no DNS in this test' }) };

/** Reads a scenario; throws if it is invalid. */
export function scenarioFrom(text: string, folder = '.'): Scenario {
  const result = readScenario(text, (path) => ({ text: readFileSync(join(folder, path), 'utf8') }));
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 2));
  return result.scenario;
}

export function scenarioFile(path: string): Scenario {
  return scenarioFrom(readFileSync(path, 'utf8'), dirname(path));
}

/** A client and a control plane in memory, on a virtual clock that the test advances. */
export class Simulation {
  readonly clock = new VirtualClock(0);
  readonly events: Event[] = [];
  readonly planeEvents: PlaneEvent[] = [];
  readonly session: Session;
  readonly engine: Engine;
  readonly #watchers = new Map<string, number>();
  #lastWatcher = 0;

  constructor(scenario: Scenario, seed = 1, features: string[] = []) {
    const network = new MemoryNetwork(scenario, new ControlPlane(scenario), this.clock, (e) =>
      this.planeEvents.push(e),
    );
    this.engine = new Engine({
      servers: scenario.servers.map(({ name }) => ({
        uri: memoryUri(name),
        creds: { type: 'insecure' },
        callCreds: [],
        features: new Set(features),
      })),
      node: { id: scenario.nodeId, userAgentName: 'test', userAgentVersion: '0' },
      seed,
    });
    this.session = new Session(this.engine, {
      clock: this.clock,
      transport: network,
      dns: noDns,
      log: { append: (event) => this.events.push(event) },
    });
  }

  watch(typeUrl: string, ...names: string[]): void {
    for (const name of names) {
      const watcher = ++this.#lastWatcher;
      this.#watchers.set(`${typeUrl} ${name}`, watcher);
      this.session.dispatch({ kind: 'watch', scope: 'test', watcher, typeUrl, name });
    }
    this.clock.settle();
  }

  unwatch(typeUrl: string, ...names: string[]): void {
    for (const name of names) {
      const watcher = this.#watchers.get(`${typeUrl} ${name}`) ?? 0;
      this.session.dispatch({ kind: 'unwatch', scope: 'test', watcher });
    }
    this.clock.settle();
  }

  /** The client's events of these kinds as `time text`. */
  lines(kinds: Event['kind'][] = ['request', 'response', 'stream']): string[] {
    return this.events.filter((e) => kinds.includes(e.kind)).map((e) => `${Math.round(e.at)} ${eventLine(e).text}`);
  }
}

/** Type and name of every resource that the scenario's first server ever serves. */
export function everythingServed(scenario: Scenario): { typeUrl: string; name: string }[] {
  const servedTypes = scenario.servers[0]?.servedTypes ?? [];
  return servedTypes.flatMap(({ typeUrl, resources }) => resources.map((r) => ({ typeUrl, name: sentName(r) })));
}
