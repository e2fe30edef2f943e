import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ServerTarget } from '../../src/core/effect.js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { LoopTurn, MAX_MESSAGES_PER_TURN } from '../../src/io/loop-turn.js';
import { framed } from '../../tools/oracle/grpc-frames.js';
import { until } from '../support/until.js';

/** A turn whose time and event loop are driven by the test. */
function simulatedTurn(): { turn: LoopTurn; nextTurn: () => void; advance: (ms: number) => void } {
  let now = 0;
  const deferred: (() => void)[] = [];
  const turn = new LoopTurn({ now: () => now, defer: (next) => void deferred.push(next) });
  return {
    turn,
    nextTurn: () => {
      for (const next of deferred.splice(0)) next();
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

describe('LoopTurn', () => {
  it('handles a limited number of messages per turn, in order', () => {
    const { turn, nextTurn } = simulatedTurn();
    const handled: number[] = [];
    const all = Array.from({ length: 3 * MAX_MESSAGES_PER_TURN - 1 }, (_, i) => i);
    for (const i of all) turn.run(() => handled.push(i));
    for (const turns of [1, 2, 3]) {
      expect(handled).toEqual(all.slice(0, turns * MAX_MESSAGES_PER_TURN));
      nextTurn();
    }
  });

  it('handles one message per turn if each takes longer than a turn', () => {
    const { turn, nextTurn, advance } = simulatedTurn();
    const handled: number[] = [];
    for (const i of [1, 2, 3]) {
      turn.run(() => {
        advance(60_000);
        handled.push(i);
      });
    }
    expect(handled).toEqual([1]);
    nextTurn();
    expect(handled).toEqual([1, 2]);
    nextTurn();
    expect(handled).toEqual([1, 2, 3]);
  });

  it('handles the messages after one whose handler throws', () => {
    const { turn, nextTurn } = simulatedTurn();
    const handled: number[] = [];
    const all = Array.from({ length: MAX_MESSAGES_PER_TURN + 3 }, (_, i) => i);
    for (const i of all) {
      turn.run(() => {
        if (i === MAX_MESSAGES_PER_TURN) throw new Error('from a watcher');
        handled.push(i);
      });
    }
    expect(nextTurn).toThrow('from a watcher');
    nextTurn();
    expect(handled).toEqual(all.filter((i) => i !== MAX_MESSAGES_PER_TURN));
  });

  it('counts messages that a message causes in the same turn', () => {
    const { turn, nextTurn } = simulatedTurn();
    let handled = 0;
    const again = (): void => {
      handled++;
      turn.run(again);
    };
    turn.run(again);
    expect(handled).toBe(MAX_MESSAGES_PER_TURN);
    nextTurn();
    expect(handled).toBe(2 * MAX_MESSAGES_PER_TURN);
  });
});

describe('a flood of responses', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const thing of open.splice(0)) thing.close();
  });

  it('does not keep other callbacks of the event loop waiting', async () => {
    const MESSAGES = 10_000;
    const { address, written } = await floodOf(MESSAGES, open);
    const target: ServerTarget = { uri: address, creds: { type: 'insecure' }, callCreds: [] };
    const connection = new GrpcTransport().connect(target, () => {});
    open.push(connection);
    let received = 0;
    let inThisTurn = 0;
    let most = 0;
    const stream = connection.open(ADS_METHOD, {
      onSent: () => {},
      onMessage: () => {
        received++;
        most = Math.max(most, ++inThisTurn);
        stream.read();
      },
      onEnd: () => {},
    });
    const count = (): void => {
      inThisTurn = 0;
      if (received < MESSAGES) setImmediate(count);
    };
    setImmediate(count);
    stream.send(new Uint8Array(1));
    // The flow-control window of the client is full before it reads.
    await written;
    stream.read();
    await until(() => received === MESSAGES, 'all responses arrive');
    // The limit applies from one check phase to the next, in which this test resets its own count at another point.
    expect(most).toBeLessThanOrEqual(2 * MAX_MESSAGES_PER_TURN);
  });
});

/** A server that sends many small messages at once. */
async function floodOf(
  messages: number,
  open: { close(): void }[],
): Promise<{ address: string; written: Promise<void> }> {
  const server = createServer();
  const one = framed(new Uint8Array(50));
  const written = new Promise<void>((resolve) => {
    server.on('stream', (stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(Buffer.concat(Array.from({ length: messages }, () => one)), () => resolve());
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push(server);
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, written };
}
