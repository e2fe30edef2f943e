import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import type { Outcome } from '../app.js';

/** A predicted outcome. */
interface Expected {
  code: string;
  message: string;
}

/** How far an outcome is as predicted: completely, except for its message, or not at all. */
export type Agreement = 'complete' | 'code' | 'none';

/** Compares a call with its predicted outcomes; random choices have several. Undefined without a prediction. */
export function agreementOf(explanation: ExplainView, got: Outcome): Agreement | undefined {
  const expected = expectedOf(explanation);
  if (expected === undefined) return undefined;
  const withCode = expected.filter(({ code }) => code === got.code);
  if (withCode.length === 0 || (got.code === 'OK' && !isPredictedBackend(explanation, got))) return 'none';
  const { message: text = '' } = got;
  return withCode.some(({ message }) => withoutAddress(message) === withoutAddress(text)) ? 'complete' : 'code';
}

function expectedOf({ outcome, status, paths, chains }: ExplainView): Expected[] | undefined {
  if (paths.length > 1) {
    return paths.map((path) => ({ code: path.code ?? path.outcome, message: path.message ?? '' }));
  }
  if (status !== null) return [status];
  const statuses = chains.flatMap((chain) => chain.status ?? []);
  return outcome === 'unknown' && statuses.length === 0 ? undefined : statuses;
}

/** Which of several addresses was tried last depends on the network. */
function withoutAddress(message: string): string {
  return message.replace(/(ipv4:127\.0\.0\.1|ipv6:%5B::1%5D|127\.0\.0\.1|\[::1\]):\d+/g, 'ADDRESS');
}

/** Backends respond with their port. With several possible clusters, the addresses are those of only one. */
function isPredictedBackend({ addresses, paths, chains }: ExplainView, { answer }: Outcome): boolean {
  return chains.length > 0 || paths.length > 1 || addresses.some((address) => address.endsWith(`:${answer}`));
}
