import type { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface Issued {
  certificate: string;
  key: string;
}

/** A certificate authority for one test; by default its certificates are valid for loopback. */
export class TestAuthority {
  readonly #root: X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;
  readonly pem: string;
  #serial = 1;

  private constructor(root: X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#root = root;
    this.#keys = keys;
    this.pem = root.toString('pem');
  }

  static async create(name: string): Promise<TestAuthority> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const root = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: `CN=${name}`,
      notBefore: new Date(Date.now() - 400 * DAY_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new BasicConstraintsExtension(true, 1, true)],
    });
    return new TestAuthority(root, keys);
  }

  async issue({ names = ['127.0.0.1'], daysLeft = 1 }: { names?: string[]; daysLeft?: number } = {}): Promise<Issued> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      serialNumber: String(++this.#serial).padStart(2, '0'),
      subject: 'CN=test',
      issuer: this.#root.subject,
      notBefore: new Date(Date.now() - 300 * DAY_MS),
      notAfter: new Date(Date.now() + daysLeft * DAY_MS),
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value })),
        ),
        new ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']),
      ],
    });
    const key = PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
    return { certificate: certificate.toString('pem'), key };
  }
}
