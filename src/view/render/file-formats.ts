import { findingsOf } from '../../inspect/validate/files.js';
import { bootstrapDocument } from '../bootstrap.js';
import type { BootstrapDocument, ValidateDocument } from '../documents.js';
import type { Page } from '../formats.js';
import { validateDocument, validateSuites } from '../validate.js';
import { githubAnnotations } from './annotation.js';
import { bootstrapText } from './bootstrap.js';
import { jsonText } from './json.js';
import { junit } from './junit.js';
import { validateText } from './validate.js';

export function bootstrapReport({ bytes, report }: BootstrapDocument, { isTerminal, paint }: Page): string {
  return bootstrapText(bytes, report, { excerpts: isTerminal, paint });
}

export function bootstrapJson({ report }: BootstrapDocument): string {
  return jsonText(bootstrapDocument(report));
}

export function bootstrapAnnotations({ report }: BootstrapDocument): string {
  return githubAnnotations(report.problems);
}

export function validateReport({ report }: ValidateDocument, { paint }: Page): string {
  return validateText(report, paint);
}

export function validateJson({ report, as }: ValidateDocument): string {
  return jsonText(validateDocument(report, as));
}

export function validateJunit({ report }: ValidateDocument): string {
  return junit(validateSuites(report));
}

export function validateAnnotations({ report }: ValidateDocument): string {
  return githubAnnotations(findingsOf(report));
}
