import type { JSX } from 'preact';
import { visible } from '../../visible-text.js';

/** The key of a line in another colour. */
export function YamlText({ text }: { text: string }): JSX.Element {
  const [key = ''] = /^\s*(?:- )*[\w@"./-]+:(?=\s|$)/.exec(text.slice(0, 300)) ?? [];
  return (
    <code>
      <span class="yaml-key">{visible(key)}</span>
      {visible(text.slice(key.length))}
    </code>
  );
}
