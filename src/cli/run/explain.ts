import { shownValue } from '../../base/secret-name.js';
import { type ExplainedCall, explainDocument, explainOutcome } from '../../view/explain.js';
import type { PageState } from '../../view/page-data.js';
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
  input: CallInput & Pick<ExplainInput, 'output'> & Partial<Pick<ExplainInput, 'timeout' | 'noProbe' | 'showSecrets'>>,
  out: Printer,
): ViewOf {
  const { output, timeout, noProbe } = input;
  return (inspection) => ({
    ...waitUntilSettled(inspection, timeout),
    probes: noProbe !== true,
    page: callState(input),
    print: async (result) => {
      const document = explainDocument(result, callOf(input));
      if (output !== 'html') await out.print('explain', output, document, { now: result.now });
      return { ...explainOutcome(document, result), sentences: unreachableSentences(result, output) };
    },
  });
}

/** The RPC as a page shows it first, without secrets. */
export function callState({ method, header, deadline, showSecrets }: CallInput & { showSecrets?: boolean }): PageState {
  const shown = header.map(([name, value]): [string, string] => [
    name,
    showSecrets === true ? value : shownValue(name, value),
  ]);
  return {
    side: 'rpc',
    ...(method !== undefined && { method }),
    ...(header.length > 0 && { headers: shown }),
    ...(deadline !== undefined && { deadlineMs: deadline }),
  };
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
