import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/core/effect.js';
import type { Input } from '../../src/core/input.js';
import type { Machine } from '../../src/core/machine.js';
import type { StreamListener, Transport } from '../../src/engine/ports.js';
import { Session } from '../../src/engine/session.js';
import { VirtualClock } from '../../src/scenario/virtual-clock.js';

const watch: Input = { kind: 'watch', scope: 's', watcher: 1, typeUrl: 'T', name: 'a' };
const ignored = { append: () => {} };

/** A machine with the given reactions, and a log of its inputs with their times. */
function machine(react: (input: Input, now: number) => Effect[], deadline: () => number | undefined = () => undefined) {
  const inputs: string[] = [];
  const made: Machine<Input, Effect> = {
    handle: (input, now) => {
      inputs.push(`${now} ${input.kind}`);
      return react(input, now);
    },
    nextDeadline: deadline,
  };
  return { made, seen: inputs };
}

/** A transport that calls back within the call, to test that the session is not re-entered. */
function eagerTransport(log: string[]): Transport {
  return {
    connect: (_server, onState) => {
      log.push('(connect)');
      onState('ready', '');
      return {
        close: () => log.push('(close)'),
        open: (_method: string, listener: StreamListener) => {
          log.push('(open)');
          return {
            send: () => {
              log.push('(send)');
              listener.onSent();
            },
            read: () => {
              log.push('(read)');
              listener.onMessage(new Uint8Array([1]));
            },
            cancel: () => log.push('(cancel)'),
          };
        },
      };
    },
  };
}

const dns = {
  resolve: async (host: string) => (host === 'bad' ? { failure: 'no such host' } : { addresses: ['127.0.0.1:1'] }),
};

describe('Session', () => {
  it('keeps its timer while every input moves the deadline, and ticks once at the last one', () => {
    const clock = new VirtualClock(0);
    let [deadline, timers] = [0, 0];
    const counting = {
      now: () => clock.now(),
      wakeAt: (at: number, wake: () => void) => {
        timers++;
        return clock.wakeAt(at, wake);
      },
    };
    const { made, seen } = machine(
      ({ kind }, now) => {
        deadline = kind === 'tick' ? Number.POSITIVE_INFINITY : now + 100;
        return [];
      },
      () => (deadline === Number.POSITIVE_INFINITY ? undefined : deadline),
    );
    const session = new Session(made, { clock: counting, transport: eagerTransport([]), dns, log: ignored });
    for (let at = 0; at < 250; at++) {
      clock.advanceBy(1);
      session.dispatch(watch);
    }
    clock.advanceBy(1000);
    expect(seen.filter((line) => line.endsWith('tick'))).toEqual(['350 tick']);
    expect(timers).toBe(4);
  });

  it('moves its timer to an earlier deadline', () => {
    const clock = new VirtualClock(0);
    const deadlines = [100, 50];
    const { made, seen } = machine(
      ({ kind }) => {
        if (kind === 'tick') deadlines.length = 0;
        return [];
      },
      () => deadlines.at(seen.length - 1),
    );
    const session = new Session(made, { clock, transport: eagerTransport([]), dns, log: ignored });
    session.dispatch(watch);
    session.dispatch(watch);
    clock.advanceBy(1000);
    expect(seen).toEqual(['0 watch', '0 watch', '50 tick']);
  });

  it('prepares a large input one slice per turn, and handles inputs that arrive meanwhile after it', () => {
    const clock = new VirtualClock(0);
    const log: string[] = [];
    const { made } = machine(({ kind }) => {
      log.push(kind);
      return [];
    });
    const slices = function* (): Generator<undefined, void, undefined> {
      for (const slice of [1, 2, 3]) {
        log.push(`slice ${slice}`);
        yield;
      }
    };
    const recorded: string[] = [];
    const session = new Session(
      { ...made, prepare: ({ kind }) => (kind === 'message' ? slices() : undefined) },
      { clock, transport: eagerTransport([]), dns, log: ignored, record: ({ kind }) => recorded.push(kind) },
    );
    session.dispatch({ kind: 'message', stream: 1, bytes: new Uint8Array(1) });
    session.dispatch({ kind: 'tick' });
    expect(log).toEqual(['slice 1']);
    clock.settle();
    expect(log).toEqual(['slice 1', 'slice 2', 'slice 3', 'message', 'tick']);
    expect(recorded).toEqual(['message', 'tick']);
    session.close();
  });

  it('handles the inputs after one whose preparation throws', () => {
    const { made, seen } = machine(() => []);
    const prepare = ({ kind }: { kind: string }): undefined => {
      if (kind === 'message') throw new Error('a bug');
    };
    const ports = { clock: new VirtualClock(0), transport: eagerTransport([]), dns, log: ignored };
    const session = new Session({ ...made, prepare }, ports);
    expect(() => session.dispatch({ kind: 'message', stream: 1, bytes: new Uint8Array(1) })).toThrow('a bug');
    session.dispatch({ kind: 'tick' });
    expect(seen).toEqual(['0 tick']);
  });

  it('stops in the middle of a large input when it is closed', () => {
    const clock = new VirtualClock(0);
    let count = 0;
    const slices = function* (): Generator<undefined, void, undefined> {
      for (;;) {
        count++;
        yield;
      }
    };
    const { made, seen } = machine(() => []);
    const session = new Session(
      { ...made, prepare: slices },
      { clock, transport: eagerTransport([]), dns, log: ignored },
    );
    session.dispatch(watch);
    session.close();
    clock.advanceBy(10);
    expect([count, seen]).toEqual([1, []]);
  });

  it('executes all effects of an input before it handles the inputs that they cause', () => {
    const log: string[] = [];
    const { made, seen: inputs } = machine((input) => {
      log.push(input.kind);
      if (input.kind !== 'watch') return [];
      return [
        { kind: 'connect', channel: 1, server: { uri: 'x', creds: { type: 'insecure' }, callCreds: [] } },
        { kind: 'open', stream: 1, channel: 1, method: '/m' },
        { kind: 'send', stream: 1, bytes: new Uint8Array(0) },
        { kind: 'read', stream: 1 },
      ];
    });
    const ports = { clock: new VirtualClock(5), transport: eagerTransport(log), dns, log: ignored };
    new Session(made, ports).dispatch(watch);
    expect(log).toEqual(['watch', '(connect)', '(open)', '(send)', '(read)', 'connectivity', 'sent', 'message']);
    expect(inputs).toEqual(['5 watch', '5 connectivity', '5 sent', '5 message']);
  });

  it('sends a tick at the deadline of the machine, also when the deadline changes', () => {
    const clock = new VirtualClock(0);
    let deadline: number | undefined = 100;
    const { made, seen: inputs } = machine(
      (input, now) => {
        if (input.kind === 'unwatch') deadline = 40;
        if (input.kind === 'tick') deadline = now < 50 ? 70 : undefined;
        return [];
      },
      () => deadline,
    );
    const session = new Session(made, { clock, transport: eagerTransport([]), dns, log: ignored });
    session.dispatch(watch);
    clock.advanceTo(10);
    session.dispatch({ kind: 'unwatch', scope: 's', watcher: 1 });
    clock.advanceTo(1000);
    expect(inputs).toEqual(['0 watch', '10 unwatch', '40 tick', '70 tick']);
  });

  it('passes the result of a DNS query to the machine', async () => {
    const results: unknown[] = [];
    const { made } = machine((input) => {
      if (input.kind === 'resolved') results.push([input.query, input.result]);
      if (input.kind !== 'watch') return [];
      return [
        { kind: 'resolve', query: 7, host: 'good', port: 1 },
        { kind: 'resolve', query: 8, host: 'bad', port: 1 },
      ];
    });
    new Session(made, { clock: new VirtualClock(0), transport: eagerTransport([]), dns, log: ignored }).dispatch(watch);
    await Promise.resolve();
    await Promise.resolve();
    expect(results).toEqual([
      [7, { addresses: ['127.0.0.1:1'] }],
      [8, { failure: 'no such host' }],
    ]);
  });

  it('closes all streams and connections, and then ignores inputs', () => {
    const clock = new VirtualClock(0);
    const log: string[] = [];
    const { made, seen: inputs } = machine(
      (input) =>
        input.kind === 'watch'
          ? [
              { kind: 'connect', channel: 1, server: { uri: 'x', creds: { type: 'insecure' }, callCreds: [] } },
              { kind: 'open', stream: 1, channel: 1, method: '/m' },
            ]
          : [],
      () => 50,
    );
    const session = new Session(made, { clock, transport: eagerTransport(log), dns, log: ignored });
    session.dispatch(watch);
    session.close();
    session.dispatch(watch);
    clock.advanceTo(100);
    expect(log).toEqual(['(connect)', '(open)', '(cancel)', '(close)']);
    expect(inputs).toEqual(['0 watch', '0 connectivity']);
  });
});

