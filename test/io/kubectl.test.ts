import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/base/failure.js';
import { readKubeTarget } from '../../src/bootstrap/kube-target.js';
import { PortForward } from '../../src/io/kube/port-forward.js';
import { later, temporaryFolder } from '../support/clean-up.js';

const VERSION = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' });
const hasKubectl = VERSION.status === 0;

const meta = (name: string) => ({ metadata: { name, namespace: 'demo', labels: { app: 'x' } } });
const POD = {
  ...{ kind: 'Pod', apiVersion: 'v1', ...meta('pod-1'), status: { phase: 'Running' } },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ name: 'grpc', containerPort: 15012 }] }] },
};
const SERVICE = {
  ...{ kind: 'Service', apiVersion: 'v1', ...meta('istiod') },
  spec: { selector: { app: 'x' }, ports: [{ name: 'grpc', port: 15010, targetPort: 15012 }] },
};
const resource = (name: string, singularName: string, kind: string, short: string) => ({
  ...{ name, singularName, kind, namespaced: true, verbs: ['get', 'list', 'watch'], shortNames: [short] },
});
const status = (code: number, reason: string, message: string) => ({
  ...{ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details: {} },
});
const ANSWERS: Record<string, object> = {
  '/version': { major: '1', minor: '32' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    ...{ kind: 'APIResourceList', groupVersion: 'v1' },
    resources: [resource('pods', 'pod', 'Pod', 'po'), resource('services', 'service', 'Service', 'svc')],
  },
  '/api/v1/namespaces/demo/pods/pod-1': POD,
  '/api/v1/namespaces/demo/services/istiod': SERVICE,
  '/api/v1/namespaces/demo/pods': { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [POD] },
};
const FORBIDDEN = 'pods "secret" is forbidden: User "me" cannot get resource "pods" in the namespace "demo"';

/** The parts of a Kubernetes API server that a port-forward needs. It carries no data. Returns a kubectl configuration. */
async function startApi(): Promise<string> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    const answer = path.endsWith('/secret')
      ? status(403, 'Forbidden', FORBIDDEN)
      : (ANSWERS[path] ?? status(404, 'NotFound', `"${path.split('/').pop()}" not found`));
    response.writeHead('code' in answer ? (answer.code as number) : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  server.on('upgrade', ({ headers }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {});
    later(() => socket.destroy());
    if (headers.upgrade !== 'SPDY/3.1') return socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    const protocol = 'X-Stream-Protocol-Version: portforward.k8s.io';
    return socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n${protocol}\r\n\r\n`,
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  later(() => server.close());
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a', users: [{ name: 'u', user: {} }] },
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` } }],
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u', namespace: 'demo' } }],
  };
  const file = join(temporaryFolder(), 'kubeconfig');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

// Without kubectl: apt-get install kubernetes-client
describe.skipIf(!hasKubectl)('the installed kubectl', () => {
  let kubeconfig: string;
  const variables = { ...process.env, HOME: temporaryFolder() };

  beforeAll(async () => {
    kubeconfig = await startApi();
  });

  async function open(name: string, context?: string, config = kubeconfig): Promise<PortForward> {
    const read = readKubeTarget(name);
    if (!read.ok) throw new Error(read.problem);
    const atExit = (restore: () => void): (() => void) => {
      later(restore);
      return () => {};
    };
    const env = { variables, atExit };
    const settings = { context, kubeconfig: config };
    return await PortForward.open({ target: read.target, settings, name, limitMs: 60_000, env, onRemark: () => {} });
  }

  it.each(['demo/svc/istiod:15010', 'svc/istiod:grpc', 'pod/pod-1:15012', 'pod/pod-1:grpc'])(
    'forwards a port of 127.0.0.1 to %s',
    async (name) => {
      const forward = await open(name);
      expect(forward.address).toMatch(/^127\.0\.0\.1:\d+$/);
      expect(forward.failure).toBeUndefined();
      forward.close();
    },
  );

  it.each<[what: string, name: string, message: RegExp, context?: string | undefined, config?: string]>([
    ['a pod that does not exist', 'pod/gone:1', /NotFound.*check the namespace and the name/],
    ['a pod without permission', 'pod/secret:1', /Forbidden.*create on pods\/portforward/],
    ['a port that the service does not have', 'svc/istiod:81', /does not have a service port 81 \(check the port/],
    ['a named port that does not exist', 'svc/istiod:nope', /nope/],
    ['a context that does not exist', 'svc/istiod:81', /"?nope"?.*kubectl config get-contexts/, 'nope'],
    ['a configuration that does not exist', 'svc/istiod:81', /no such file/, undefined, '/no/such/kubeconfig'],
  ])('reports %s', async (_, name, message, context, config) => {
    const failure = await open(name, context, config).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure.exitCode).toBe(69);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toMatch(/memcache|^E\d{4}/);
  });
});
