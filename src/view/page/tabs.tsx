import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';

export interface TabItem<T extends string> {
  id: T;
  label: string;
  /** A short text beside the label, such as a count. */
  count?: string | undefined;
}

/** A list of tabs: arrows move, as in the pattern of ARIA. */
export function TabList<T extends string>({
  label,
  items,
  selected,
  children,
}: {
  label: string;
  items: readonly TabItem<T>[];
  selected: Signal<T>;
  children?: ComponentChildren;
}): JSX.Element {
  const current = items.find(({ id }) => id === selected.value)?.id ?? items[0]?.id;
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const index = items.findIndex(({ id }) => id === current);
    const next = items[(index + step + items.length) % items.length];
    if (next === undefined) return;
    selected.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {items.map(({ id, label: text, count }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`tab-${id}`}
            aria-controls={`panel-${id}`}
            aria-selected={id === current}
            tabIndex={id === current ? 0 : -1}
            onClick={() => {
              selected.value = id;
            }}
          >
            {text}
            {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
