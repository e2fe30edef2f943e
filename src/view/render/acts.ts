import { formatMillis } from '../../base/duration.js';
import type { ActPart } from '../documents.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage } from '../visible-text.js';
import type { Paint } from './paint.js';
import { wrapped } from './wrap.js';

const WIDTH = 96;
const INDENT = '  ';

/** The acts of `demo`: what the application says, the command, and between them the views, which print themselves. */
export const actsText = ({ paint, width }: Page) => {
  const fit = (text: string, indent = ''): string =>
    wrapped(text, Math.min(width ?? WIDTH, WIDTH), indent)
      .map((line) => `${line}\n`)
      .join('');
  return (part: ActPart): string => partText(part, paint, fit);
};

function partText(part: ActPart, paint: Paint, fit: (text: string, indent?: string) => string): string {
  switch (part.kind) {
    case 'opening':
      return `${fit(`What goes wrong between gRPC and a control plane, in ${part.count} acts`)}\n${fit(
        `An application and the built-in control plane run on loopback, over real connections. Its log has what gRPC returns; endpoints are not contacted. The resource timer is ${formatMillis(part.timerMs)} here instead of 15 s.`,
      )}`;
    case 'act': {
      const place = part.place === undefined ? '' : `${part.place.number} of ${part.place.of} · `;
      return `\n${paint.note(`── ${place}${part.title} ──`)}\n${fit(part.text)}`;
    }
    case 'log':
      return fit(
        `${INDENT}${paint.dim('log:')} ${visible(part.method)} ${statusText(part.status, paint)}`,
        `${INDENT}     `,
      );
    case 'file':
      return `\n${paint.note(`$ cat ${part.path}`)}\n${part.text}`;
    case 'command':
      return `\n${paint.note(`$ ${part.line}`)}\n`;
    case 'afterword':
      return `\n${fit(part.text)}`;
    case 'closing':
      return `\n${closing(part)}`;
  }
}

function statusText(status: { code: string; message: string } | null, paint: Paint): string {
  if (status === null) return paint.warning('waits');
  const { code, message } = status;
  return code === 'OK' ? paint.good(code) : paint.error(`${code}: ${visibleMessage(message)}`);
}

function closing({ program, example }: Extract<ActPart, { kind: 'closing' }>): string {
  const rows: [string, string][] = [
    [`${program} <target>`, "the same for yours, with your application's bootstrap (GRPC_XDS_BOOTSTRAP or -b FILE)"],
    [`${program} demo ${example} -v`, 'one act again, with every request and response'],
    [`${program} serve ${example}`, 'the control plane of an act, for a client of yours'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  return `Next:\n${rows.map(([command, what]) => `${INDENT}${command.padEnd(width)}   ${what}\n`).join('')}`;
}
