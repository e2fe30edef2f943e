import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatMillis } from '../../../base/duration.js';
import { exampleCall } from '../../../inspect/expect/example-call.js';
import { readDeadline, readMetadata, readMethod } from '../../../inspect/explain/read-call.js';
import { explanation } from '../explained.js';
import { Icon } from '../icons.js';
import { call, side, target } from '../store.js';
import { shortLine, shortName } from '../text.js';
import { CALL_ICONS, outcomeOf } from './call-outcome.js';

type Header = readonly [string, string];

/** What the fields contain while it cannot be read, or is not part of the call yet. */
const method = signal('');
const deadline = signal('');
const header = signal('');
/** Headers that are complete; the one being typed is not among them. */
const complete = signal<readonly Header[]>([]);
const problem = signal('');
/** The call that the fields belong to. */
let typed = call.peek();

/** Another pane can set the call: the fields then show it. */
function follow(): void {
  const current = call.value;
  if (current === typed) return;
  typed = current;
  method.value = current.method;
  deadline.value = current.deadlineMs === undefined ? '' : durationText(current.deadlineMs);
  complete.value = current.headers;
  header.value = '';
  problem.value = '';
}

/** Sets the call from the fields, unless one of them has a problem. */
function apply(): void {
  const path = method.value.trim() === '' ? undefined : readMethod(method.value.trim());
  const last = header.value.trim() === '' ? undefined : readMetadata(header.value.trim());
  const limit = deadline.value.trim() === '' ? undefined : readDeadline(deadline.value.trim());
  const problems = [
    path?.ok === false ? `The method ${path.problem}` : '',
    last?.ok === false ? `The header ${last.problem}` : '',
    limit?.ok === false ? `The deadline ${limit.problem}` : '',
  ].filter((text) => text !== '');
  problem.value = problems.join('. ');
  const before = call.peek();
  typed = {
    method: path === undefined ? '' : path.ok ? path.value : before.method,
    headers: last?.ok === true ? [...complete.value, last.value] : complete.value,
    deadlineMs: limit === undefined ? undefined : limit.ok ? limit.value : before.deadlineMs,
  };
  call.value = typed;
}

/** The call to explain: typing lights its path in the graph. */
export function RpcBar(): JSX.Element {
  follow();
  useEffect(() => () => finishHeader(), []);
  return (
    <div class="rpc-bar">
      <label class="field field-method">
        <span>RPC</span>
        <input
          id="rpc-method"
          value={method.value}
          placeholder="any method; /package.Service/Method"
          spellcheck={false}
          autocomplete="off"
          list="rpc-methods"
          aria-invalid={problem.value.startsWith('The method')}
          aria-describedby="rpc-problem"
          onInput={(event) => set(method, event.currentTarget.value)}
        />
      </label>
      <Methods />
      <HeaderField />
      <label class="field field-deadline">
        <span>deadline</span>
        <input
          value={deadline.value}
          placeholder="none"
          spellcheck={false}
          autocomplete="off"
          aria-invalid={problem.value.includes('The deadline')}
          aria-describedby="rpc-problem"
          onInput={(event) => set(deadline, event.currentTarget.value)}
        />
      </label>
      <Result />
    </div>
  );
}

function set(field: { value: string }, text: string): void {
  field.value = text;
  apply();
}

function HeaderField(): JSX.Element {
  return (
    <div class="field field-headers">
      <label for="rpc-header">headers</label>
      {complete.value.map(([name, value], i) => (
        <button
          type="button"
          class="header-chip"
          key={`${i} ${name}`}
          title="Remove this header"
          onClick={() => {
            complete.value = complete.value.filter((_, j) => j !== i);
            apply();
          }}
        >
          {shortName(name, 20)}: {shortName(value, 20)} <span aria-hidden="true">×</span>
          <span class="sr-only">remove</span>
        </button>
      ))}
      <input
        id="rpc-header"
        value={header.value}
        placeholder={complete.value.length === 0 ? 'x-env: canary' : ''}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={problem.value.includes('The header')}
        aria-describedby="rpc-problem"
        onInput={(event) => set(header, event.currentTarget.value)}
        onBlur={finishHeader}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finishHeader();
          if (event.key !== 'Backspace' || header.value !== '' || complete.value.length === 0) return;
          complete.value = complete.value.slice(0, -1);
          apply();
        }}
      />
    </div>
  );
}

/** Enter, or leaving the field, completes the header: the next one can be typed. */
function finishHeader(): void {
  const read = readMetadata(header.value.trim());
  if (!read.ok) return;
  complete.value = [...complete.value, read.value];
  set(header, '');
}

const MOST_METHODS = 50;

/** Suggestions: a method for each of the first routes. */
function Methods(): JSX.Element {
  const state = target.value?.channel.state;
  const routes = state?.kind === 'published' ? state.config.virtualHost.routes : [];
  const methods = routes.slice(0, MOST_METHODS).flatMap((route) => exampleCall(routes, route)?.path ?? []);
  return (
    <datalist id="rpc-methods">
      {[...new Set(methods)].map((one) => (
        <option key={one} value={shortName(one, 200)} />
      ))}
    </datalist>
  );
}

function Result(): JSX.Element | null {
  const view = explanation.value;
  if (problem.value !== '')
    return (
      <p class="rpc-result is-problem" id="rpc-problem" role="alert">
        {shortLine(problem.value, 160)}
      </p>
    );
  if (view === undefined) return null;
  const { state, word } = outcomeOf(view);
  const place = view.route === null || view.coversAllCalls ? '' : routeText(view.route);
  const timeout = view.timeout?.value == null || view.coversAllCalls ? '' : formatMillis(view.timeout.value);
  return (
    <button
      type="button"
      class={`rpc-result is-${state}`}
      id="rpc-problem"
      aria-live="polite"
      title="Explain this RPC"
      onClick={() => {
        side.value = 'rpc';
      }}
    >
      <Icon kind={CALL_ICONS[state]} />
      <strong>{word}</strong>
      <span class="rpc-result-detail">{[place, timeout].filter((text) => text !== '').join(' · ')}</span>
    </button>
  );
}

function routeText({ index, of }: { index: number; of: number }): string {
  if (index < 0) return 'no route matches';
  return index < of ? `route ${index + 1} of ${of}` : `route ${index + 1}`;
}

/** `1500ms`, `5s`: as it can be typed. */
function durationText(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}
