import { describe, expect, it } from 'vitest';
import { openLive } from '../../src/inspect/live.js';
import { settlingText } from '../../src/view/progress-text.js';
import { HALF, live, SERVED } from '../inspect/live-source.js';

/** The progress line after 4 s, with times in seconds. */
function after4s(scenario: string): string {
  const { source, clock } = live(scenario);
  const inspection = openLive(source, {});
  inspection.start();
  clock.advanceTo(4000);
  const { what } = settlingText([inspection], (end) => `${(end - clock.now()) / 1000} s`);
  inspection.close();
  return what;
}

describe('the progress line', () => {
  it.each<[title: string, scenario: string, line: string]>([
    [
      'states that the control plane responded without the listener',
      SERVED.replace('resources: [l]', 'resources: []'),
      'waiting (11 s left): no listener "greeter": memory:p answered version 1 without it · gRPC waits up to 15 s before it fails',
    ],
    [
      'states that the control plane has not responded',
      SERVED.replace('    serves:', '    on: [{ request: LDS, do: [] }]\n    serves:'),
      'waiting (11 s left): memory:p accepted the stream and has not answered for 4 s · gRPC waits up to 15 s before it fails',
    ],
    [
      'names the cluster that the control plane has not sent',
      HALF,
      'waiting (11 s left): cluster blue: memory:p has sent no CDS response for 4 s · gRPC waits up to 15 s before it fails',
    ],
    [
      'counts the known resources before the first request',
      `${SERVED}    state: silent`,
      'waiting: 0 of 1 resource known, not requested yet',
    ],
    [
      'reports that the client is settling when all resources are known',
      SERVED,
      'waiting: 3 of 3 resources known, settling',
    ],
  ])('%s', (_title, scenario, line) => {
    expect(after4s(scenario)).toBe(line);
  });
});
