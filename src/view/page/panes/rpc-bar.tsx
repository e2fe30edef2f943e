import type { JSX } from 'preact';

/** A placeholder. */
export function RpcBar(): JSX.Element {
  return <p class="empty">RPC bar</p>;
}
