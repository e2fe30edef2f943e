import { quoteGo } from '../../base/go-quote.js';
import type { PathStep } from '../../base/problem.js';
import type { CallCreds, ChannelCreds, TlsFiles } from '../bootstrap.js';
import type { Switches } from '../switches.js';
import { type GoType, goRaw, goString, goStruct, unmarshal } from './go-decode.js';
import { indented } from './go-text.js';
import type { RawNode } from './raw-json.js';
import { Crash, Rejection, wrapErrors } from './rejection.js';

/** An entry of channel_creds or call_creds, with its position. */
export interface GoCreds {
  type: string;
  config: RawNode | undefined;
}

const NO_CREDS: GoCreds = { type: '', config: undefined };

export function goCreds(struct: string): { type: GoType<GoCreds>; empty: GoCreds } {
  return { type: goStruct<GoCreds>(struct, { type: goString, config: goRaw }), empty: NO_CREDS };
}

interface FileNames {
  certificate_file: string;
  private_key_file: string;
  ca_certificate_file: string;
  spiffe_trust_bundle_map_file: string;
}

const NO_FILES: FileNames = {
  certificate_file: '',
  private_key_file: '',
  ca_certificate_file: '',
  spiffe_trust_bundle_map_file: '',
};

const FILE_FIELDS = {
  certificate_file: goString,
  private_key_file: goString,
  ca_certificate_file: goString,
  spiffe_trust_bundle_map_file: goString,
};

/** Go prints the fields of a struct without a name. */
function structName(fields: readonly (readonly [name: string, type: string, tag: string])[]): string {
  return `struct { ${fields.map(([name, type, tag]) => `${name} ${type} ${quoteGo(`json:"${tag}"`)}`).join('; ')} }`;
}

const TLS_CONFIG = goStruct<FileNames>(
  '',
  FILE_FIELDS,
  structName([
    ['CertificateFile', 'string', 'certificate_file'],
    ['CACertificateFile', 'string', 'ca_certificate_file'],
    ['PrivateKeyFile', 'string', 'private_key_file'],
    ['SPIFFETrustBundleMapFile', 'string', 'spiffe_trust_bundle_map_file'],
  ]),
);

type PemFileConfig = FileNames & { refresh_interval: RawNode | undefined };

const PEM_FILE_CONFIG = goStruct<PemFileConfig>(
  '',
  { ...FILE_FIELDS, refresh_interval: goRaw },
  structName([
    ['CertificateFile', 'string', 'certificate_file,omitempty'],
    ['PrivateKeyFile', 'string', 'private_key_file,omitempty'],
    ['CACertificateFile', 'string', 'ca_certificate_file,omitempty'],
    ['SPIFFETrustBundleMapFile', 'string', 'spiffe_trust_bundle_map_file,omitempty'],
    ['RefreshInterval', 'json.RawMessage', 'refresh_interval,omitempty'],
  ]),
);

const JWT_CONFIG = goStruct<{ jwt_token_file: string }>(
  '',
  { jwt_token_file: goString },
  structName([['JWTTokenFile', 'string', 'jwt_token_file']]),
);

const NO_JSON = 'unexpected end of JSON input';
const DEFAULT_REFRESH_MS = 600_000;
/** The interval of grpc-go for `0s`. */
const ZERO_REFRESH_MS = 3_600_000;
const MAX_SECONDS = 315_576_000_000;

/** Builds channel credentials; undefined for a type that grpc-go does not know. */
export function buildChannelCreds(
  { type, config }: GoCreds,
  switches: Switches,
  steps: readonly PathStep[],
): ChannelCreds | undefined {
  if (type === 'insecure' || type === 'google_default') return { type };
  if (type !== 'tls') return undefined;
  const at = [...steps, 'config'];
  const names =
    config === undefined
      ? NO_FILES
      : wrapErrors(
          () => unmarshal(TLS_CONFIG, config, NO_FILES, at),
          (cause) => `failed to unmarshal config: ${cause}`,
        );
  const files = tlsFiles(names, switches, DEFAULT_REFRESH_MS);
  if (config === undefined || !(files.certificate || files.privateKey || files.caCertificate || files.spiffeBundleMap))
    return { type: 'tls', files };
  const watched = readPemFiles(config, switches, at);
  // grpc-go watches the files at once; the timer of a negative interval ends the process.
  if (watched.refreshIntervalMs < 0)
    throw new Crash('panic: non-positive interval for NewTicker', [...at, 'refresh_interval']);
  return { type: 'tls', files: watched };
}

