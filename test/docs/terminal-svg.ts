/** The colours of a report (src/view/render/paint.ts), by the code that sets each. */
const COLOURS: Readonly<Record<string, string>> = {
  1: ' fill="#f0f6fc" font-weight="bold"',
  2: ' fill="#8b949e"',
  31: ' fill="#ff7b72"',
  32: ' fill="#7ee787"',
  33: ' fill="#e3b341"',
  36: ' fill="#79c0ff"',
};
const [COLUMN, LINE, MARGIN, BAR] = [8.4, 20, 16, 36];

/** A picture of terminal output. Every cell has its column, so that tables align in any font. */
export function terminalSvg(title: string, lines: readonly string[], columns: number): string {
  const width = columns * COLUMN + 2 * MARGIN;
  const height = BAR + lines.length * LINE + MARGIN;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, i) => `<circle cx="${MARGIN + 6 + 20 * i}" cy="18" r="6" fill="${fill}"/>`,
  );
  const texts = lines.flatMap((line, i) => {
    const y = BAR + (i + 1) * LINE - 6;
    return line === '' ? [] : [`<text y="${y}" xml:space="preserve">${spans(line)}</text>`];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#c9d1d9">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** The text of a picture, line by line, without blank lines. */
export function svgText(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, inner = '']) =>
    inner
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
  );
}

export function plainText(line: string): string {
  return partsOf(line)
    .map(({ text }) => text)
    .join('');
}

function spans(line: string): string {
  let column = 0;
  return partsOf(line)
    .flatMap(({ text, colour }) => (text.match(/.+?(?: {2,}|$)/g) ?? []).map((cell) => ({ cell, colour })))
    .map(({ cell, colour }) => {
      const x = (MARGIN + column * COLUMN).toFixed(1);
      column += [...cell].length;
      return `<tspan x="${x}"${colour}>${escaped(cell)}</tspan>`;
    })
    .join('');
}

/** The text with its colours; the colours of a report are never nested. */
function partsOf(line: string): { text: string; colour: string }[] {
  const [first = '', ...rest] = line.split('\u001b[');
  const parts = rest.map((part) => {
    const [, code = '', text = ''] = /^(\d+)m(.*)$/s.exec(part) ?? [];
    return { text, colour: COLOURS[code] ?? '' };
  });
  return [{ text: first, colour: '' }, ...parts].filter(({ text }) => text !== '');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
