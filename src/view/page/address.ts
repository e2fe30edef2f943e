import { effect } from '@preact/signals';
import type { PageState } from '../page-data.js';
import { type FragmentState, readFragment, writeFragment } from './fragment.js';
import * as store from './store.js';

/** Shows a state: that of the page when it was written, then that of the fragment. */
export function showState(initial: PageState): void {
  apply({ ...initial, ...readFragment(location.hash) });
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener('hashchange', ({ newURL }) => {
    // Not `location.hash`: a write of the previous state may have replaced it since.
    clearTimeout(timer);
    apply(readFragment(new URL(newURL).hash));
  });
  effect(() => {
    const fragment = writeFragment(currentState());
    clearTimeout(timer);
    timer = setTimeout(() => write(fragment), WRITE_AFTER_MS);
  });
}

/** Browsers ignore changes of the address if there are many. */
const WRITE_AFTER_MS = 150;

function write(fragment: string): void {
  if (`#${fragment}` !== location.hash && (fragment !== '' || location.hash !== ''))
    window.history.replaceState(null, '', `#${fragment}`);
}

function apply(state: FragmentState): void {
  const { client = 0, target, at, window, tab, side, resource, method, headers, deadlineMs, whatIf, theme } = state;
  store.clientIndex.value = client < store.sessions.peek().length ? client : 0;
  const { start } = store.extent.peek();
  if (target !== undefined) store.selectedTarget.value = { scope: '', target };
  store.selectTime(at === undefined ? undefined : start + at);
  store.shownWindow.value = window && [start + window[0], start + window[1]];
  store.tab.value = tab ?? 'graph';
  store.side.value = side ?? 'rpc';
  store.selectedResource.value = resource;
  store.call.value = { method: method ?? '', headers: headers ?? [], deadlineMs };
  store.whatIf.value = whatIf ?? {};
  store.theme.value = theme;
}

function currentState(): FragmentState {
  const { start } = store.extent.peek();
  const { method, headers, deadlineMs } = store.call.value;
  const target = store.selectedTarget.value?.target;
  const at = store.time.value;
  const shown = store.shownWindow.value;
  const resource = store.selectedResource.value;
  const theme = store.theme.value;
  return {
    client: store.clientIndex.value,
    ...(target !== undefined && { target }),
    ...(at !== undefined && { at: at - start }),
    ...(shown !== undefined && { window: [shown[0] - start, shown[1] - start] }),
    tab: store.tab.value,
    side: store.side.value,
    ...(resource !== undefined && { resource }),
    ...(method !== '' && { method }),
    headers,
    ...(deadlineMs !== undefined && { deadlineMs }),
    whatIf: store.whatIf.value,
    ...(theme !== undefined && { theme }),
  };
}
