import { describe, expect, it } from 'vitest';
import { csdsClient } from '../../src/io/csds-client.js';
import { http2Peer, tcpPeer } from '../support/live-server.js';
import { later } from '../support/serving.js';
import { until } from '../support/until.js';

const HOUR_MS = 3_600_000;
const OPTIONS = {
  plaintext: true,
  insecure: false,
  cacert: undefined,
  cert: undefined,
  key: undefined,
  authority: undefined,
  connectTimeoutMs: HOUR_MS,
  timeoutMs: HOUR_MS,
};

describe('a CSDS client that is closed', () => {
  it.each([
    { method: 'fetch', what: 'accepts the connection and sends nothing', listen: tcpPeer },
    { method: 'poll', what: 'accepts the connection and sends nothing', listen: tcpPeer },
    { method: 'fetch', what: 'accepts the call and does not respond', listen: http2Peer },
    { method: 'poll', what: 'accepts the call and does not respond', listen: http2Peer },
  ] as const)('ends the $method of a process that $what', async ({ method, listen }) => {
    let isReached = false;
    const { uri, close } = await listen(() => {
      isReached = true;
    });
    later(close);
    const client = csdsClient(uri, OPTIONS);
    const answer = client[method](new Uint8Array());
    await until(() => isReached, 'the client connects');
    client.close();
    expect(await answer).toHaveProperty('failure');
  });
});