/** Reads the configuration of the file_watcher plugin. */
export function readPemFiles(config: RawNode | undefined, switches: Switches, steps: readonly PathStep[]): TlsFiles {
  const text = config === undefined ? '' : indented(config);
  const read = wrapErrors(
    () => {
      if (config === undefined) throw new Rejection(NO_JSON, steps);
      return unmarshal(PEM_FILE_CONFIG, config, { ...NO_FILES, refresh_interval: undefined }, steps);
    },
    (cause) => `pemfile: json.Unmarshal(${text}) failed: ${cause}`,
  );
  const interval = read.refresh_interval;
  const refresh =
    interval === undefined ? DEFAULT_REFRESH_MS : refreshInterval(interval, [...steps, 'refresh_interval']);
  const files = tlsFiles(read, switches, refresh === 0 ? ZERO_REFRESH_MS : refresh);
  const { certificate, privateKey, caCertificate, spiffeBundleMap } = files;
  if (!(certificate || privateKey || caCertificate || spiffeBundleMap))
    throw new Rejection('pemfile: at least one credential file needs to be specified', steps);
  if ((certificate === undefined) !== (privateKey === undefined))
    throw new Rejection(
      'pemfile: private key file and identity cert file should be both specified or not specified',
      steps,
    );
  if (folderOf(certificate ?? '') !== folderOf(privateKey ?? ''))
    throw new Rejection('pemfile: certificate and key file must be in the same directory', steps);
  return files;
}

function tlsFiles(names: FileNames, switches: Switches, refreshIntervalMs: number): TlsFiles {
  const set = (name: string): string | undefined => (name === '' ? undefined : name);
  return {
    certificate: set(names.certificate_file),
    privateKey: set(names.private_key_file),
    caCertificate: set(names.ca_certificate_file),
    spiffeBundleMap: switches.mtlsSpiffe ? set(names.spiffe_trust_bundle_map_file) : undefined,
    refreshIntervalMs,
  };
}

/** Reads a duration as protojson does, in milliseconds. */
function refreshInterval(node: RawNode, steps: readonly PathStep[]): number {
  const text = indented(node);
  const rejected = (reason: string): never => {
    const bytes = [...new TextEncoder().encode(text)].join(' ');
    throw new Rejection(
      `pemfile: protojson.Unmarshal([${bytes}]) failed: proto:\u00a0${reason}`,
      steps,
      `proto:\u00a0${reason}`,
    );
  };
  if (node.kind !== 'string') {
    const token = node.kind === 'object' ? '{' : node.kind === 'array' ? '[' : text;
    return rejected(`syntax error (line 1:1): unexpected token ${token}`);
  }
  const parts = /^([+-]?)(0|[1-9]\d*|(?=\.))(?:\.(\d{0,9}))?s$/.exec(node.value);
  const [, sign, whole = '', fraction = ''] = parts ?? [];
  // The number of seconds is an int64.
  if (parts === null || (whole !== '' && BigInt(whole) >= 2n ** 63n))
    return rejected(`(line 1:1): invalid google.protobuf.Duration value ${text}`);
  if (Number(whole) > MAX_SECONDS) return rejected(`(line 1:1): google.protobuf.Duration value out of range: ${text}`);
  const ms = Number(whole) * 1000 + Number(fraction.padEnd(9, '0')) / 1e6;
  return sign === '-' ? -ms : ms;
}

/** filepath.Dir */
function folderOf(path: string): string {
  const parts: string[] = [];
  const isAbsolute = path.startsWith('/');
  for (const part of path.split('/').slice(0, -1)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push(part);
  }
  const joined = parts.join('/');
  return isAbsolute ? `/${joined}` : joined === '' ? '.' : joined;
}

/** Builds call credentials; undefined for a type that grpc-go does not know. */
export function buildCallCreds({ type, config }: GoCreds, steps: readonly PathStep[]): CallCreds | undefined {
  if (type !== 'jwt_token_file') return undefined;
  const at = [...steps, 'config'];
  const { jwt_token_file: path } = wrapErrors(
    () => {
      if (config === undefined) throw new Rejection(NO_JSON, steps);
      return unmarshal(JWT_CONFIG, config, { jwt_token_file: '' }, at);
    },
    (cause) => `failed to unmarshal JWT call credentials config: ${cause}`,
  );
  if (path === '') throw new Rejection('jwt_token_file is required in JWT call credentials config', at);
  return { type, path };
}
