import type { ExplainView } from '../../../../src/inspect/explain/explanation.js';
import type { Outcome } from '../app.js';

/** A predicted outcome. */
interface Expected {
  code: string;
  message: string;
}

/** Whether a call had a predicted outcome; random choices have several. Undefined without a prediction. */
export function agrees(explanation: ExplainView, got: Outcome): boolean | undefined {
  const expected = expectedOf(explanation);
  if (expected === undefined) return undefined;
  const isExpected = expected.some(
    ({ code, message }) => code === got.code && withoutAddress(message) === withoutAddress(got.message),
  );
  return isExpected && (got.code !== 'OK' || isPredictedBackend(explanation, got));
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
  return message.replace(/(ipv4:127\.0\.0\.1|ipv6:%5B::1%5D):\d+: Failed to connect/, 'ADDRESS: Failed to connect');
}

/** Backends respond with their port. With several possible clusters, the addresses are those of only one. */
function isPredictedBackend({ addresses, paths, chains }: ExplainView, { answer }: Outcome): boolean {
  return chains.length > 0 || paths.length > 1 || addresses.some((address) => address.endsWith(`:${answer}`));
}
