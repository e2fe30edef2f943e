import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { serveMetrics } from '../../../src/io/metrics/metrics-server.js';
import { later } from '../../support/clean-up.js';
import { until } from '../../support/until.js';

async function served(text = 'up 1\n', host = '127.0.0.1'): Promise<string> {
  const server = await serveMetrics({ host, port: 0 }, () => text);
  later(server.close);
  return server.address;
}

/** Sends bytes on a new connection, and collects the response. */
function rawClient(address: string, bytes: string) {
  const [host = '', port] = address.split(/:(?=\d+$)/);
  const socket = connect(Number(port), host);
  const client = { text: '', isClosed: false, socket };
  socket.on('data', (part) => {
    client.text += part;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    client.isClosed = true;
  });
  socket.write(bytes);
  later(() => socket.destroy());
  return client;
}

describe('the port for Prometheus', () => {
  it('serves the text with its type', async () => {
    const response = await fetch(`http://${await served()}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toBe('up 1\n');
  });

  it.each([
    ['GET', '/', 200, 'metrics are at /metrics'],
    ['GET', '/metrics?name[]=x', 200, 'up 1'],
    ['GET', '/x', 404, 'metrics are at /metrics'],
    ['HEAD', '/metrics', 200, ''],
    ['POST', '/metrics', 405, 'only GET'],
    ['GET', '//', 404, 'not found'],
  ])('responds to %s %s', async (method, path, status, text) => {
    const [host, port] = (await served()).split(':');
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request({ host, port, method, path }, (incoming) => {
        let body = '';
        incoming.on('data', (part) => {
          body += part;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode, body }));
      })
        .on('error', reject)
        .end();
    });
    expect(response.status).toBe(status);
    expect(response.body).toContain(text);
  });

  it.each([
    ['large headers', `GET /metrics HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1.1 431/],
    ['no HTTP', '\u0016\u0003\u0001\r\n\r\n', /^HTTP\/1.1 400/],
    ['an odd path', 'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1.1 404/],
  ])('survives %s', async (_what, bytes, expected) => {
    const address = await served();
    const client = rawClient(address, bytes);
    await until(() => client.text !== '', 'a response');
    expect(client.text).toMatch(expected);
    expect((await fetch(`http://${address}/metrics`)).status).toBe(200);
  });

  it('closes the oldest of more than 16 connections that send nothing', async () => {
    const address = await served();
    const clients: ReturnType<typeof rawClient>[] = [];
    for (let i = 0; i < 17; i++) {
      const client = rawClient(address, 'GET /metrics HTTP/1.1\r\n');
      await new Promise((done) => client.socket.once('connect', done));
      clients.push(client);
    }
    await until(() => clients[0]?.isClosed === true, 'the oldest is closed');
    // A timeout would send 408.
    expect(clients[0]?.text).toBe('');
    expect((await fetch(`http://${address}/metrics`)).status).toBe(200);
  });

  it('closes all connections at the end', async () => {
    const server = await serveMetrics({ host: '127.0.0.1', port: 0 }, () => '');
    const client = rawClient(server.address, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => client.text !== '', 'a response');
    server.close();
    await until(() => client.isClosed, 'the end of the connection');
    await expect(fetch(`http://${server.address}/metrics`)).rejects.toThrow();
  });

  it('listens on IPv6', async () => {
    const address = await served('up 1\n', '::1');
    expect(address).toMatch(/^\[::1\]:\d+$/);
    expect((await fetch(`http://${address}/metrics`)).status).toBe(200);
  });
});
