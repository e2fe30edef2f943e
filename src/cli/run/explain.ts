import { type ExplainedCall, explainDocument, explainOutcome } from '../../view/explain.js';
import { unreachableSentences } from '../../view/unreachable.js';
import type { ExplainInput } from '../commands/explain.js';
import type { Printer } from '../printer.js';
import { type ViewOf, waitUntilSettled } from './show.js';

/** The options that describe an RPC. */
export type CallInput = Pick<ExplainInput, 'method' | 'header' | 'deadline' | 'timeoutRules'> & {
  defaultAuthority?: string | undefined;
};

/** `explain`: predicts the outcome of one RPC, or of all routes, once the configuration has settled. */
export function explainView(
  input: CallInput & Pick<ExplainInput, 'output'> & Partial<Pick<ExplainInput, 'timeout' | 'noProbe'>>,
  out: Printer,
): ViewOf {
  const { output, timeout, noProbe } = input;
  return (inspection) => ({
    ...waitUntilSettled(inspection, timeout),
    probes: noProbe !== true,
    print: async (result) => {
      const document = explainDocument(result, callOf(input));
      await out.print('explain', output, document, { now: result.now });
      return { ...explainOutcome(document, result), sentences: unreachableSentences(result, output) };
    },
  });
}

export function callOf({ method, header, deadline, timeoutRules, defaultAuthority }: CallInput): ExplainedCall {
  return {
    isAnyCall: method === undefined && header.length === 0 && deadline === undefined,
    call: { path: method ?? '/', metadata: header },
    deadlineMs: deadline,
    rules: timeoutRules,
    serverAuthority: defaultAuthority,
  };
}
