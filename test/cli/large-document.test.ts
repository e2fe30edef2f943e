import { beforeAll, describe, expect, it } from 'vitest';
import type { Output } from '../../src/io/output.js';
import { OutputQueue, READY_AT } from '../../src/io/output-queue.js';
import { any, field, response, typeUrl } from '../../tools/faults/limits/shapes.js';
import { startCli } from '../support/cli.js';
import { LiveServer } from '../support/live-server.js';
import { later } from '../support/serving.js';

/** A listener with 400 unknown fields of 15 kB. */
const FIELDS = Buffer.concat(Array.from({ length: 400 }, () => field(1000, Buffer.alloc(15_000, 0xff))));
const LISTENER = any(typeUrl('Listener'), Buffer.concat([field(1, 'greeter'), FIELDS]));
const DOCUMENT_LENGTH = 8_000_000;

let uri = '';
beforeAll(async () => {
  const message = response('Listener', field(2, LISTENER));
  const server = await LiveServer.start(({ node }, call) => {
    if (node !== undefined) call.write(message);
  });
  later(() => server.close());
  uri = server.uri;
});

async function get(format: string, output: Pick<Output, 'write' | 'ready'>): Promise<number> {
  const stdout = { ...output, offer: () => {}, isTerminal: false, columns: 80, rows: 24 };
  const argv = ['get', 'LDS', 'greeter', '-o', format, '--server', uri, '--plaintext'];
  return await startCli(argv, {}, false, undefined, '', { stdout }).done;
}

describe.each(['yaml', 'json'])('get -o %s of a resource with 6 MB of unknown fields', (format) => {
  it('lets signals and timers run while it prints', async () => {
    let [written, beforeNext] = [0, 0];
    await get(format, {
      write: (text) => {
        if (written === 0) setImmediate(() => (beforeNext = written));
        written += text.length;
      },
      ready: async () => {},
    });
    expect(written).toBeGreaterThan(DOCUMENT_LENGTH);
    expect(beforeNext).toBeGreaterThan(0);
    expect(beforeNext).toBeLessThan(DOCUMENT_LENGTH / 4);
  });

  it('queues a part of the document for a slow reader, who gets the whole', async () => {
    const pending: { text: string; written: () => void }[] = [];
    let [read, most] = ['', 0];
    const unsent = (): number => pending.reduce((sum, { text }) => sum + text.length, 0);
    const queue = new OutputQueue({ write: (text, written) => pending.push({ text, written }), unsent }, () => {});
    const readOne = (): void => {
      const one = pending.shift();
      read += one?.text ?? '';
      one?.written();
    };
    await get(format, {
      write: (text) => {
        queue.write(text);
        most = Math.max(most, queue.queued);
      },
      // The reader reads only when the command waits for it.
      ready: async () => {
        const ready = queue.ready();
        while (queue.queued > READY_AT) readOne();
        await ready;
      },
    });
    while (pending.length > 0) readOne();
    expect(most).toBeLessThan(READY_AT + DOCUMENT_LENGTH / 4);
    expect(read.length).toBeGreaterThan(DOCUMENT_LENGTH);
    if (format === 'json') expect(JSON.parse(read).resources[0].resource['@unknown']).toHaveLength(400);
  });
});
