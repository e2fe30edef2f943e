import { createServer as createHttpServer } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptConnections } from '../../src/io/listening-socket.js';
import { type Issued, TestAuthority } from '../support/certificates.js';
import { runCli } from '../support/cli.js';
import { CLOSED, freePort, LiveServer, listening, type Peer, tcpPeer } from '../support/live-server.js';

/** Every command that connects, with its time limit flag and its format for scripts. With `type`, it takes names of that type instead of targets. */
const CONNECTING: { command: string; type?: string; limit: string; document: string }[] = [
  { command: 'report', limit: '--timeout', document: 'json' },
  { command: 'status', limit: '--timeout', document: 'json' },
  { command: 'watch', limit: '--for', document: 'ndjson' },
  { command: 'config', limit: '--timeout', document: 'json' },
  { command: 'tears', limit: '--for', document: 'json' },
  { command: 'explain', limit: '--timeout', document: 'json' },
  { command: 'wait', limit: '--timeout', document: 'json' },
  { command: 'get', type: 'lds', limit: '--timeout', document: 'json' },
];

const LIMIT_MS = 800;

/** Commands that print the verdict on stdout even if nothing was received. `wait` prints it on stderr. */
const LINE_1_ON_STDOUT: ReadonlySet<string> = new Set(['report', 'status', 'config', 'tears', 'explain']);

interface BadPeer {
  open(): Promise<Peer>;
  /** Connects with TLS by default. */
  plaintext?: true;
  code: number;
  /** The cause of the verdict. `URI` is the server, `TIME` the waiting time. */
  cause: string;
  /** `get` has no targets, so it has no verdict. */
  get: RegExp;
}

let certificate: Issued;
beforeAll(async () => {
  certificate = await (await TestAuthority.create('ca')).issue();
});

const PEERS: Record<string, BadPeer> = {
  'no server': {
    open: async () => ({ uri: CLOSED, close: () => {} }),
    plaintext: true,
    code: 69,
    cause: 'URI refuses connections',
    get: /URI cannot be reached: nothing listens there: check the address, and that the server is running/,
  },
  'an HTTP/1 server': {
    open: () => listening(createHttpServer((_request, response) => response.end('hello'))),
    plaintext: true,
    code: 69,
    cause: 'URI does not speak HTTP/2 on this port',
    get: /URI cannot be reached: the server does not speak HTTP\/2: check that this is the gRPC port/,
  },
  'a server that closes every connection': {
    open: () => tcpPeer((socket) => socket.end()),
    plaintext: true,
    code: 69,
    cause: 'URI closes connections immediately',
    get: /URI cannot be reached: the peer closed the connection: check that it speaks gRPC on this port, /,
  },
  'a silent server': {
    open: () => tcpPeer(() => {}),
    plaintext: true,
    code: 75,
    cause: 'URI has not accepted the stream for TIME',
    get: /no response within .* from URI$/,
  },
  'TLS to a plaintext server': {
    open: async () => LiveServer.start(() => {}),
    code: 69,
    cause: 'URI does not speak TLS on this port',
    get: /URI cannot be reached: the server does not speak TLS on this port: .*--plaintext/,
  },
  'plaintext to a TLS server': {
    open: async () =>
      LiveServer.start(
        () => {},
        ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(certificate.key), cert_chain: Buffer.from(certificate.certificate) },
        ]),
      ),
    plaintext: true,
    code: 69,
    cause: 'URI closes connections immediately',
    get: /URI cannot be reached: the peer closed the connection: .* TLS/,
  },
  'a gRPC server without ADS': {
    open: withoutAds,
    plaintext: true,
    code: 69,
    cause: 'URI is a gRPC server without ADS: UNIMPLEMENTED "The server does not implement the method TEXT"',
    get: /URI end(s|ed) the stream with.*UNIMPLEMENTED.* ADS/,
  },
};

