import { fromBase64 } from '../../base/base64.js';
import type { Millis } from '../../base/duration.js';
import { methodPath } from '../../base/method-path.js';
import type { Problems } from '../../base/problem.js';
import {
  addMismatch,
  duration,
  isMapping,
  listOf,
  mapOf,
  oneOf,
  record,
  type Shape,
  type ShapeValue,
  text,
} from '../../base/shape.js';
import { STATUS_CODES } from '../../base/status.js';
import type { ExpectedFact } from './expectations.js';
import { textMatch } from './read-match.js';

const method: Shape<string> = (value, problems) => {
  const path = typeof value === 'string' ? methodPath(value) : undefined;
  return path ?? addMismatch(problems, '/package.Service/Method', value);
};

/** Reads headers. A header with several values is repeated. */
const headers: Shape<[string, string][]> = (value, problems) => {
  const read = mapOf((one, inner) => (Array.isArray(one) ? listOf(text)(one, inner) : [text(one, inner)]))(
    value,
    problems,
  );
  for (const [name, values] of read ?? []) problems.at(name, () => checkHeader(name, values, problems));
  return read && [...read].flatMap(([name, values]) => values.map((one): [string, string] => [name, one ?? '']));
};

function checkHeader(name: string, values: readonly (string | undefined)[], problems: Problems): void {
  if (!/^[0-9a-z_.-]+$/.test(name))
    problems.add('a header name consists of lower-case letters, digits, "_", "." and "-"');
  if (name.endsWith('-bin') && values.some((one) => one !== undefined && fromBase64(one) === undefined))
    problems.add('a binary header value must be base64');
}

const percent: Shape<number> = (value, problems) => {
  if (typeof value === 'number' && value >= 0 && value <= 100) return value;
  return addMismatch(problems, 'a percentage from 0 to 100', value);
};

const deadline: Shape<Millis> = (value, problems) => {
  const read = duration(value, problems);
  if (read === 0) problems.add('must be longer than 0s');
  return read;
};

const timeLimit: Shape<Millis | 'none'> = (value, problems) => (value === 'none' ? value : duration(value, problems));

const outcomeShape = record({
  status: oneOf(STATUS_CODES),
  message: textMatch,
  cluster: text,
  clusters: mapOf(percent),
  timeout: timeLimit,
});

const rpcShape = record({
  method,
  headers,
  deadline,
  timeout_rules: oneOf(['today', 'a31']),
  expect: outcomeShape,
});

type RpcText = ShapeValue<typeof rpcShape>;

/** Reads `- /package.Service/Method`, for an RPC that must succeed, or a mapping. */
export const rpc: Shape<RpcText> = (value, problems) => {
  const read = rpcShape(typeof value === 'string' ? { method: value } : value, problems);
  if (isMapping(value) && isMapping(value.expect) && 'cluster' in value.expect && 'clusters' in value.expect)
    problems.at('expect', () => problems.add('expected either "cluster" or "clusters"'));
  return read;
};

/** Rejects keys about routing for a server target: a gRPC server does not forward RPCs. */
export function checkServed({ expect = {} }: RpcText, problems: Problems): void {
  for (const key of ['cluster', 'clusters', 'timeout'] as const)
    if (key in expect)
      problems.at('expect', () => problems.at(key, () => problems.add('applies only to targets that clients dial')));
}

export function rpcExpectation({ method: path = '/', ...wanted }: RpcText): Extract<ExpectedFact, { kind: 'rpc' }> {
  const { status = 'OK', message, cluster, clusters, timeout } = wanted.expect ?? {};
  return {
    kind: 'rpc',
    call: { path, metadata: wanted.headers ?? [] },
    deadline: wanted.deadline,
    rules: wanted.timeout_rules ?? 'today',
    outcome: { status, message, cluster, clusters, timeout },
  };
}
