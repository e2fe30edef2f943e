import type { Problems } from '../base/problem.js';
import { isSecretName } from '../base/secret-name.js';
import { addMismatch, flag, mapOf, type Shape, text } from '../base/shape.js';
import { authorityProblem } from './dial.js';
import { readKubeTarget } from './kube-target.js';
import { unusableSocket } from './server-address.js';
import { checkedHeader, type XdsHeader } from './xds-headers.js';

/** The control plane that a file names. Paths are relative to the file. */
export interface ConnectionSettings {
  bootstrap?: string;
  server?: string;
  kube?: string;
  kubeContext?: string;
  kubeconfig?: string;
  plaintext?: boolean;
  insecure?: boolean;
  cacert?: string;
  cert?: string;
  key?: string;
  authority?: string;
  tokenFile?: string;
  xdsHeader?: readonly XdsHeader[];
}

/** The address of an xDS server, as `--server` takes it. */
export const server: Shape<string> = (value, problems) => {
  if (typeof value !== 'string') return addMismatch(problems, 'host:port', value);
  const why = unusableSocket(value);
  if (why !== undefined) return problems.add(why);
  return /^[^/]*[^/:]:\d+$/.test(value) || /^(dns|ipv[46]|unix):/.test(value)
    ? value
    : addMismatch(problems, 'host:port', value);
};

/** A server in Kubernetes, as `--kube` takes it. */
export const kube: Shape<string> = (value, problems) => {
  if (typeof value !== 'string') return addMismatch(problems, 'NAMESPACE/svc/NAME:PORT', value);
  const read = readKubeTarget(value);
  return read.ok ? value : problems.add(read.problem);
};

/** A name that becomes an argument of kubectl. */
export const kubeName: Shape<string> = (value, problems) => {
  const read = text(value, problems);
  return read === '' || read?.startsWith('-')
    ? addMismatch(problems, 'a name that does not begin with -', value)
    : read;
};

export const authority: Shape<string> = (value, problems) => {
  const read = text(value, problems);
  const problem = read === undefined ? undefined : authorityProblem(read);
  return problem === undefined ? read : problems.add(problem);
};

/** Headers by name. Values are never quoted. */
export const xdsHeaders: Shape<XdsHeader[]> = (value, problems) => {
  const headers: XdsHeader[] = [];
  for (const [name, one] of mapOf(text)(value, problems) ?? []) {
    const read = checkedHeader(name, one.trim());
    if (isSecretName(name))
      problems.addAt([name], 'secrets are not allowed in this file: use "token_file", or -H of the command line');
    else if (read.ok) headers.push(read.header);
    else problems.addAt([name], read.problem);
  }
  return headers;
};

export const connectingFields = {
  bootstrap: text,
  server,
  kube,
  kube_context: kubeName,
  kubeconfig: kubeName,
  plaintext: flag,
  insecure: flag,
  cacert: text,
  cert: text,
  key: text,
  authority,
  token_file: text,
  xds_headers: xdsHeaders,
};

type Present<T> = T | undefined;

/** The settings as a file spells them. */
interface ConnectionText {
  bootstrap?: Present<string>;
  server?: Present<string>;
  kube?: Present<string>;
  kube_context?: Present<string>;
  kubeconfig?: Present<string>;
  plaintext?: Present<boolean>;
  insecure?: Present<boolean>;
  cacert?: Present<string>;
  cert?: Present<string>;
  key?: Present<string>;
  authority?: Present<string>;
  token_file?: Present<string>;
  xds_headers?: Present<readonly XdsHeader[]>;
}

/** The settings of a control plane, without the other keys beside them. */
export function connectionOf(read: ConnectionText): ConnectionSettings {
  const settings = {
    ...{ bootstrap: read.bootstrap, server: read.server, kube: read.kube, kubeContext: read.kube_context },
    ...{ kubeconfig: read.kubeconfig, plaintext: read.plaintext, insecure: read.insecure, cacert: read.cacert },
    ...{ cert: read.cert, key: read.key, authority: read.authority, tokenFile: read.token_file },
    xdsHeader: read.xds_headers,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

const OF_KUBE = ['kube_context', 'kubeconfig'] as const;
const OF_SERVER = ['plaintext', 'insecure', 'cacert', 'cert', 'key', 'authority', 'token_file', 'xds_headers'] as const;

/** Checks combinations of keys, like those of the flags with the same names. */
export function checkConnecting(wanted: ConnectionText, problems: Problems): void {
  const add = (key: string, message: string): undefined => problems.addAt([key], message);
  const named = (['bootstrap', 'server', 'kube'] as const).filter((key) => wanted[key] !== undefined);
  const [last, other] = named.reverse();
  if (last !== undefined && other !== undefined) add(last, `"${last}" and "${other}" exclude each other`);
  const hasServer = 'server' in wanted || 'kube' in wanted;
  for (const key of OF_SERVER) if (key in wanted && !hasServer) add(key, 'requires "server" or "kube"');
  for (const key of OF_KUBE) if (key in wanted && !('kube' in wanted)) add(key, 'requires "kube"');
  const { plaintext, insecure, cacert, cert, key, token_file } = wanted;
  if (plaintext === true && (insecure === true || (cacert ?? cert ?? key ?? token_file) !== undefined))
    add('plaintext', 'excludes "insecure", "cacert", "cert", "key" and "token_file"');
  checkPair(wanted, problems);
}

/** A certificate requires its key, and vice versa. */
export function checkPair(wanted: object, problems: Problems): void {
  if ('cert' in wanted !== 'key' in wanted)
    problems.at('cert' in wanted ? 'cert' : 'key', () => problems.add('"cert" and "key" require each other'));
}

/** The key that names the control plane. */
export function connectingKey({ server: uri, kube: object }: ConnectionText): 'bootstrap' | 'server' | 'kube' {
  return uri !== undefined ? 'server' : object !== undefined ? 'kube' : 'bootstrap';
}