async function withoutAds(): Promise<Peer> {
  const port = await freePort();
  const server = new Server();
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const stop = await acceptConnections('127.0.0.1', port, (connection) => injector.injectConnection(connection));
  const close = (): void => {
    stop();
    server.forceShutdown();
  };
  return { uri: `127.0.0.1:${port}`, close };
}

/** Expects complete documents on stdout even if nothing was received. */
function expectDocument(stdout: string, document: string): void {
  if (document === 'json') expect(JSON.parse(stdout)).toHaveProperty('schema');
  else for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('kind');
}

function patternOf(cause: string, uri: string): RegExp {
  const literal = cause.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(literal.replace('URI', uri).replace('TIME', '\\d+ m?s').replace('TEXT', '[^"]*'), 'g');
}

const ROWS = CONNECTING.flatMap((row) => Object.entries(PEERS).map(([name, peer]) => ({ ...row, name, peer })));

describe('an unusable control plane', () => {
  it.concurrent.each(ROWS)('is reported by $command: $name', async ({ command, type, limit, document, peer }) => {
    const { open, plaintext = false, code, cause, get } = peer;
    const opened = await open();
    const { uri } = opened;
    const words = type === undefined ? [command] : [command, type];
    const argv = [...words, 'greeter', '--server', uri, limit, `${LIMIT_MS}ms`, ...(plaintext ? ['--plaintext'] : [])];
    try {
      const text = await runCli(argv);
      const data = await runCli([...argv, '-o', document]);
      expect([text.code, data.code], text.stderr + data.stderr).toEqual([code, code]);
      expectDocument(data.stdout, document);
      if (command === 'get') {
        for (const { stderr } of [text, data]) {
          expect(stderr).toMatch(new RegExp(get.source.replaceAll('URI', uri.replaceAll('.', '\\.')), 'm'));
        }
        return;
      }
      const pattern = patternOf(cause, uri);
      // The cause appears once: in line 1 of text, or on stderr besides a document.
      expect(data.stderr.match(pattern), data.stderr).toHaveLength(1);
      expect(`${text.stdout}${text.stderr}`.match(pattern), text.stdout + text.stderr).toHaveLength(1);
      const line1 = new RegExp(`^xds:///greeter  (FAILS|WAITING)  ${pattern.source}\n`);
      if (LINE_1_ON_STDOUT.has(command)) expect(text.stdout).toMatch(line1);
      else if (command === 'wait') expect(text.stdout === '' ? text.stderr : text.stdout).toMatch(line1);
      // Events are data, even those of a failure.
      else expect(text.stdout).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} .*\n)+$/);
    } finally {
      opened.close();
    }
  });
});

describe.each(CONNECTING)('$command', ({ command, type, document }) => {
  const words = type === undefined ? [command] : [command, type];

  it.skipIf(type !== undefined).each(['', 'xds:', 'xds:///', 'xds://authority/', '#server:'])(
    'rejects the empty target "%s"',
    async (target) => {
      expect(await runCli([command, target, 'greeter'])).toMatchObject({
        code: 64,
        stdout: '',
        stderr: `xds-inspect: empty target "${target}": use the target that a program dials, such as xds:///greeter\n`,
      });
    },
  );

  it('rejects two different values of -o', async () => {
    const first = command === 'watch' ? 'lines' : 'yaml';
    expect(await runCli([...words, 'greeter', '-o', first, '--output', document])).toMatchObject({
      code: 64,
      stdout: '',
      stderr: `xds-inspect: --output is given 2 times (${first} and ${document}): give it once\nTry: xds-inspect ${command} --help\n`,
    });
    const once = await runCli([...words, 'greeter', '-o', document, '-o', document, '-b', 'nowhere.json']);
    expect(once.code).toBe(65);
    const overridden = await runCli([...words, 'greeter', '-o', document, '-b', 'nowhere.json'], {
      XDS_INSPECT_OUTPUT: first,
    });
    expect(overridden.code).toBe(65);
  });
});
