import type { DemoPart } from '../documents.js';
import type { Page } from '../formats.js';
import { visible, visibleMessage } from '../visible-text.js';
import type { Paint } from './paint.js';
import { wrapped } from './wrap.js';

const WIDTH = 96;
const INDENT = '  ';

/** The steps of `demo`: the log of the application and the commands. The views between them are printed separately. */
export const demoText = ({ paint, width }: Page) => {
  const columns = Math.min(width ?? WIDTH, WIDTH);
  return (part: DemoPart): string => partText(part, columns, paint);
};

function partText(part: DemoPart, columns: number, paint: Paint): string {
  const toLines = (text: string, indent = ''): string => `${wrapped(text, columns, indent).join('\n')}\n`;
  switch (part.kind) {
    case 'opening':
      return `${part.count === 1 ? '' : `Failures between gRPC and a control plane, in ${part.count} steps\n\n`}${toLines(
        `The built-in control plane and an application run on loopback, over real connections. The application shows the status that gRPC gives its RPCs; endpoints are not contacted. The resource timer is ${part.timerMs / 1000} s here instead of gRPC's 15 s.${part.hasPauses ? ' Any key skips a pause.' : ''}`,
      )}`;
    case 'step': {
      const place = part.place === undefined ? '' : `${part.place.number} of ${part.place.of} · `;
      return `\n${paint.note(`── ${place}${part.title} `.padEnd(columns, '─'))}\n${toLines(part.text)}`;
    }
    case 'log':
      return toLines(
        `${INDENT}Application: ${visible(part.method)} ${paint.dim('→')} ${statusText(part.status, paint)}`,
        INDENT.repeat(2),
      );
    case 'file':
      return `\n${paint.note(`${part.inExecutable ? '#' : '$ cat'} ${visible(part.path)}`)}\n${part.text}`;
    case 'command':
      return `\n${paint.note(`$ ${part.line}`)}\n`;
    case 'afterword':
      return `\n${toLines(part.text)}`;
    case 'closing':
      return `\n${closing(part)}`;
  }
}

function statusText(status: { code: string; message: string } | null, paint: Paint): string {
  if (status === null) return paint.warning('queued');
  const { code, message } = status;
  return code === 'OK' ? paint.good(code) : paint.error(`${code}: ${visibleMessage(message)}`);
}

function closing({ program, example }: Extract<DemoPart, { kind: 'closing' }>): string {
  const rows: [string, string][] = [
    [`${program} <target>`, 'your target, your bootstrap'],
    [`${program} demo ${example} -v`, 'one step, with requests and responses'],
    [`${program} serve ${example}`, 'the control plane of that step, for your own client'],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  return `Next:\n${rows.map(([command, what]) => `${INDENT}${command.padEnd(width)}   ${what}\n`).join('')}`;
}
