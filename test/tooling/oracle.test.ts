import { connect as connectHttp2 } from 'node:http2';
import { describe, expect, it } from 'vitest';
import recorded from '../../fixtures/client/c-core.json' with { type: 'json' };
import type { ClientRecording, ClientScenario } from '../../tools/oracle/conformance/client/recording.js';
import { replay } from '../../tools/oracle/conformance/client/replay.js';
import { FrameReader, framed } from '../../tools/oracle/grpc-frames.js';
import { readCorpus, treeOf } from '../../tools/oracle/mutation/corpus.js';
import { Dice } from '../../tools/oracle/mutation/dice.js';
import { newResponses } from '../../tools/oracle/mutation/new-responses.js';
import { serialize, type Tree } from '../../tools/oracle/mutation/wire-tree.js';
import { equalParts } from '../../tools/oracle/record/equal-parts.js';
import { Backends } from '../../tools/oracle/scenarios/backends.js';

describe('generated responses', () => {
  const corpus = readCorpus();

  it('start from trees that serialize to the recorded bytes', () => {
    // A varint may be encoded longer than necessary.
    const same = corpus.all.filter((one) => serialize(treeOf(one) as Tree).equals(one.bytes));
    expect(same.length / corpus.all.length).toBeGreaterThan(0.99);
    expect(corpus.valid.length).toBeGreaterThan(900);
  });

  it('are equal for equal seeds and differ for others', () => {
    const some = (seed: number): string => {
      const made = newResponses(corpus, new Dice(seed));
      return JSON.stringify(Array.from({ length: 50 }, () => made.next().value));
    };
    expect(some(7)).toBe(some(7));
    expect(some(7)).not.toBe(some(8));
  });

  it('are rarely equal to a recorded resource', () => {
    const known = new Set(corpus.all.map(({ bytes }) => bytes.toString('base64')));
    const made = newResponses(corpus, new Dice(1));
    const bytes = Array.from({ length: 500 }, () => made.next().value?.response ?? []).flat();
    expect(bytes.filter((one) => known.has(one.bytes)).length).toBeLessThan(bytes.length / 4);
  });
});

describe('the comparison of two recordings', () => {
  const scenario = (answer: string, seconds: number, varied: string[] = [], code = 'OK') => ({
    scenarios: [
      {
        id: 's',
        varied,
        expected: {
          subscriptions: [],
          answers: [{ step: 1, answer }],
          csds: [],
          rpcs: [{ label: 'r', step: 2, code, seconds }],
        },
      },
    ],
  });

  it('counts equal expectations and ignores durations', () => {
    expect(equalParts(scenario('ACK', 1), scenario('ACK', 2))).toEqual({ equal: 3, all: 3, changes: [] });
    expect(equalParts(scenario('ACK', 1), scenario('NACK', 1))).toMatchObject({
      equal: 2,
      all: 3,
      changes: [{ id: 's', what: 'answers step 1' }],
    });
  });

  it('ignores expectations that varied in either', () => {
    expect(equalParts(scenario('ACK', 1), scenario('NACK', 1, ['answers']))).toMatchObject({ equal: 2, all: 2 });
  });

  it.each(['rpcs', 'rpcs:r', 'rpc:r'])('ignores an RPC that varied as %s', (varied) => {
    const [before, now] = [scenario('ACK', 1, [varied]), scenario('ACK', 1, [], 'UNAVAILABLE')];
    expect(equalParts(before, now)).toMatchObject({ equal: 2, all: 2 });
  });

  it('compares an RPC if another one varied', () => {
    const [before, now] = [scenario('ACK', 1, ['rpc:other']), scenario('ACK', 1, [], 'UNAVAILABLE')];
    expect(equalParts(before, now)).toMatchObject({ equal: 2, all: 3 });
  });

  it('compares the expectations of cases, without the status of RPCs', () => {
    let calls = 0;
    const cases = (verdict: string) => ({ cases: [{ id: 'a', expect: { verdict, rpc_status: calls++ } }] });
    expect(equalParts(cases('ACK'), cases('ACK'))).toMatchObject({ equal: 1, all: 1 });
    expect(equalParts(cases('ACK'), cases('NACK')).changes).toHaveLength(1);
  });
});

describe('an RPC before its channel is connected', () => {
  const recording = recorded as unknown as ClientRecording;
  const [base] = recording.scenarios.filter(({ id }) => id === 'down-first-error');

  it.each([
    ['xds:///svc', undefined],
    ['xds:///svc', 'second'],
  ])('creates a channel to %s with the key %s', async (target, channel) => {
    const steps = [
      { op: 'rpc', label: 'early', target, ...(channel && { channel }), timeout: 1, background: true },
      { op: 'expect', type: 'LDS', names: ['svc'] },
    ];
    const scenario = { ...base, servers: { primary: {} }, steps } as ClientScenario;
    expect((await replay(scenario, recording, 'c-core')).unmet).toEqual([]);
  });
});

describe('a backend', () => {
  it('fails an RPC with trailers only, so that gRPC may retry it', async () => {
    const backends = await Backends.start({ b1: 20_001 });
    const session = connectHttp2(`http://127.0.0.1:${backends.ports.b1}`);
    const request = session.request({
      ':method': 'POST',
      ':path': '/oracle.Echo/Fail',
      'content-type': 'application/grpc',
      'grpc-previous-rpc-attempts': '2',
    });
    let trailers = 0;
    request.on('trailers', () => trailers++);
    const headers = await new Promise((resolve) => {
      request.on('response', resolve);
      request.end();
    });
    await new Promise((resolve) => {
      request.on('close', resolve);
      request.resume();
    });
    session.close();
    backends.stop();
    expect(headers).toMatchObject({ ':status': 200, 'grpc-status': '14', 'grpc-message': '2' });
    expect(trailers).toBe(0);
  });
});

describe('messages on a stream', () => {
  it.each([1, 3, 7, 1000])('are read from pieces of %i bytes', (size) => {
    const messages = ['', 'a', 'x'.repeat(300)].map((text) => Buffer.from(text));
    const bytes = Buffer.concat(messages.map(framed));
    const found: string[] = [];
    const reader = new FrameReader((message) => found.push(message.toString()));
    for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size));
    expect(found).toEqual(messages.map(String));
  });
});
