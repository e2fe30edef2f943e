import { computed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { shortType } from '../../proto/resource-types.js';
import { onListKey } from './list-keys.js';
import { clientIndex, endResult, find, history, revision, selectResource, selectTargetOf } from './store.js';
import { shortName } from './text.js';

interface Found {
  key: string;
  kind: string;
  name: string;
  select(): void;
}

const MAX_FOUND = 12;

/** The targets and resources whose name contains the text. */
const found = computed<readonly Found[]>(() => {
  revision.value;
  const text = find.value.trim().toLowerCase();
  if (text === '') return [];
  const result: Found[] = [];
  for (const { scope, target } of endResult.value?.verdicts ?? [])
    if (target.toLowerCase().includes(text))
      result.push({
        key: `${scope} ${target}`,
        kind: 'target',
        name: target,
        select: () => selectTargetOf(clientIndex.peek(), { scope, target }),
      });
  for (const { scope, typeUrl, name } of resources()) {
    if (result.length >= MAX_FOUND) break;
    const type = shortType(typeUrl);
    if (!`${type} ${name}`.toLowerCase().includes(text)) continue;
    result.push({ key: `${scope} ${type} ${name}`, kind: type, name, select: () => selectFound(scope, type, name) });
  }
  return result.slice(0, MAX_FOUND);
});

function* resources(): Iterable<{ scope: string; typeUrl: string; name: string }> {
  const past = history.value;
  if (past !== undefined) yield* past.resources();
  else
    for (const { scope, entries } of endResult.value?.snapshot ?? [])
      for (const { typeUrl, name } of entries) yield { scope, typeUrl, name };
}

function selectFound(scope: string, type: string, name: string): void {
  const target = endResult.peek()?.verdicts.find((one) => one.scope === scope)?.target;
  if (target !== undefined) selectTargetOf(clientIndex.peek(), { scope, target });
  selectResource({ type, name }, 'resource');
}

export function findInput(): HTMLElement | null {
  return document.getElementById('find');
}

/** Finds a target or a resource by a part of its name. */
export function FindBox(): JSX.Element {
  const active = useSignal(0);
  const isOpen = useSignal(false);
  const all = found.value;
  const choose = (index: number): void => {
    all[index]?.select();
    isOpen.value = false;
    findInput()?.blur();
  };
  const keys = onListKey(
    all.length,
    active.value,
    (index) => {
      active.value = index;
    },
    choose,
  );
  return (
    <div class="find">
      <input
        id="find"
        type="search"
        role="combobox"
        aria-label="Find a target or a resource"
        aria-expanded={isOpen.value && all.length > 0}
        aria-controls="found"
        aria-activedescendant={`found-${active.value}`}
        placeholder="Find a target or a resource"
        autocomplete="off"
        spellcheck={false}
        value={find.value}
        onInput={(event) => {
          find.value = event.currentTarget.value;
          active.value = 0;
          isOpen.value = true;
        }}
        onFocus={() => {
          isOpen.value = true;
        }}
        onBlur={() => {
          isOpen.value = false;
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ' && event.key !== 'Home' && event.key !== 'End') keys(event);
        }}
      />
      <kbd>/</kbd>
      {isOpen.value && find.value.trim() !== '' && (
        <div id="found" role="listbox" aria-label="Found">
          {all.length === 0 && <p class="quiet">Nothing has this name.</p>}
          {all.map(({ key, kind, name }, i) => (
            <div
              key={key}
              id={`found-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === active.value}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(i);
              }}
            >
              <span class="kind">{shortName(kind, 8)}</span>
              <span class="mono">{shortName(name, 60)}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
