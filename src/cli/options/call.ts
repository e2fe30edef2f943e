import { fromBase64 } from '../../base/base64.js';
import { UsageError } from '../../base/failure.js';
import { methodPath } from '../../base/method-path.js';
import { choice, duration, list, type Option, value } from '../option.js';

const headers = list('Metadata of the RPC as name:value; may be repeated');

/** The RPC to explain. */
export const callOptions = {
  method: value('Method of the RPC: /package.Service/Method', 'TEXT', {}, (typed, name) => {
    const path = typed === '/' ? typed : methodPath(typed);
    if (path === undefined) throw new UsageError(`--${name} takes /package.Service/Method, not "${typed}"`);
    return path;
  }),
  header: { ...headers, read: (typed, name) => headers.read(typed, name).map(readHeader) } satisfies Option<
    [string, string][]
  >,
  deadline: positive(duration('Deadline that the application sets'), '--deadline must be longer than 0s'),
  'timeout-rules': choice(
    'Timeouts that apply: today (max_stream_duration), or a31 (as gRFC A31 proposes)',
    ['today', 'a31'],
    { default: 'today' },
  ),
};

/** Rejects a duration of 0. */
export function positive<T extends number | undefined>(option: Option<T>, problem: string): Option<T> {
  return {
    ...option,
    read: (typed, name) => {
      const millis = option.read(typed, name);
      if (millis === 0) throw new UsageError(problem);
      return millis;
    },
  };
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':', 1);
  const name = text.slice(0, colon).toLowerCase();
  if (colon < 1 || !/^[0-9a-z_.-]+$/.test(name)) throw new UsageError(`--header takes name:value, not "${text}"`);
  const content = text.slice(colon + 1).trim();
  if (name.endsWith('-bin') && fromBase64(content) === undefined) {
    throw new UsageError(`--header ${name}: a binary value must be base64, and "${content}" is not`);
  }
  return [name, content];
}
