import { computed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { countText } from '../../../base/count-text.js';
import type { ScopeStatus } from '../../status.js';
import { resourceBars, versionsText } from '../../timeline/resource-bars.js';
import type { ResourceSummary, TimelineRow } from '../../timeline/rows.js';
import { density } from '../../timeline/scale.js';
import type { ServerBars } from '../../timeline/server-bars.js';
import { countStates, worstStatesFirst } from '../../worst-first.js';
import { Icon, type IconKind, statusIcon } from '../icons.js';
import { onListKey } from '../list-keys.js';
import {
  extent,
  history,
  hoveredResource,
  isSameResource,
  reportScope,
  revision,
  scope,
  selectedResource,
  selectResource,
  targetRef,
} from '../store.js';
import { shortName } from '../text.js';
import { isPrinting, MAX_PRINTED } from '../theme.js';
import { RowBars } from './bars.js';
import { rows, type ShownRow, unfolded, visibleWindow } from './model.js';
import { nameLimit } from './name-width.js';
import { heldBackFor } from './used-version.js';

const ROW_HEIGHT = 20;
/** Rows outside the visible part that are drawn, too. */
const MARGIN = 6;

/** The rows of resources and servers. Only the visible ones are drawn: there may be thousands. */
export function ResourceRows(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(200);
  const active = useSignal(0);
  const all = rows.value;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      height.value = element.clientHeight;
      document.documentElement.style.setProperty('--scrollbar', `${element.offsetWidth - element.clientWidth}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [height]);
  // A resource that was selected elsewhere becomes the active row.
  useSignalEffect(() => {
    const index = rows.value.findIndex(
      (row) => row.kind === 'resource' && isSameResource(row.resource, selectedResource.value),
    );
    if (index < 0) return;
    active.value = index;
    if (box.current !== null) reveal(box.current, index);
  });
  const isOnPaper = isPrinting.value;
  const first = isOnPaper ? 0 : Math.max(0, Math.floor(top.value / ROW_HEIGHT) - MARGIN);
  const visible = Math.ceil((top.value + height.value) / ROW_HEIGHT) + MARGIN;
  const last = Math.min(all.length, isOnPaper ? MAX_PRINTED : visible);
  const move = (index: number): void => {
    active.value = index;
    if (box.current !== null) reveal(box.current, index);
  };
  return (
    <div
      ref={box}
      class="rows"
      role="listbox"
      aria-label="Resources and servers, worst first"
      tabIndex={0}
      aria-activedescendant={`row-${active.value}`}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
      onKeyDown={onListKey(all.length, active.value, move, (index) => activate(all[index]))}
    >
      <div class="rows-space" style={{ height: `${(isOnPaper ? last : all.length) * ROW_HEIGHT}px` }}>
        {all.slice(first, last).map((row, i) => (
          <Row
            key={keyOf(row)}
            row={row}
            index={first + i}
            isActive={first + i === active.value}
            onClick={() => {
              active.value = first + i;
              activate(row);
            }}
          />
        ))}
      </div>
    </div>
  );
}

function reveal(box: HTMLElement, index: number): void {
  const y = index * ROW_HEIGHT;
  if (y < box.scrollTop) box.scrollTop = y;
  else if (y + ROW_HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = y + ROW_HEIGHT - box.clientHeight;
}

function keyOf(row: ShownRow): string {
  if (row.kind === 'server') return `server ${row.server.authority} ${row.server.priority}`;
  return row.kind === 'fold' ? `fold ${row.type}` : `${row.resource.type} ${row.resource.name}`;
}

function activate(row: ShownRow | undefined): void {
  if (row?.kind === 'resource') selectResource({ type: row.resource.type, name: row.resource.name }, 'resource');
  if (row?.kind !== 'fold') return;
  const open = new Set(unfolded.peek());
  if (!open.delete(row.type)) open.add(row.type);
  unfolded.value = open;
}

interface RowProps {
  row: ShownRow;
  index: number;
  isActive: boolean;
  onClick(): void;
}

function Row({ row, index, isActive, onClick }: RowProps): JSX.Element {
  const ref = row.kind === 'resource' ? { type: row.resource.type, name: row.resource.name } : undefined;
  const isSelected = isSameResource(ref, selectedResource.value);
  const isHovered = isSameResource(ref, hoveredResource.value);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
    <div
      role="option"
      id={`row-${index}`}
      tabIndex={-1}
      aria-selected={isSelected}
      class={`row r-${row.kind}${isActive ? ' active' : ''}${isHovered ? ' hovered' : ''}`}
      style={{ top: `${index * ROW_HEIGHT}px` }}
      onClick={(event) => {
        if ((event.target as Element).closest('.row-name') !== null) onClick();
      }}
      onPointerEnter={() => {
        hoveredResource.value = ref;
      }}
      onPointerLeave={() => {
        hoveredResource.value = undefined;
      }}
    >
      <div class="row-name">
        {row.kind === 'resource' ? (
          <ResourceName resource={row.resource} />
        ) : row.kind === 'fold' ? (
          <FoldName row={row} />
        ) : (
          <ServerName server={row.server} />
        )}
      </div>
      <div class="row-plot">
        {row.kind === 'resource' ? (
          <ResourcePlot resource={row.resource} />
        ) : row.kind === 'fold' ? (
          <FoldPlot row={row} />
        ) : (
          <RowBars bars={row.server} window={visibleWindow.value} />
        )}
      </div>
    </div>
  );
}

function ResourceName({ resource: { type, typeUrl, name } }: { resource: ResourceSummary }): JSX.Element {
  const entry = scope.value?.entry(typeUrl, name);
  const used = entry && heldBackFor(entry);
  const uses = used === undefined ? '' : `, uses ${used}`;
  const value = entry === undefined ? '' : shortName(`${versionsText(entry)}${uses}`, 16);
  return (
    <>
      <Icon kind={statusIcon(entry?.status, entry?.resource !== undefined)} label={entry?.status ?? 'not requested'} />
      <span class="kind">{shortName(type, 8)}</span>
      <span class="name">{shortName(name, nameLimit(value))}</span>
      <span class="value">{value}</span>
    </>
  );
}

function ResourcePlot({ resource: { typeUrl, name } }: { resource: ResourceSummary }): JSX.Element | null {
  revision.value;
  const past = history.value?.versionsOf(targetRef.value?.scope ?? '', typeUrl, name) ?? [];
  return <RowBars bars={resourceBars(past, extent.value.end)} window={visibleWindow.value} />;
}

type Fold = Extract<TimelineRow, { kind: 'fold' }>;

function FoldName({ row: { type, isOpen, resources } }: { row: Fold }): JSX.Element {
  const states = worstStatesFirst(
    countStates(resources.flatMap(({ status }) => (status === undefined ? [] : [{ status }]))),
  );
  const [only, ...others] = states;
  const text = only !== undefined && others.length === 0 ? `, all ${only[0]}` : '';
  return (
    <>
      <span class="twist">{isOpen ? '▾' : '▸'}</span>
      <span class="kind">{shortName(type, 8)}</span>
      <span class="name quiet">
        {countText(resources.length, 'resource')}
        {text}
      </span>
      <Icon kind="ok" />
    </>
  );
}

const PARTS = 240;
const densities = new WeakMap<object, { key: string; parts: number[] }>();

/** How many resources of the type changed, over time. */
function FoldPlot({ row }: { row: Fold }): JSX.Element {
  const [from, to] = visibleWindow.value;
  const key = `${from} ${to}`;
  const known = densities.get(row.resources);
  const parts =
    known?.key === key
      ? known.parts
      : density(
          row.resources.flatMap(({ updates }) => updates),
          from,
          to,
          PARTS,
        );
  densities.set(row.resources, { key, parts });
  const most = Math.max(1, ...parts);
  return (
    <>
      <span class="thread" />
      {parts.map((count, i) =>
        count === 0 ? null : (
          <span
            key={i}
            class="tick"
            style={{ left: `${(100 * i) / PARTS}%`, opacity: 0.45 + (0.55 * count) / most }}
            title={countText(count, 'update')}
          />
        ),
      )}
    </>
  );
}

const statusOfServers = computed<ReadonlyMap<string, ScopeStatus['authorities'][number]['servers'][number]>>(
  () =>
    new Map(
      (reportScope.value?.authorities ?? []).flatMap(({ name, servers }) =>
        servers.map((server) => [`${name} ${server.priority}`, server] as const),
      ),
    ),
);

function ServerName({ server: { authority, uri, priority } }: { server: ServerBars }): JSX.Element {
  const status = statusOfServers.value.get(`${authority} ${priority}`);
  const [icon, text]: [IconKind, string] =
    status === undefined
      ? ['none', '']
      : status.state === 'failed'
        ? ['error', status.retryAt === null ? 'failed' : 'backoff']
        : status.active
          ? ['ok', 'active']
          : ['none', status.state === 'ok' ? 'connected' : 'idle'];
  return (
    <>
      <Icon kind={icon} />
      <span class="kind">{ORDINALS[priority] ?? `${priority + 1}th`}</span>
      <span class="name">{shortName(uri, nameLimit(text))}</span>
      <span class="value">{text}</span>
    </>
  );
}

const ORDINALS = ['1st', '2nd', '3rd'];
