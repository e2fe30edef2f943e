/** JSON with a line for each case or scenario, so that changes can be seen. */
export function oneCaseALine(recording: object): string {
  const lines = Object.entries(recording).map(([key, value]) => {
    if (key !== 'cases' && key !== 'scenarios') return `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    const items = (value as unknown[]).map((one) => JSON.stringify(one)).join(',\n');
    return `${JSON.stringify(key)}:[\n${items}\n]`;
  });
  return `{${lines.join(',\n')}}\n`;
}
