import { isIp } from '../base/ip.js';
import { kubeText, readKubeTarget } from '../bootstrap/kube-target.js';
import { unusableSocket } from '../bootstrap/server-address.js';

/** A process to read, and how. */
export interface ProcessAddress {
  /** As it is printed: `10.0.0.7:50051`, `istio:istiod:15012`. */
  address: string;
  /** `istio`: Istio's view of its proxies over ADS instead of CSDS. */
  kind: 'csds' | 'istio';
  /** What to connect to. */
  target: string;
  /** The DNS name with a port that this is one of several addresses of. */
  name?: string;
}

const ISTIO = 'istio:';
const HOST_PORT = /^[^/\s]*[^/:\s]:\d+$/;
const WITH_SCHEME = /^(dns|ipv[46]|unix|kube):/;
const MAX_PORT = 65_535;

/** Reads an address. Returns a sentence if it is invalid. */
export function readProcessAddress(text: string): ProcessAddress | { problem: string } {
  const kind = text.startsWith(ISTIO) ? 'istio' : 'csds';
  const target = kind === 'istio' ? text.slice(ISTIO.length) : text;
  const problem = problemOf(target);
  if (problem !== undefined) return { problem: `invalid address "${text}": ${problem}` };
  const port = Number(/:(\d+)$/.exec(target)?.[1] ?? 1);
  if ((!HOST_PORT.test(target) && !WITH_SCHEME.test(target)) || port > MAX_PORT) {
    const form = kind === 'istio' ? 'istio:host:port' : 'host:port or unix:/path';
    return { problem: `invalid address "${text}": use ${form}` };
  }
  return { address: text, kind, target };
}

/** A clause about an address in Kubernetes or of a socket that cannot be used. */
function problemOf(target: string): string | undefined {
  const inCluster = kubeText(target);
  if (inCluster === undefined) return unusableSocket(target);
  const read = readKubeTarget(inCluster);
  return read.ok ? undefined : `kube: ${read.problem}`;
}

/** The host name and the port of an address that DNS resolves: `name:port` or `dns:///name:port`. */
export function dnsName({ target }: ProcessAddress): { host: string; port: number } | undefined {
  const [, host = '', port = ''] = /^(?:dns:(?:\/\/\/)?)?([^/:[\]]+):(\d+)$/.exec(target) ?? [];
  return host === '' || isIp(host) || target.startsWith('unix:') ? undefined : { host, port: Number(port) };
}
