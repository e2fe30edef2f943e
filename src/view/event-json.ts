import { type Status, statusName } from '../base/status.js';
import type { Event } from '../core/event.js';
import { shortType } from '../proto/resource-types.js';
import { timestamp } from '../proto/timestamp.js';

/** An event as one JSON object. Its fields are stable; status codes are names and times are RFC 3339. */
export function eventJson(event: Event): Record<string, unknown> {
  const { at, scope, kind, ...rest } = event;
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    TIMES.has(name) && typeof value === 'number' ? timestamp(value) : jsonValue(value),
  ]);
  const type = 'typeUrl' in event ? { type: event.typeUrl === undefined ? null : shortType(event.typeUrl) } : {};
  return { at: timestamp(at), scope, kind, ...type, ...Object.fromEntries(fields) };
}

/** Fields that are points in time. */
const TIMES: ReadonlySet<string> = new Set(['begin', 'end', 'last']);

function jsonValue(value: unknown): unknown {
  if (value === undefined) return null;
  if (isStatus(value)) return { code: statusName(value.code), message: value.message };
  if (Array.isArray(value)) return value.map(jsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonValue(one)]));
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'code' in value && 'message' in value;
}
