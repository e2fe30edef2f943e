import type { Plane, PlaneState } from './plane.ts';
import type { ProcessMeter } from './process-meter.ts';

const STEP_MS = 25;
/** Less than this share of a core counts as nothing. */
const IDLE_SHARE = 0.01;

export interface Quiet {
  state: PlaneState;
  cpuMs: number;
}

/**
 * Waits until a client has acknowledged everything and works no more: what comes of the last response is counted, also
 * where it is acknowledged first. Nothing may have happened for as long as `windowMs`.
 */
export async function quiet(plane: Plane, client: ProcessMeter, windowMs: number, patienceMs: number): Promise<Quiet> {
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
    if (now > endAt) throw new Error(`not settled after ${patienceMs} ms: ${JSON.stringify(state)}`);
  }
}
