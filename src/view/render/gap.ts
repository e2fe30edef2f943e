import { countText } from '../../base/count-text.js';
import { timestamp } from '../../proto/timestamp.js';
import { isForPeople } from '../formats.js';
import { jsonText } from './json.js';

/** What a live stream prints in place of dropped lines. Lists of names have no place for it. */
export function gapText(format: string, dropped: number, at: number): string {
  if (format === 'ndjson' || format === 'json')
    return jsonText({ at: timestamp(at), scope: '', kind: 'dropped', count: dropped }, true);
  const text = `${countText(dropped, format === 'yaml' ? 'document' : 'line')} dropped: output is not read fast enough`;
  if (format === 'yaml') return `# ${text}\n`;
  return isForPeople(format) ? `… ${text}\n` : '';
}
