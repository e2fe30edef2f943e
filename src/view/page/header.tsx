import type { JSX } from 'preact';
import { clockTime } from '../../base/clock-time.js';
import { countText } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import { connection, connectionText, forgottenText } from './connection.js';
import { FindBox } from './find.js';
import { isHelpOpen } from './keys.js';
import { clientIndex, data, extent, hasHistory, result, session, sessions } from './store.js';
import { shortLine, shortName } from './text.js';
import { toggleTheme } from './theme.js';

/** What the page is about. */
export function Header(): JSX.Element {
  const { start, end } = extent.value;
  const { as, node, verdicts } = result.value ?? {};
  const title = data.value?.title ?? '';
  return (
    <header class="top">
      <Logo />
      <strong>xds-inspect</strong>
      <span class="mono">{shortName(title, 60)}</span>
      {sessions.value.length > 1 && <ClientSelect />}
      {node !== undefined && node.id !== '' && (
        <span>
          node <span class="mono">{shortName(node.id, 30)}</span>
        </span>
      )}
      <span>{countText(verdicts?.length ?? 0, 'target')}</span>
      {hasHistory.value && (
        <span>
          observed {formatMillis(end - start)} from {clockTime(start).slice(0, 8)}
        </span>
      )}
      {as !== undefined && (
        <span>
          as <span class="mono">{as}</span>
        </span>
      )}
      {connectionText.value !== undefined && (
        <span class={`live ${connection.value.kind}`} role="status">
          {connectionText.value}
        </span>
      )}
      <span class="spring" />
      <FindBox />
      <button type="button" class="plain" title="Light or dark (t)" aria-label="Light or dark" onClick={toggleTheme}>
        ◐
      </button>
      <button
        type="button"
        class="plain"
        title="Keys (?)"
        aria-label="Keys"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}

function ClientSelect(): JSX.Element {
  return (
    <label>
      client{' '}
      <select
        value={String(clientIndex.value)}
        onChange={(event) => {
          clientIndex.value = Number(event.currentTarget.value);
        }}
      >
        {sessions.value.map(({ name }, i) => (
          <option key={name} value={String(i)}>
            {shortName(name, 60)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Sentences about the data, such as damage to a recording, or a process that did not respond to CSDS. */
export function Remarks(): JSX.Element | null {
  const isCsds = data.value?.mode === 'csds';
  const shown = isCsds ? sessions.value : sessions.value.filter((one) => one === session.value);
  const remarks = [
    ...new Set(shown.flatMap((one) => one.remarks)),
    ...(isCsds ? [NO_HISTORY] : []),
    ...(forgottenText.value === undefined ? [] : [forgottenText.value]),
  ];
  if (remarks.length === 0) return null;
  return (
    <div class="remarks" role="note">
      {remarks.map((remark) => (
        <p key={remark}>{shortLine(remark, 600)}</p>
      ))}
    </div>
  );
}

const NO_HISTORY =
  'CSDS reports the current state of a client only, without events. So there is no timeline, and no what-if run.';

function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d="M6 10h3l4-5M9 10l4 5" />
      <circle cx="4" cy="10" r="2.2" />
      <circle cx="15" cy="4.5" r="2.2" />
      <circle cx="15" cy="15.5" r="2.2" />
    </svg>
  );
}
