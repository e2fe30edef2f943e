import { describe, expect, it } from 'vitest';
import { OtlpPush } from '../../../src/io/metrics/otlp-push.js';
import { VirtualClock } from '../../../src/scenario/virtual-clock.js';

const INTERVAL_MS = 60_000;

interface Sent {
  at: number;
  signal: AbortSignal;
  respond(): void;
  fail(error: Error): void;
}

function pushing({ timeoutMs = 10_000 } = {}) {
  const clock = new VirtualClock();
  const sent: Sent[] = [];
  const failures: string[] = [];
  const push = new OtlpPush({
    clock,
    intervalMs: INTERVAL_MS,
    timeoutMs,
    next: () => ({ message: new Uint8Array(1), onReceived: () => {} }),
    send: (_message, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        sent.push({ at: clock.now(), signal, respond: () => resolve(new Uint8Array(0)), fail: reject });
      }),
    onFailure: (reason) => failures.push(reason),
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advanceBy(ms);
    await settle();
  };
  return { push, sent, failures, pass, times: () => sent.map(({ at }) => at) };
}

/** Lets promises settle. */
const settle = (): Promise<void> => new Promise(setImmediate);

describe('exports over OTLP', () => {
  it('are sent at each interval, and once at the end', async () => {
    const { push, sent, pass, times } = pushing();
    for (let i = 0; i < 3; i++) {
      await pass(INTERVAL_MS);
      sent.at(-1)?.respond();
      await settle();
    }
    await pass(1000);
    const finished = push.finish();
    expect(times()).toEqual([60_000, 120_000, 180_000, 181_000]);
    sent.at(-1)?.respond();
    await finished;
    await pass(10 * INTERVAL_MS);
    expect(sent).toHaveLength(4);
  });

  it('wait for the previous one', async () => {
    const { sent, pass } = pushing({ timeoutMs: 10 * INTERVAL_MS });
    await pass(INTERVAL_MS);
    await pass(5 * INTERVAL_MS);
    expect(sent).toHaveLength(1);
    sent[0]?.respond();
    await settle();
    await pass(INTERVAL_MS);
    expect(sent).toHaveLength(2);
  });

  it('are not repeated after a failure', async () => {
    const { sent, failures, pass } = pushing();
    await pass(INTERVAL_MS);
    sent[0]?.fail(new AggregateError([new Error('connect ECONNREFUSED')]));
    await settle();
    expect(failures).toEqual(['connect ECONNREFUSED']);
    await pass(INTERVAL_MS - 1);
    expect(sent).toHaveLength(1);
  });

  it('end with the timeout', async () => {
    const { sent, failures, pass } = pushing();
    await pass(INTERVAL_MS);
    await pass(10_000);
    expect(sent[0]?.signal.aborted).toBe(true);
    expect(failures).toEqual(['no response within 10.0 s']);
  });

  it('delay the end of the command by two seconds at most', async () => {
    const { push, sent, failures, pass } = pushing();
    await pass(INTERVAL_MS);
    let isFinished = false;
    const finished = push.finish().then(() => {
      isFinished = true;
    });
    // The last export replaces the one that waits for a response.
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await pass(1999);
    expect(isFinished).toBe(false);
    await pass(1);
    await finished;
    expect(failures).toEqual(['no response within 2.0 s']);
  });
});
