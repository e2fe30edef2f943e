import dns from 'node:dns';
import { ADS_METHOD } from '../../src/core/sotw.ts';
import { GrpcTransport } from '../../src/io/grpc-transport.ts';

/**
 * Connects to a host name at a port, and prints each DNS query and each state of the channel. So many queries fail; then the
 * name has an address. Arguments: port, failures.
 */
const [port, failures] = process.argv.slice(2).map(Number) as [number, number];
let queries = 0;
dns.promises.lookup = (async () => {
  console.log('query');
  if (++queries <= failures) throw new Error('getaddrinfo ENOTFOUND plane.test');
  return [{ address: '127.0.0.1', family: 4 }];
}) as unknown as typeof dns.promises.lookup;
dns.promises.resolveTxt = async () => [];

const server = { uri: `plane.test:${port}`, creds: { type: 'insecure' }, callCreds: [] } as const;
const connection = new GrpcTransport().connect({ ...server, callCreds: [] }, (state) => console.log(state));
connection.open(ADS_METHOD, { onSent: () => {}, onMessage: () => {}, onEnd: () => {} });
