/** Opens many ADS streams, and reports when each has a response: `main.mts <port> <connections> <streams per connection>`. */
import { type ClientHttp2Session, connect } from 'node:http2';
import { ADS_METHOD } from '../../../src/core/sotw.ts';
import { DiscoveryRequest } from '../../../src/proto/generated/envoy.service.discovery.v3.ts';
import { encode } from '../../../src/proto/message-type.ts';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.ts';
import { framed } from '../../oracle/grpc-frames.ts';

const [port, connections, streams] = process.argv.slice(2).map(Number) as [number, number, number];
const HEADERS = { ':method': 'POST', ':path': ADS_METHOD, 'content-type': 'application/grpc', te: 'trailers' };
const REQUEST = framed(encode(DiscoveryRequest, DiscoveryRequest.create({ typeUrl: RESOURCE_TYPES.LDS })));

let responded = 0;

function openStream(session: ClientHttp2Session): void {
  const stream = session.request(HEADERS);
  stream.on('error', () => {});
  stream.once('data', () => {
    if (++responded === connections * streams) process.send?.({ streams: responded });
  });
  stream.write(REQUEST);
}

for (let i = 0; i < connections; i++) {
  const session = connect(`http://127.0.0.1:${port}`);
  session.on('error', () => {});
  session.once('connect', () => {
    for (let j = 0; j < streams; j++) openStream(session);
  });
}
process.on('disconnect', () => process.exit());
