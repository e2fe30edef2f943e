import { computed } from '@preact/signals';
import { type ExplainedCall, type Explanation, explanationsOf } from '../explain.js';
import { litPath } from '../graph/lit-path.js';
import { type Call, call, target } from './store.js';

/** The RPC of the RPC bar as `explain` reads it. */
export function explainedCall({ method, headers, deadlineMs }: Call): ExplainedCall {
  return {
    isAnyCall: method === '' && headers.length === 0 && deadlineMs === undefined,
    call: { path: method === '' ? '/' : method, metadata: headers },
    deadlineMs,
    rules: 'today',
  };
}

/** The explanation of the RPC at the selected time. */
export const explanation = computed<Explanation | undefined>(() => {
  const shown = target.value;
  return shown === undefined ? undefined : explanationsOf([shown], explainedCall(call.value))[0];
});

const NONE: ReadonlySet<string> = new Set();

/** The ids of the nodes that the RPC passes; none if no RPC is given. */
export const litNodes = computed<ReadonlySet<string>>(() => {
  const [shown, view] = [target.value, explanation.value];
  return shown === undefined || view === undefined || view.coversAllCalls ? NONE : litPath(shown, view);
});
