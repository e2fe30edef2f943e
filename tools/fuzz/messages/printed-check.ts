import { Problems } from '../../../src/base/problem.js';
import { type Catalogue, xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { printAny } from '../../../src/proto/json/print.js';
import { jsonText } from '../../../src/view/render/json.js';
import { checkOutput } from '../outputs.js';
import { require } from '../violation.js';

/** Prints a message as proto JSON, checks the text, and parses it again: the result must print the same. */
export function checkPrinted(typeUrl: string, value: Uint8Array, catalogue: Catalogue = xdsCatalogue): void {
  const printed = printAny(catalogue, typeUrl, value);
  const text = jsonText(printed, false);
  checkOutput({ text, format: 'json', source: 'proto JSON' }, value.length);
  const problems = new Problems();
  const any = parseAny(catalogue, printed, problems);
  require(any !== undefined, 'print-parse', () => `${JSON.stringify(problems.list)}: ${text.slice(0, 1000)}`);
  const [was, is] = [printed, printAny(catalogue, any.typeUrl, any.value)].map((one) => jsonText(filled(one), false));
  require(was === is, 'print-parse', () => {
    const at = [...(was ?? '')].findIndex((character, i) => character !== is?.[i]);
    return `first ${excerpt(was, at)}, then ${excerpt(is, at)}`;
  });
}

/** Without empty lists: a packed field of length 0 is printed as one, and not written again. */
function filled(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(filled);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return Object.fromEntries(entries.map(([key, value]) => [key, filled(value)]));
}

function excerpt(text = '', at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 300), at + 200));
}
