import type { JSX } from 'preact';

/** A placeholder. */
export function RpcPane(): JSX.Element {
  return <p class="empty">RPC</p>;
}
