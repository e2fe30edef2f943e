import { computed, signal } from '@preact/signals';
import { clockTime } from '../../base/clock-time.js';
import { extent } from './store.js';

/** The connection of a live page to the tool. Times are those of the tool's clock. */
export type Connection =
  | { kind: 'none' }
  | { kind: 'connected' }
  /** The browser tries to connect again. */
  | { kind: 'lost'; since: number }
  /** The tool has ended. */
  | { kind: 'ended'; at: number; reason: string };

export const connection = signal<Connection>({ kind: 'none' });

/** The state of the connection in words; undefined if the page is not live. */
export const connectionText = computed<string | undefined>(() => {
  const state = connection.value;
  switch (state.kind) {
    case 'none':
      return undefined;
    case 'connected':
      return 'live';
    case 'lost':
      return `reconnecting since ${timeText(state.since)}`;
    case 'ended':
      return `xds-inspect ended at ${timeText(state.at)}: ${state.reason}`;
  }
});

/** What a live page does not show any more. */
export const forgottenText = computed<string | undefined>(() => {
  const { start, from } = extent.value;
  if (connection.value.kind === 'none' || from <= start) return undefined;
  return `Older than ${timeText(from)} is not shown: a live page keeps the most recent part of a long session.`;
});

function timeText(at: number): string {
  return clockTime(at).slice(0, 8);
}
