import type { Problems } from '../base/problem.js';
import { addMismatch, flag, type Shape, text } from '../base/shape.js';

/** The control plane that a file names. Paths are relative to the file. */
export interface ConnectionSettings {
  bootstrap?: string;
  server?: string;
  plaintext?: boolean;
  cacert?: string;
  cert?: string;
  key?: string;
}

/** The address of an xDS server, as `--server` takes it. */
export const server: Shape<string> = (value, problems) => {
  if (typeof value === 'string' && (/^[^/]*[^/:]:\d+$/.test(value) || /^(dns|ipv[46]|unix):/.test(value))) return value;
  return addMismatch(problems, 'host:port', value);
};

export const connectingFields = { bootstrap: text, server, plaintext: flag, cacert: text, cert: text, key: text };

const OF_SERVER = ['plaintext', 'cacert', 'cert', 'key'] as const;

/** Checks combinations of keys, like those of the flags with the same names. */
export function checkConnecting(wanted: ConnectionSettings, problems: Problems): void {
  const { bootstrap, plaintext, cacert, cert, key } = wanted;
  if (bootstrap !== undefined && 'server' in wanted)
    problems.at('server', () => problems.add('"server" and "bootstrap" exclude each other'));
  for (const name of OF_SERVER)
    if (name in wanted && !('server' in wanted)) problems.at(name, () => problems.add('requires "server"'));
  if (plaintext === true && (cacert ?? cert ?? key) !== undefined)
    problems.at('plaintext', () => problems.add('excludes "cacert", "cert" and "key"'));
  checkPair(wanted, problems);
}

/** A certificate requires its key, and vice versa. */
export function checkPair(wanted: object, problems: Problems): void {
  if ('cert' in wanted !== 'key' in wanted)
    problems.at('cert' in wanted ? 'cert' : 'key', () => problems.add('"cert" and "key" require each other'));
}

/** The key that names the control plane. */
export function connectingKey(wanted: ConnectionSettings): 'bootstrap' | 'server' {
  return wanted.server === undefined ? 'bootstrap' : 'server';
}
