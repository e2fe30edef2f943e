import { blobId, DATA_ID, type PageData } from '../page-data.js';
import { escapeHidden, visibleName } from '../visible-text.js';

/** Code or styles of the page, and their hash for the Content-Security-Policy. */
export interface PageAsset {
  text: string;
  /** SHA-256 in base64. */
  sha256: string;
}

/** Everything that a report page contains. */
export interface ReportPage {
  data: PageData;
  style: PageAsset;
  /** Unpacks and runs the scripts. */
  loader: PageAsset;
  /** In gzip and base64, with the hash of the unpacked code. */
  scripts: readonly PageAsset[];
  /** Each blob in base64, in parts. They are read once for each output of the page. */
  blobs: readonly Iterable<string>[];
}

const NO_SCRIPT = 'This report needs JavaScript. It is part of this file: nothing is loaded from the network.';

/** The page as one HTML file. It loads nothing: the Content-Security-Policy allows only its own code, by hash. */
export function* pageParts({ data, style, loader, scripts, blobs }: ReportPage): Iterable<string> {
  yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield `<meta http-equiv="Content-Security-Policy" content="${policy(style, [loader, ...scripts], data.mode)}">\n`;
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n';
  yield '<meta name="referrer" content="no-referrer">\n';
  yield `<title>${htmlText(`${visibleName(data.title)} – xds-inspect`)}</title>\n`;
  yield `<style>${style.text}</style>\n</head>\n<body>\n`;
  yield `<noscript>${NO_SCRIPT}</noscript>\n<div id="app"></div>\n`;
  yield `<script type="application/json" id="${DATA_ID}">${jsonBlock(data)}</script>\n`;
  for (const [number, parts] of blobs.entries()) {
    yield `<script type="text/plain" id="${blobId(number)}">`;
    yield* parts;
    yield '</script>\n';
  }
  for (const { text } of scripts) yield `<script type="application/gzip">${text}</script>\n`;
  yield `<script>${loader.text}</script>\n`;
  yield '</body>\n</html>\n';
}

export function policy(style: PageAsset, scripts: readonly PageAsset[], mode: PageData['mode']): string {
  const hash = ({ sha256 }: PageAsset): string => `'sha256-${sha256}'`;
  return [
    "default-src 'none'",
    `script-src ${scripts.map(hash).join(' ')}`,
    `style-src ${hash(style)}`,
    'img-src data:',
    ...(mode === 'live' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** JSON in which no text can end the element or start a comment. */
function jsonBlock(data: unknown): string {
  return escapeHidden(JSON.stringify(data), 'json').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

/** Text for an element or an attribute in double quotes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
