import type { Plane, PlaneState } from './plane.ts';
import type { ProcessMeter } from './process-meter.ts';

const STEP_MS = 25;
/** A process that uses less than this share of a core is idle. */
const IDLE_SHARE = 0.01;

export interface IdleState {
  state: PlaneState;
  cpuMs: number;
}

/**
 * Waits until a client has acknowledged every response and is idle for `windowMs`. So the work after the last response
 * counts even if the client sends the ACK first.
 */
export async function waitUntilIdle(
  plane: Plane,
  client: ProcessMeter,
  windowMs: number,
  patienceMs: number,
): Promise<IdleState> {
  const endAt = performance.now() + patienceMs;
  let since = performance.now();
  let before = client.cpuMs();
  let requests = -1;
  for (;;) {
    await new Promise((wake) => setTimeout(wake, STEP_MS));
    const now = performance.now();
    const [state, cpuMs] = [await plane.state(), client.cpuMs()];
    const isBusy = cpuMs - before > IDLE_SHARE * windowMs;
    if (!state.isDone || isBusy || state.requests !== requests) {
      since = now;
      before = cpuMs;
      requests = state.requests;
    } else if (now - since >= windowMs) return { state, cpuMs };
    if (now > endAt) throw new Error(`not idle after ${patienceMs} ms: ${JSON.stringify(state)}`);
  }
}
