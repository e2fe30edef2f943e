import { fromBase64 } from '../../base/base64.js';
import { UsageError } from '../../base/failure.js';
import { methodPath } from '../../base/method-path.js';
import { choice, duration, list, type Option, value } from '../option.js';

const headers = list('Metadata of the RPC, name:value; may be given several times');

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
  deadline: positive(duration('Deadline of the application'), '--deadline 0s leaves no time for anything'),
  'timeout-rules': choice(
    "Which timeouts count: today's (max_stream_duration), or those of A31 as proposed",
    ['today', 'a31'],
    { default: 'today' },
  ),
};

/** A time that must not be 0. */
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
    throw new UsageError(`--header ${name}: a binary value is given in base64, and "${content}" is not`);
  }
  return [name, content];
}
