import type { JsonObject, JsonValue } from './struct-json.js';
import { missingValue, ThrownError } from './thrown-error.js';

const MAX_SECONDS = 315_576_000_000;

type CheckField = (config: JsonObject, field: string, prefix: string) => void;

/** The parts of an outlier_detection config, with their fields in the order of the checks. */
const EJECTIONS: Readonly<Record<string, Readonly<Record<string, CheckField>>>> = {
  success_rate_ejection: {
    stdev_factor: checkNumber,
    enforcement_percentage: checkPercentage,
    minimum_hosts: checkNumber,
    request_volume: checkNumber,
  },
  failure_percentage_ejection: {
    threshold: checkPercentage,
    enforcement_percentage: checkPercentage,
    minimum_hosts: checkNumber,
    request_volume: checkNumber,
  },
};

/** Checks the fields of an outlier_detection config other than its child policy. Throws the error of grpc-js. */
export function checkOutlierDetectionConfig(config: JsonObject): void {
  for (const field of ['interval', 'base_ejection_time', 'max_ejection_time']) checkDuration(config, field);
  checkPercentage(config, 'max_ejection_percent', '');
  for (const [name, fields] of Object.entries(EJECTIONS)) {
    const part = ejection(config, name);
    if (part === undefined) continue;
    for (const [field, check] of Object.entries(fields)) check(part, field, `${name}.`);
  }
}

function ejection(config: JsonObject, field: string): JsonObject | undefined {
  const value = config[field];
  if (value === undefined) return undefined;
  if (typeof value !== 'object') throw new ThrownError(`outlier detection config ${field} must be an object`);
  return value as JsonObject;
}

function checkNumber(config: JsonObject, field: string, prefix: string): void {
  const value = config[field];
  if (value === undefined || typeof value === 'number') return;
  const text = `outlier detection config ${prefix}${field} parse error: expected number, got ${typeof value}`;
  throw new ThrownError(text);
}

function checkPercentage(config: JsonObject, field: string, prefix: string): void {
  checkNumber(config, field, prefix);
  const value = config[field] as number | undefined;
  if (value === undefined || (value >= 0 && value <= 100)) return;
  const text = `outlier detection config ${prefix}${field} parse error: value out of range for percentage (0-100)`;
  throw new ThrownError(text);
}

function checkDuration(config: JsonObject, field: string): void {
  const value = config[field];
  if (value === undefined) return;
  if (value === null) throw missingValue('null', 'seconds');
  const error = `outlier detection config ${field} parse error`;
  const { seconds, nanos } = value as JsonObject;
  if (typeof seconds !== 'number' || typeof nanos !== 'number')
    throw new ThrownError(`${error}: expected Duration, got ${typeof value}`);
  const isInRange = seconds >= 0 && seconds <= MAX_SECONDS && nanos >= 0 && nanos <= 999_999_999;
  if (!isInRange) throw new ThrownError(`${error}: values out of range for non-negative Duaration`);
}

const PERIODS = ['oob_load_reporting_period', 'blackout_period', 'weight_expiration_period', 'weight_update_period'];

/** Checks a weighted_round_robin config. Throws the error of grpc-js. */
export function checkWeightedRoundRobinConfig(config: JsonObject): void {
  checkType(config, 'enable_oob_load_report', 'boolean');
  checkType(config, 'error_utilization_penalty', 'number');
  if ((config.error_utilization_penalty as number) < 0)
    throw new ThrownError('weighted round robin config error_utilization_penalty < 0');
  for (const field of PERIODS) checkPeriod(config[field], `weighted round robin config ${field}`);
}

function checkType(config: JsonObject, field: string, type: string): void {
  const value = config[field];
  if (value === undefined || typeof value === type) return;
  throw new ThrownError(`weighted round robin config ${field} parse error: expected ${type}, got ${typeof value}`);
}

/** A Duration as JSON or as a message, or a text. */
function checkPeriod(value: JsonValue, error: string): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'string') {
    if (!/^\d+(?:\.\d+)?s$/.test(value)) throw new ThrownError(`${error}: failed to parse duration string ${value}`);
    return;
  }
  const { seconds, nanos } = value as JsonObject;
  const isDuration = (typeof seconds === 'number' || typeof seconds === 'string') && typeof nanos === 'number';
  if (!isDuration) throw new ThrownError(`${error}: expected duration, got ${typeof value}`);
}
