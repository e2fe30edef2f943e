import { listOf, oneOf, text } from '../base/shape.js';
import type { RequestKind, RequestPattern } from './scenario.js';

/** The part of a pattern that triggers and expectations share. */
export interface PatternText {
  names?: string[];
  version?: string;
  nonce?: string;
  is?: RequestKind;
  error?: string;
}

export const patternFields = {
  names: listOf(text),
  version: text,
  nonce: text,
  is: oneOf(['asking', 'ack', 'nack', 'any']),
  error: text,
};

export function patternFrom(typeUrl: string, pattern: PatternText, is: RequestKind): RequestPattern {
  const { names, version, nonce, error } = pattern;
  return { typeUrl, names, version, nonce, error, is: pattern.is ?? is };
}
