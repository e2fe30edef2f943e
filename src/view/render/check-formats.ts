import { type CheckReport, checkDocument } from '../../inspect/expect/report.js';
import type { Page } from '../formats.js';
import { checkText } from './check.js';
import { jsonText } from './json.js';

export function checkJson(report: CheckReport): string {
  return jsonText(checkDocument(report));
}

export function checkReportText(report: CheckReport, { listsAll, paint }: Page): string {
  return checkText(report, listsAll, paint);
}
