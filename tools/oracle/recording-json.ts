/** Formats a recording as JSON with one line per case or scenario, so that diffs are readable. */
export function recordingJson(recording: object): string {
  const lines = Object.entries(recording).map(([key, value]) => {
    if (key !== 'cases' && key !== 'scenarios') return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    const items = (value as unknown[]).map((one) => JSON.stringify(one)).join(',\n');
    return `${JSON.stringify(key)}:[\n${items}\n]`;
  });
  return `{${lines.join(',\n')}}\n`;
}
