import type { JsonNode, ObjectNode } from '../../base/json/node.js';
import type { Json } from '../../proto/json/well-known.js';

const NO_OFFSETS = { start: 0, end: 0 };

/** Converts JSON from a protobuf message to the nodes that the JSON field loaders read. */
export function nodeOf(json: Json): JsonNode {
  if (json === null) return { kind: 'null', ...NO_OFFSETS };
  switch (typeof json) {
    case 'string':
      return { kind: 'string', value: json, ...NO_OFFSETS };
    case 'boolean':
      return { kind: 'boolean', value: json, ...NO_OFFSETS };
    case 'number':
      return { kind: 'number', text: numberText(json), ...NO_OFFSETS };
    default:
      return Array.isArray(json)
        ? { kind: 'array', elements: json.map(nodeOf), ...NO_OFFSETS }
        : objectNodeOf(json as { [key: string]: Json });
  }
}

function objectNodeOf(json: { [key: string]: Json }): ObjectNode {
  const fields = Object.entries(json).map(([key, value]) => [key, { start: 0, node: nodeOf(value) }] as const);
  return { kind: 'object', fields: new Map(fields), ...NO_OFFSETS };
}

/**
 * Prints a double as upb does: with 15 digits if that is exact, otherwise with 17, and with an exponent if the number
 * has more digits than that.
 */
function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const digits = Number(value.toPrecision(15)) === value ? 15 : 17;
  const exponent = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  if (exponent < -4 || exponent >= digits) {
    const [mantissa = '', power = ''] = value.toExponential(digits - 1).split('e');
    const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    return `${trimmed}e${power.replace(/^([+-])(\d)$/, '$10$2')}`;
  }
  const text = value.toPrecision(digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
