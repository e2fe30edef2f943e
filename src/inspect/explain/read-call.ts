import { fromBase64 } from '../../base/base64.js';
import { parseMillis } from '../../base/duration.js';
import { methodPath } from '../../base/method-path.js';

/** A part of an RPC as a user typed it, or why it cannot be read. The problem continues a sentence: `--method takes …`. */
export type Typed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Reads `/package.Service/Method`; `/` stands for any method. */
export function readMethod(typed: string): Typed<string> {
  const path = typed === '/' ? typed : methodPath(typed);
  return path === undefined ? failed(`takes /package.Service/Method, not "${typed}"`) : { ok: true, value: path };
}

/** Reads a header as `name:value`. The value of a binary header is base64. */
export function readMetadata(typed: string): Typed<[name: string, value: string]> {
  const colon = typed.indexOf(':', 1);
  const name = typed.slice(0, colon).toLowerCase();
  if (colon < 1 || !/^[0-9a-z_.-]+$/.test(name)) return failed(`takes name:value, not "${typed}"`);
  const content = typed.slice(colon + 1).trim();
  if (name.endsWith('-bin') && fromBase64(content) === undefined)
    return failed(`${name}: a binary value must be base64, and "${content}" is not`);
  return { ok: true, value: [name, content] };
}

/** Reads a deadline such as `250ms` or `5s`. */
export function readDeadline(typed: string): Typed<number> {
  const millis = parseMillis(typed);
  if (millis === undefined) return failed(`takes a time such as 500ms, 10s or 2m, not "${typed}"`);
  return millis === 0 ? failed('must be longer than 0s') : { ok: true, value: millis };
}

function failed(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
