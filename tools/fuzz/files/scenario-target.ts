import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engine } from '../../../src/engine/engine.js';
import { Session } from '../../../src/engine/session.js';
import { ControlPlane } from '../../../src/scenario/control-plane.js';
import { MemoryNetwork, memoryUri } from '../../../src/scenario/memory-network.js';
import { readScenario } from '../../../src/scenario/read-scenario.js';
import type { Scenario } from '../../../src/scenario/scenario.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';
import { controlPlaneLine } from '../../../src/view/control-plane-line.js';
import { eventLine } from '../../../src/view/event-line.js';
import { problemText } from '../../../src/view/problem-text.js';
import type { Dice } from '../../oracle/mutation/dice.js';
import { checkOutput } from '../outputs.js';
import type { FuzzTarget } from '../target.js';
import { fileTarget } from './file-target.js';
import { changedDocument, FIXTURES, filesBelow } from './seed-files.js';

/** A control plane that responds to every ACK never comes to rest, so the simulation ends after this many alarms. */
const MAX_ALARMS = 3000;
const RUN_MS = 120_000;

class BoundedClock extends VirtualClock {
  #left = MAX_ALARMS;

  override wakeAt(at: number, wake: () => void): () => void {
    return this.#left-- > 0 ? super.wakeAt(at, wake) : () => {};
  }
}

/** Scenarios of `serve` and `demo`: read them, and run them against a client in memory. */
export function scenarioTarget(): FuzzTarget {
  let seeds: Buffer[] | undefined;
  return fileTarget({
    name: 'scenarios',
    description: 'scenario files, and a client that connects to the scripted control plane',
    share: 1,
    extension: '.yaml',
    generate: (dice: Dice) => {
      seeds ??= filesBelow('scenarios', /^[^/\\]+[/\\][^/\\]+\.yaml$/);
      return changedDocument(dice.pick(seeds), dice);
    },
    checkOf: () => (_path, bytes) => checkScenario(bytes),
  });
}

function checkScenario(bytes: Uint8Array): void {
  const result = readScenario(Buffer.from(bytes).toString(), (name) => {
    // Scenarios refer to files next to them.
    try {
      return { text: readFileSync(join(FIXTURES, 'scenarios/findings', name), 'utf8') };
    } catch {
      return { failure: 'no such file' };
    }
  });
  const source = 'scenario';
  if (result.ok) checkOutput({ text: linesOf(result.scenario), format: undefined, source }, 100 * bytes.length);
  else {
    const text = result.problems.map((problem) => problemText('s.yaml', problem)).join('\n');
    checkOutput({ text, format: undefined, source }, bytes.length);
  }
}

/** Runs the scenario, and returns the lines that `watch` and `serve` print. */
function linesOf(scenario: Scenario): string {
  const lines: string[] = [];
  const clock = new BoundedClock(0);
  const network = new MemoryNetwork(scenario, new ControlPlane(scenario), clock, (event) =>
    lines.push(controlPlaneLine(event).text),
  );
  const engine = new Engine({
    servers: scenario.servers.map(({ name }) => ({ uri: memoryUri(name), creds: { type: 'insecure' }, callCreds: [] })),
    node: { id: scenario.nodeId, userAgentName: 'fuzz', userAgentVersion: '0' },
    seed: 1,
  });
  const session = new Session(engine, {
    clock,
    transport: network,
    dns: { resolve: async () => ({ failure: 'no DNS' }) },
    log: { append: (event) => lines.push(eventLine(event).text) },
  });
  for (const listener of ['greeter', 'a']) {
    session.dispatch({ kind: 'follow', scope: listener, target: listener, listener, authority: listener });
  }
  clock.advanceBy(RUN_MS);
  session.close();
  return lines.join('\n');
}
