/** A port of an object in Kubernetes, to which kubectl forwards a local port. */
export interface KubeTarget {
  /** Undefined: the namespace of the kubectl context. */
  namespace: string | undefined;
  /** As kubectl takes it: `svc`, `pod`, `deploy`. */
  kind: string;
  name: string;
  /** A number or the name of a port. */
  port: string;
}

/** How kubectl finds the cluster. */
export interface KubeSettings {
  context: string | undefined;
  kubeconfig: string | undefined;
}

export type KubeTargetResult = { ok: true; target: KubeTarget } | { ok: false; problem: string };

const SCHEME = 'kube:';

const KINDS: Readonly<Record<string, string>> = {
  ...{ svc: 'svc', service: 'svc', services: 'svc' },
  ...{ pod: 'pod', pods: 'pod', po: 'pod' },
  ...{ deploy: 'deploy', deployment: 'deploy', deployments: 'deploy' },
};

const FORM = '[NAMESPACE/](svc|pod|deploy)/NAME:PORT, such as istio-system/svc/istiod:15012';
/** The names of objects and of ports. None begins with `-`, which kubectl would read as a flag. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const PORT_NAME = /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_PORT = 65_535;

/** Reads `[NAMESPACE/]KIND/NAME:PORT`. The problem is a predicate. */
export function readKubeTarget(text: string): KubeTargetResult {
  const refused = (why: string): KubeTargetResult => ({ ok: false, problem: `takes ${FORM}: ${why}` });
  const colon = text.lastIndexOf(':');
  if (colon < 0) return refused('the port is missing');
  const [port, words] = [text.slice(colon + 1), text.slice(0, colon).split('/')];
  const [name = '', typed, namespace, ...more] = words.reverse();
  if (typed === undefined || more.length > 0) return refused(`"${text}" does not have this form`);
  const kind = Object.hasOwn(KINDS, typed) ? KINDS[typed] : undefined;
  if (kind === undefined) return refused(`"${typed}" is none of svc, pod and deploy`);
  if (namespace !== undefined && !LABEL.test(namespace)) return refused(`"${namespace}" is not a namespace`);
  if (!NAME.test(name)) return refused(`"${name}" is not the name of an object`);
  if (!isPort(port)) return refused(`"${port}" is neither a port from 1 to ${MAX_PORT} nor the name of one`);
  return { ok: true, target: { namespace, kind, name, port } };
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) ? Number(text) > 0 && Number(text) <= MAX_PORT : PORT_NAME.test(text);
}

/** The name of the server in all output, also as `server_uri`: `kube:istio-system/svc/istiod:15012`. */
export function kubeUri(text: string): string {
  return `${SCHEME}${text}`;
}

/** The text after `kube:`; undefined for other addresses. */
export function kubeText(uri: string): string | undefined {
  return uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : undefined;
}

/** The words after `kubectl` for a port-forward. Without a local port, kubectl chooses a free one. */
export function portForwardWords(target: KubeTarget, settings: KubeSettings, localPort: number | undefined): string[] {
  return [
    'port-forward',
    '--address=127.0.0.1',
    // kubectl waits a minute for a pod that does not run.
    '--pod-running-timeout=10s',
    ...clusterWords(settings),
    ...(target.namespace === undefined ? [] : [`--namespace=${target.namespace}`]),
    `${target.kind}/${target.name}`,
    `${localPort ?? ''}:${target.port}`,
  ];
}

/** The words after `kubectl` that print the namespace of the kubectl context, which may be empty. */
export function namespaceWords(settings: KubeSettings): string[] {
  return ['config', 'view', '--minify', '--output=jsonpath={..namespace}', ...clusterWords(settings)];
}

function clusterWords({ context, kubeconfig }: KubeSettings): string[] {
  return [
    ...(context === undefined ? [] : [`--context=${context}`]),
    ...(kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`]),
  ];
}

/** The DNS name of a service inside the cluster, for which control planes have certificates. */
export function serviceName({ name }: KubeTarget, namespace: string): string {
  return `${name}.${namespace}.svc`;
}
