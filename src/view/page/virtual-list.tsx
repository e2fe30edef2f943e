import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { countText } from '../../base/count-text.js';
import { onListKey } from './list-keys.js';
import { isPrinting, MAX_PRINTED } from './theme.js';
import { useSize } from './use-size.js';

interface VirtualListProps {
  label: string;
  count: number;
  /** In pixels, the same for all rows. */
  rowHeight: number;
  /** The row that the selection of the page refers to; -1 if there is none. */
  selected: number;
  /** Scrolls to this row when it changes; -1 does not scroll. */
  shown?: number;
  keyOf: (index: number) => string | number;
  children: (index: number) => JSX.Element;
  classOf?: (index: number) => string;
  /** Enter or a click on a row. */
  onActivate?: ((index: number) => void) | undefined;
}

/** Rows outside the visible part that are also elements. */
const MARGIN = 12;

/**
 * A list whose rows become elements only near the visible part. The list itself has the focus, so that it is kept when
 * rows change; arrow keys move the active row.
 */
export function VirtualList(props: VirtualListProps): JSX.Element {
  const { label, count, rowHeight, selected, shown = -1, keyOf, children, classOf, onActivate } = props;
  const [box, { height, top }] = useSize<HTMLDivElement>();
  const [active, setActive] = useState(-1);
  const id = useId();
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((top + Math.max(height, 200)) / rowHeight) + MARGIN);
  const current = Math.min(active >= 0 ? active : selected, count - 1);
  const scrollTo = (index: number, isCentred: boolean): void => {
    const element = box.current;
    if (element === null || index < 0) return;
    const [start, end] = [index * rowHeight, (index + 1) * rowHeight - element.clientHeight];
    if (element.scrollTop <= start && element.scrollTop >= end) return;
    const edge = element.scrollTop > start ? start : end;
    element.scrollTop = isCentred ? start - (element.clientHeight - rowHeight) / 2 : edge;
  };
  useEffect(() => scrollTo(shown, true), [shown, height === 0]);
  const move = (index: number): void => {
    setActive(index);
    scrollTo(index, false);
  };
  if (isPrinting.value) return <PrintedRows {...props} />;
  const rows = [...Array(Math.max(0, last - first)).keys()].map((i) => first + i);
  return (
    <div
      class="virtual-list"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={current >= first && current < last ? `${id}-${current}` : undefined}
      onKeyDown={onListKey(count, current, move, onActivate)}
    >
      <div class="virtual-list-space" style={{ height: `${count * rowHeight}px` }}>
        {rows.map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys
          <div
            key={keyOf(index)}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            aria-setsize={count}
            aria-posinset={index + 1}
            class={`virtual-row ${index === active ? 'is-active ' : ''}${classOf?.(index) ?? ''}`}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            onClick={() => {
              setActive(index);
              onActivate?.(index);
            }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** On paper rows may wrap, and there is no room for 100,000 of them. */
function PrintedRows({ count, children, classOf, keyOf }: VirtualListProps): JSX.Element {
  const shown = Math.min(count, MAX_PRINTED);
  return (
    <div class="printed-rows">
      {[...Array(shown).keys()].map((index) => (
        <div key={keyOf(index)} class={classOf?.(index) ?? ''}>
          {children(index)}
        </div>
      ))}
      {count > shown && <p class="note">and {countText(count - shown, 'more row')}</p>}
    </div>
  );
}
