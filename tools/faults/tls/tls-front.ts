import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, type Server, type TlsOptions } from 'node:tls';
import { type Issued, TestAuthority } from './certificate-authority.ts';

const HOST = '127.0.0.1';

/** The shortest interval at which the client reads its certificate files again. */
const REFRESH = '1s';

/** Terminates TLS in front of a control plane without TLS. Its certificate can change while it runs. */
export class TlsFront {
  readonly #target: number;
  readonly #server: Server;
  readonly #folder: string;
  readonly #sockets = new Set<Socket>();
  readonly authority: TestAuthority;
  #isMutual = false;

  private constructor(target: number, folder: string, authority: TestAuthority, options: TlsOptions) {
    this.#target = target;
    this.#folder = folder;
    this.authority = authority;
    this.#server = createServer({ ...options, ALPNProtocols: ['h2'] });
    this.#server.on('connection', (socket) => this.#track(socket));
    // The socket of TLS, not the one below it, closes an established connection.
    this.#server.on('secureConnection', (socket) => this.#serve(socket));
    this.#server.on('tlsClientError', () => {});
  }

  /** With `clients`, a client needs a certificate of that authority. */
  static async start(target: number, folder: string, clients?: TestAuthority): Promise<TlsFront> {
    const authority = await TestAuthority.create('faults');
    const { key, certificate: cert } = await authority.issue();
    const mutual = clients && { requestCert: true, rejectUnauthorized: true, ca: clients.pem };
    const front = new TlsFront(target, mkdtempSync(join(folder, 'tls-')), authority, { key, cert, ...mutual });
    front.#isMutual = clients !== undefined;
    front.trust(authority.pem);
    front.#server.listen(0, HOST);
    await once(front.#server, 'listening');
    return front;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** The credentials of a client, for its bootstrap. */
  get creds(): object {
    const identity = { certificate_file: this.path('client.pem'), private_key_file: this.path('client-key.pem') };
    const config = { ca_certificate_file: this.path('ca.pem'), refresh_interval: REFRESH };
    return { type: 'tls', config: this.#isMutual ? { ...config, ...identity } : config };
  }

  path(file: string): string {
    return join(this.#folder, file);
  }

  /** Writes the CA file of clients. */
  trust(pem: string): void {
    writeFileSync(this.path('ca.pem'), pem);
  }

  /** Presents another certificate, and breaks all connections, so that clients see it. */
  present({ key, certificate: cert }: Issued, options: TlsOptions = {}): void {
    this.#server.setSecureContext({ key, cert, ...options });
    this.cut();
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(this.#folder, { recursive: true });
  }

  #serve(client: Socket): void {
    this.#track(client);
    const server = this.#track(connect(this.#target, HOST));
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    client.pipe(server).pipe(client);
  }

  #track(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
