import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';
import { framed, GRPC_HEADERS, http2Peer } from '../support/live-server.js';
import { later } from '../support/serving.js';

const MIB = 1024 * 1024;
const SIZES = 'sends a response of 129 MiB, which is more than the limit of 128 MiB';

let connect: string[] = [];
beforeAll(async () => {
  const peer = await http2Peer((stream) => {
    stream.respond(GRPC_HEADERS);
    // The client ends the stream after the length, before the body arrives.
    stream.write(framed(Buffer.alloc(10), 129 * MIB));
  });
  later(() => peer.close());
  connect = ['--server', peer.uri, '--plaintext'];
});

describe('a response of 129 MiB', () => {
  it('is named by get with its size, the limit and advice', async () => {
    const { stderr, code } = await runCli(['get', 'CDS', ...connect]);
    expect(stderr).toContain(`${SIZES}: split it, or request fewer names`);
    expect(code).not.toBe(0);
  });

  it('is named by status with its size, the limit and advice', async () => {
    const { stdout, stderr, code } = await runCli(['status', 'greeter', ...connect, '--timeout', '3s']);
    const output = `${stdout}${stderr}`.replace(/\s+/g, ' ');
    expect(output).toContain(`${SIZES}: it is not read`);
    expect(output).toContain('Split the response or serve fewer resources to this client');
    expect(output).toContain('XI215');
    expect(code).not.toBe(0);
  });
});
