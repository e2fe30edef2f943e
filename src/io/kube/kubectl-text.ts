/** The beginning of a line of kubectl's log library: `E1119 14:48:01.242694    3949 portforward.go:413] `. */
const LOG_PREFIX = /^[EWIF]\d{4} \S+ +\d+ [^\]]*\] /;
const MAX_LINES = 3;
const MAX_CHARACTERS = 600;

/** The last different lines of an error of kubectl, as a sentence. Its log counts only if there is nothing else. */
export function lastLines(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const plain = lines.filter((line) => line !== '' && !LOG_PREFIX.test(line));
  const chosen = plain.length > 0 ? plain : lines.map((line) => line.replace(LOG_PREFIX, '')).filter(Boolean);
  const text = [...new Set(chosen)].slice(-MAX_LINES).join('; ');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** What to do about an error of kubectl; the first match applies. */
const ADVICE: [RegExp, string][] = [
  [/context was not found|context "[^"]*" does not exist/i, 'see: kubectl config get-contexts'],
  [
    /current-context must exist|connection to the server localhost:8080 was refused/i,
    'kubectl has no cluster: set --kubeconfig or --kube-context',
  ],
  [
    /\(Forbidden\)|is forbidden/i,
    'the user of the kubectl context needs the permission: get on the object and its pods, and create on pods/portforward',
  ],
  [
    /\(Unauthorized\)|must be logged in|getting credentials/i,
    'log in to the cluster first: kubectl cannot ask for a password here',
  ],
  [/namespaces? .* not found/i, 'check the namespace'],
  [/\(NotFound\)|not found/i, 'check the namespace and the name'],
  [/does not have a (?:service |named )?port/i, 'check the port: that of the service, or of a container of the pod'],
  [
    /unable to forward port because pod is not running|no pods? (?:found|running)|timed out waiting for the condition/i,
    'no pod of it runs: see kubectl get pods',
  ],
  [/address already in use|unable to listen on/i, 'another process uses the local port'],
];

/** The error with what to do about it. */
export function withAdvice(error: string): string {
  const advice = ADVICE.find(([pattern]) => pattern.test(error))?.[1];
  return advice === undefined ? error : `${error} (${advice})`;
}
