import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GrpcTransport, type TransportOptions } from '../../../src/io/grpc-transport.ts';
import { LibraryClient } from './library-client.ts';

/**
 * A client of the library in its own process: prints every event, and its state for each line on standard input. Its
 * argument is JSON with the options of the transport.
 */
const transport = new GrpcTransport(JSON.parse(process.argv[2] ?? '{}') as TransportOptions);
const client = new LibraryClient(process.env.GRPC_XDS_BOOTSTRAP_CONFIG ?? '', { transport });
let printed = 0;
const printing = setInterval(() => {
  while (printed < client.events.length) writeSync(1, `${JSON.stringify(client.events[printed++])}\n`);
}, 20);

createInterface({ input: process.stdin })
  .on('line', async () => writeSync(1, `${JSON.stringify({ kind: 'state', state: await client.state() })}\n`))
  .on('close', () => {
    clearInterval(printing);
    void client.stop();
  });
