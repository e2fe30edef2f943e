import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { addressText, type ListenAddress } from '../listen-address.js';
import { bindFailure } from '../listening-socket.js';

const FLAGS = { port: '--metrics-port', host: '--metrics-port' };

/** A scraper needs one connection. One more than this closes the oldest. */
const MAX_CONNECTIONS = 16;
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5000,
};
/** A client that does not read its response is disconnected. */
const IDLE_MS = 30_000;

/** Prometheus 3 requires a type. */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';

/** Serves metrics over HTTP at /metrics. Throws a BindFailure if the port is not available. */
export async function serveMetrics(
  { host, port }: ListenAddress,
  text: () => string,
): Promise<{ address: string; close(): void }> {
  const server = createServer(LIMITS, (request, response) => respond(request, response, text));
  server.timeout = IDLE_MS;
  const connections = new Set<Socket>();
  server.on('connection', (connection) => {
    connections.add(connection);
    connection.on('close', () => connections.delete(connection));
    const [oldest] = connections;
    if (connections.size > MAX_CONNECTIONS && oldest !== undefined) oldest.resetAndDestroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(bindFailure(host, port, error, FLAGS)));
    server.listen(port, host, resolve);
  });
  return {
    address: addressText({ host, port: (server.address() as AddressInfo).port }),
    close: () => {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  };
}

function respond({ method, url = '' }: IncomingMessage, response: ServerResponse, text: () => string): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    send(response, 405, PLAIN, 'only GET\n');
    return;
  }
  const path = url.replace(/\?.*/s, '');
  if (path === '/metrics') send(response, 200, TEXT_FORMAT, text());
  else if (path === '/') send(response, 200, PLAIN, 'xds-inspect: metrics are at /metrics\n');
  else send(response, 404, PLAIN, 'not found: metrics are at /metrics\n');
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
