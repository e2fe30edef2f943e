import { createServer as createHttpServer } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { beforeAll, describe, expect, it } from 'vitest';
import { acceptConnections } from '../../src/io/listening-socket.js';
import { type Issued, TestAuthority } from '../support/certificates.js';
import { runCli } from '../support/cli.js';
import { freePort, LiveServer, listening, type Peer, tcpPeer } from '../support/live-server.js';
import { patientClock } from '../support/patient-clock.js';

/** Every command that connects (`type`: one that takes names of that type, not targets), with the flag that bounds its time and its formats for scripts: one line for a new one. */
const CONNECTING: { command: string; type?: string; limit: string; document: string }[] = [
  { command: 'status', limit: '--timeout', document: 'json' },
  { command: 'watch', limit: '--for', document: 'ndjson' },
  { command: 'config', limit: '--timeout', document: 'json' },
  { command: 'tears', limit: '--for', document: 'json' },
  { command: 'explain', limit: '--timeout', document: 'json' },
  { command: 'wait', limit: '--timeout', document: 'json' },
  { command: 'get', type: 'lds', limit: '--timeout', document: 'json' },
];

const LIMIT_MS = 800;
/** For what is not waiting. */
const SLACK_MS = 3000;

interface BadPeer {
  open(): Promise<Peer>;
  /** Spoken to in TLS unless told otherwise. */
  plaintext?: true;
  code: number;
  sentence: RegExp;
}

let certificate: Issued;
beforeAll(async () => {
  certificate = await (await TestAuthority.create('ca')).issue();
});

const PEERS: Record<string, BadPeer> = {
  'nobody is there': {
    open: async () => ({ uri: `127.0.0.1:${await freePort()}`, close: () => {} }),
    plaintext: true,
    code: 69,
    sentence: /URI cannot be reached: nothing listens there: is it running, and is the address right\?/m,
  },
  'an HTTP/1 server': {
    open: () => listening(createHttpServer((_request, response) => response.end('hello'))),
    plaintext: true,
    code: 69,
    sentence: /URI cannot be reached: it does not speak HTTP\/2: is this the port for gRPC\?/m,
  },
  'a server that closes every connection': {
    open: () => tcpPeer((socket) => socket.end()),
    plaintext: true,
    code: 69,
    sentence: /URI cannot be reached: the peer closed the connection: does it speak gRPC on this port, /m,
  },
  'a server that says nothing': {
    open: () => tcpPeer(() => {}),
    plaintext: true,
    code: 75,
    sentence:
      /URI has sent nothing of what was asked for within .*s: does it speak xDS on this port, and know this node\?|no answer within .* from URI$/m,
  },
  'TLS spoken to a plaintext server': {
    open: async () => LiveServer.start(() => {}),
    code: 69,
    sentence: /URI cannot be reached: the server does not speak TLS on this port: .*--plaintext/m,
  },
  'plaintext spoken to a TLS server': {
    open: async () =>
      LiveServer.start(
        () => {},
        ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(certificate.key), cert_chain: Buffer.from(certificate.certificate) },
        ]),
      ),
    plaintext: true,
    code: 69,
    sentence: /URI cannot be reached: the peer closed the connection: .* TLS\?/m,
  },
  'a gRPC server without ADS': {
    open: withoutAds,
    plaintext: true,
    code: 69,
    sentence: /URI end(s|ed) the stream with.*UNIMPLEMENTED.* ADS/m,
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

/** What may stand on stdout: nothing for people, whole documents for scripts. */
function expectNoData(stdout: string, document: string | undefined): void {
  if (document === 'json') expect(JSON.parse(stdout)).toHaveProperty('schema');
  else if (document === 'ndjson')
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('kind');
  else expect(stdout).toBe('');
}

const ROWS = CONNECTING.flatMap((row) => Object.entries(PEERS).map(([name, peer]) => ({ ...row, name, peer })));

describe('a control plane that cannot be talked to', () => {
  it.concurrent.each(ROWS)('$command, $name', async ({ command, type, limit, document, peer }) => {
    const { open, plaintext = false, code, sentence } = peer;
    const opened = await open();
    const { uri } = opened;
    try {
      for (const output of [undefined, document]) {
        const argv = [
          command,
          ...(type === undefined ? [] : [type]),
          'greeter',
          '--server',
          uri,
          limit,
          `${LIMIT_MS}ms`,
        ];
        if (output !== undefined) argv.push('-o', output);
        const began = patientClock.now();
        const run = await runCli(plaintext ? [...argv, '--plaintext'] : argv);
        expect(patientClock.now() - began).toBeLessThan(LIMIT_MS + SLACK_MS);
        expect(run.code, run.stderr).toBe(code);
        expect(run.stderr).toMatch(new RegExp(sentence.source.replaceAll('URI', uri.replaceAll('.', '\\.')), 'm'));
        expect(
          run.stderr.match(
            /^( *→ |xds-inspect: )?(The control plane )?127\.0\.0\.1:\d+ (cannot|has|end)|no answer within/gm,
          ),
        ).toHaveLength(1);
        // Events are data, also those that tell of a failure; and what is asked for in vain has been seen.
        if (command === 'watch' && output === undefined) expect(run.stdout).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} .*\n)+$/);
        else if (code === 69 || output !== undefined) expectNoData(run.stdout, output);
      }
    } finally {
      opened.close();
    }
  });
});

describe.each(CONNECTING)('$command', ({ command, type, document }) => {
  const words = type === undefined ? [command] : [command, type];

  it.skipIf(type !== undefined).each(['', 'xds:', 'xds:///', 'xds://authority/', '#server:'])(
    'the target "%s"',
    async (target) => {
      expect(await runCli([command, target, 'greeter'])).toMatchObject({
        code: 64,
        stdout: '',
        stderr: `xds-inspect: empty target "${target}": give what a program dials, such as xds:///greeter\n`,
      });
    },
  );

  it('two -o', async () => {
    const first = command === 'watch' ? 'lines' : 'yaml';
    expect(await runCli([...words, 'greeter', '-o', first, '--output', document])).toMatchObject({
      code: 64,
      stdout: '',
      stderr: `xds-inspect: --output is given 2 times, as ${first} and ${document}: give one\nTry: xds-inspect ${command} --help\n`,
    });
    const once = await runCli([...words, 'greeter', '-o', document, '-o', document, '-b', 'nowhere.json']);
    expect(once.code).toBe(65);
    const overruled = await runCli([...words, 'greeter', '-o', document, '-b', 'nowhere.json'], {
      XDS_INSPECT_OUTPUT: first,
    });
    expect(overruled.code).toBe(65);
  });
});