describe('Session, with a watcher or resolver of the program', () => {
  const notify = (reading: number): Effect => ({
    kind: 'notify',
    scope: 's',
    watcher: 1,
    update: { kind: 'OnAmbientError', error: undefined },
    reading,
  });

  it('reads the next response after a watcher throws', async () => {
    const rejected: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejected.push(reason);
    process.on('unhandledRejection', onRejection);
    const { made, seen: inputs } = machine((input) => (input.kind === 'tick' ? [notify(7)] : []));
    const session = new Session(made, { clock: new VirtualClock(), transport: eagerTransport([]), dns, log: ignored });
    const fail = (): never => {
      throw new Error('mine');
    };
    session.watch('s', 'T', 'a', { onResourceChanged: fail, onAmbientError: fail });
    session.dispatch({ kind: 'tick' });
    await new Promise((next) => setTimeout(next, 5));
    process.off('unhandledRejection', onRejection);
    expect(inputs).toEqual(['0 watch', '0 tick', '0 done']);
    expect(rejected).toEqual([new Error('mine')]);
  });

  it('executes no further effects after a watcher closes it', () => {
    const log: string[] = [];
    const server = { uri: 'x', creds: { type: 'insecure' as const }, callCreds: [] };
    const { made } = machine((input) =>
      input.kind === 'tick' ? [notify(1), { kind: 'connect', channel: 1, server }] : [],
    );
    const session = new Session(made, { clock: new VirtualClock(), transport: eagerTransport(log), dns, log: ignored });
    session.watch('s', 'T', 'a', { onResourceChanged: () => {}, onAmbientError: () => session.close() });
    session.dispatch({ kind: 'tick' });
    expect(log).toEqual([]);
  });

  it('handles a resolver that rejects its promise', async () => {
    const { made, seen: inputs } = machine((input) =>
      input.kind === 'tick' ? [{ kind: 'resolve', query: 1, host: 'h', port: 1 }] : [],
    );
    const broken = { resolve: () => Promise.reject(new Error('broken')) };
    const session = new Session(made, {
      clock: new VirtualClock(),
      transport: eagerTransport([]),
      dns: broken,
      log: ignored,
    });
    session.dispatch({ kind: 'tick' });
    await new Promise((next) => setTimeout(next, 5));
    expect(inputs).toEqual(['0 tick', '0 resolved']);
  });
});
