import type { GoType } from './go-decode.js';
import { indented } from './go-text.js';
import type { RawNode } from './raw-json.js';
import { Rejection } from './rejection.js';

/** A google.protobuf.Struct, which protojson reads: it also rejects repeated keys, large numbers and half surrogates. */
export const goMetadata: GoType<RawNode | undefined> = {
  name: 'structpb.Struct',
  decode(node, _before, scope) {
    if (node.kind === 'null') return undefined;
    const text = indented(node);
    const place = (at: number): string => {
      const before = text.slice(0, at).split('\n');
      return `(line ${before.length}:${(before.at(-1) ?? '').length + 1})`;
    };
    const rejected = (reason: string): never => {
      throw new Rejection(`proto:\u00a0${reason}`, scope.steps);
    };
    if (node.kind !== 'object') {
      const token = node.kind === 'array' ? '[' : text;
      return rejected(`syntax error ${place(0)}: unexpected token ${token}`);
    }
    let at = 0;
    const check = (value: RawNode): void => {
      at = text.indexOf(firstToken(value), at);
      if (value.kind === 'string') checkString(value.raw);
      else if (value.kind === 'number' && !Number.isFinite(Number(value.text)))
        rejected(`${place(at)}: invalid google.protobuf.Value: ${value.text}`);
      else if (value.kind === 'array') value.elements.forEach(check);
      else if (value.kind === 'object') {
        const seen = new Set<string>();
        for (const { key, raw, node: member } of value.members) {
          at = text.indexOf(raw, at);
          checkString(raw);
          if (seen.has(key)) rejected(`${place(at)}: duplicate map key ${raw}`);
          seen.add(key);
          at += raw.length;
          check(member);
        }
      }
      if (value.kind !== 'object' && value.kind !== 'array') at += firstToken(value).length;
    };
    const checkString = (raw: string): void => {
      const half = /\\u[dD](?:[89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|[c-fC-F][0-9a-fA-F]{2})/;
      const rest = raw
        .replace(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g, '')
        .replaceAll('\\\\', '');
      const [found] = half.exec(rest) ?? [];
      if (found !== undefined) rejected(`syntax error ${place(at)}: invalid escape code "${found}" in string`);
    };
    check(node);
    return node;
  },
};

function firstToken(node: RawNode): string {
  return node.kind === 'object' ? '{' : node.kind === 'array' ? '[' : indented(node);
}
