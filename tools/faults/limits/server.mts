import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

/**
 * A control plane in its own process, so that its memory does not count: sends the response in the file of a type on the
 * first request of that type. Arguments: `Listener=file`. Prints its address.
 */
const files = new Map(process.argv.slice(2).map((argument) => argument.split('=') as [string, string]));

const server = createServer();
server.on('stream', (stream: ServerHttp2Stream) => {
  const served = new Set<string>();
  let pending: Buffer = Buffer.alloc(0);
  stream.on('error', () => {});
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
  stream.on('data', (data: Buffer) => {
    pending = Buffer.concat([pending, data]);
    while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
      const request = pending.subarray(5, 5 + pending.readUInt32BE(1));
      pending = pending.subarray(5 + request.length);
      for (const [type, file] of files) if (!served.has(type) && request.includes(`.v3.${type}`)) send(type, file);
    }
  });
  const send = (type: string, file: string): void => {
    served.add(type);
    const message = readFileSync(file);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    stream.write(head);
    stream.write(message);
  };
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`127.0.0.1:${(server.address() as AddressInfo).port}\n`);
