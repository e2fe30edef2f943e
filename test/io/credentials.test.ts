import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectionHint } from '../../src/base/connection-hint.js';
import { statusName } from '../../src/base/status.js';
import type { CallCreds, ChannelCreds, TlsFiles } from '../../src/bootstrap/bootstrap.js';
import { ADS_METHOD } from '../../src/core/sotw.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { filesOf, type Issued, TestAuthority } from '../support/certificates.js';
import { until } from '../support/until.js';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

let authority: TestAuthority;
let stranger: TestAuthority;
beforeAll(async () => {
  authority = await TestAuthority.create('the authority');
  stranger = await TestAuthority.create('a stranger');
});

const bytes = (value: Buffer): Buffer => value;
const SERVICE = {
  ads: {
    path: ADS_METHOD,
    requestStream: true,
    responseStream: true,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;

/** A TLS server that returns the authorization header of each stream. */
async function serve(identity: Issued, clientCa?: string): Promise<string> {
  const server = new Server();
  server.addService(SERVICE, {
    ads: (call: ServerDuplexStream<Buffer, Buffer>) => {
      call.on('data', () => call.write(Buffer.from(String(call.metadata.get('authorization')[0] ?? 'nobody'))));
      call.on('end', () => call.end());
      call.on('error', () => {});
    },
  });
  const pair = { private_key: Buffer.from(identity.key), cert_chain: Buffer.from(identity.certificate) };
  const creds = ServerCredentials.createSsl(
    clientCa === undefined ? null : Buffer.from(clientCa),
    [pair],
    clientCa !== undefined,
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', creds, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  cleanups.push(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

interface Outcome {
  answer?: string;
  failure?: string;
  ended?: string;
}

/** Connects, sends one message, and waits for the first result. */
async function attempt(uri: string, creds: ChannelCreds, callCreds: CallCreds[] = []): Promise<Outcome> {
  const outcome: Outcome = {};
  const connection = new GrpcTransport().connect({ uri, creds, callCreds }, (state, reason) => {
    if (state === 'transient-failure') outcome.failure ??= reason;
  });
  cleanups.push(() => connection.close());
  const stream = connection.open(ADS_METHOD, {
    onSent: () => {},
    onMessage: (message) => {
      outcome.answer = Buffer.from(message).toString();
    },
    onEnd: (status) => {
      outcome.ended = `${statusName(status.code)} ${status.message}`;
    },
  });
  stream.read();
  stream.send(new Uint8Array(1));
  await until(() => Object.keys(outcome).length > 0, 'the connection succeeds or fails');
  stream.cancel();
  return outcome;
}

function tls(files: Partial<TlsFiles>): ChannelCreds {
  return {
    type: 'tls',
    files: {
      certificate: undefined,
      privateKey: undefined,
      caCertificate: undefined,
      spiffeBundleMap: undefined,
      refreshIntervalMs: 600_000,
      ...files,
    },
  };
}

function written(texts: Record<string, string>): Record<string, string> {
  const files = filesOf(texts);
  cleanups.push(() => rmSync(files.folder as string, { recursive: true }));
  return files;
}

describe('tls credentials, over real handshakes', () => {
  it('connect to a server with a certificate of the CA', async () => {
    const files = written({ ca: authority.pem });
    expect(await attempt(await serve(await authority.issue()), tls({ caCertificate: files.ca }))).toEqual({
      answer: 'nobody',
    });
  });

  it('send a client certificate if the server requests one', async () => {
    const client = await authority.issue();
    const files = written({ ca: authority.pem, cert: client.certificate, key: client.key });
    const uri = await serve(await authority.issue(), authority.pem);
    expect(
      await attempt(uri, tls({ caCertificate: files.ca, certificate: files.cert, privateKey: files.key })),
    ).toEqual({ answer: 'nobody' });
  });

  const failures: { title: string; server: () => Promise<Issued>; ca: () => string; want: RegExp }[] = [
    {
      title: 'an expired certificate',
      server: () => authority.issue({ daysLeft: -2 }),
      ca: () => authority.pem,
      want: /has expired/,
    },
    {
      title: 'a certificate for another name',
      server: () => authority.issue({ names: ['other.example'] }),
      ca: () => authority.pem,
      want: /does not contain the dialled name/,
    },
    {
      title: 'an unknown CA',
      server: () => authority.issue(),
      ca: () => stranger.pem,
      want: /a CA that is not trusted here/,
    },
  ];
  for (const { title, server, ca, want } of failures) {
    it(`report ${title}`, async () => {
      const files = written({ ca: ca() });
      const { answer, failure } = await attempt(await serve(await server()), tls({ caCertificate: files.ca }));
      expect(answer).toBeUndefined();
      expect(connectionHint(failure ?? '')).toMatch(want);
    });
  }

  it('report a CA that the system does not trust', async () => {
    expect((await attempt(await serve(await authority.issue()), tls({}))).failure).toMatch(
      /unable to (verify|get)|self.signed certificate/,
    );
  });

  it('fail if the server requires a client certificate and there is none', async () => {
    const files = written({ ca: authority.pem });
    const { answer, failure, ended } = await attempt(
      await serve(await authority.issue(), authority.pem),
      tls({ caCertificate: files.ca }),
    );
    expect(answer).toBeUndefined();
    expect(connectionHint(`${failure ?? ''}${ended ?? ''}`)).toMatch(
      /requires a client certificate|closed the connection/,
    );
  });

  it('use a CA file that is corrected while the client retries', async () => {
    const files = written({ ca: stranger.pem });
    const uri = await serve(await authority.issue());
    const creds = tls({ caCertificate: files.ca, refreshIntervalMs: 1000 });
    const outcome: Outcome = {};
    const connection = new GrpcTransport().connect({ uri, creds, callCreds: [] }, (state, reason) => {
      if (state === 'transient-failure') outcome.failure = reason;
    });
    cleanups.push(() => connection.close());
    const stream = connection.open(ADS_METHOD, {
      onSent: () => {},
      onMessage: () => {
        outcome.answer = 'yes';
      },
      onEnd: () => {},
    });
    stream.read();
    stream.send(new Uint8Array(1));
    await until(() => outcome.failure !== undefined, 'the unknown CA is rejected');
    writeFileSync(files.ca as string, authority.pem);
    await until(() => outcome.answer !== undefined, 'the new CA is used');
    stream.cancel();
  });

  it('report a missing file', async () => {
    const { failure } = await attempt('127.0.0.1:1', tls({ caCertificate: '/nonexistent/ca.pem' }));
    expect(failure).toMatch(/credentials cannot be used: .*\/nonexistent\/ca\.pem/);
  });
});

describe('call credentials', () => {
  it('send the token in the file, and the new token after a change', async () => {
    const files = written({ ca: authority.pem, token: 'first\n' });
    const uri = await serve(await authority.issue());
    const creds = tls({ caCertificate: files.ca });
    const callCreds: CallCreds[] = [{ type: 'jwt_token_file', path: files.token as string }];
    expect(await attempt(uri, creds, callCreds)).toEqual({ answer: 'Bearer first' });
    writeFileSync(files.token as string, 'second');
    expect(await attempt(uri, creds, callCreds)).toEqual({ answer: 'Bearer second' });
  });

  it('fail streams on an insecure channel once it is connected, as in C-core', async () => {
    const server = new Server();
    const answer = (call: ServerDuplexStream<Buffer, Buffer>): void => {
      call.on('data', () => call.write(Buffer.from('answer')));
    };
    server.addService(SERVICE, { ads: answer });
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    cleanups.push(() => server.forceShutdown());
    const files = written({ token: 'secret' });
    const token: CallCreds[] = [{ type: 'jwt_token_file', path: files.token as string }];
    expect(await attempt(`127.0.0.1:${port}`, { type: 'insecure' }, token)).toEqual({
      ended:
        'UNAUTHENTICATED Established channel does not have a sufficient security level to transfer call credential.',
    });
  });

  it('end the stream with the reason if the file cannot be read', async () => {
    const files = written({ ca: authority.pem });
    const { ended } = await attempt(await serve(await authority.issue()), tls({ caCertificate: files.ca }), [
      { type: 'jwt_token_file', path: '/nonexistent/token' },
    ]);
    expect(ended).toMatch(/the token in \/nonexistent\/token cannot be read: no such file/);
  });
});

describe('google_default', () => {
  it('requests a token from the metadata server', async () => {
    const requests: string[] = [];
    const metadata: HttpServer = createServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['metadata-flavor']}`);
      response.setHeader('metadata-flavor', 'Google');
      response.setHeader('content-type', 'application/json');
      response.end(
        request.url?.includes('/token')
          ? JSON.stringify({ access_token: 'from-metadata', expires_in: 3600, token_type: 'Bearer' })
          : '{}',
      );
    });
    await new Promise<void>((ready) => metadata.listen(0, '127.0.0.1', ready));
    cleanups.push(() => metadata.close());
    const before = { ...process.env };
    process.env.GCE_METADATA_HOST = `127.0.0.1:${(metadata.address() as AddressInfo).port}`;
    process.env.METADATA_SERVER_DETECTION = 'assume-present';
    delete process.env.GOOGLE_APPLICATION_CREDENTIALS;
    cleanups.push(() => {
      process.env = before;
    });
    // The channel trusts only public CAs, so the test checks the token at its source.
    const { googleToken } = await import('../../src/io/credentials.js');
    expect(await googleToken()).toBe('from-metadata');
    expect(requests.some((line) => line.includes('/computeMetadata/v1/instance/service-accounts/default/token'))).toBe(
      true,
    );
  });
});
