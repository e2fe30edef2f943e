import type { Command } from '../../src/cli/command.js';
import type { Options } from '../../src/cli/option.js';

/** The synopsis of a command: its usage and its own flags, with aliases, values and defaults. */
export function synopsis({ usage, options }: Command, shared: Options): string {
  const own = Object.entries(options).filter(([name, option]) => shared[name] !== option);
  const rest = own.length < Object.keys(options).length ? ['      and the shared flags'] : [];
  const flags = [...flagLines(Object.fromEntries(own)), ...rest];
  return [`xds-inspect ${usage}${flags.length === 0 ? '' : ' [flags]'}`, ...flags].join('\n');
}

/** `  -o, --output text|json   default: text` */
export function flagLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, option]) => {
    const alias = option.alias === undefined ? '    ' : `-${option.alias}, `;
    const notes = [
      ...(option.default === undefined ? [] : [`default: ${[option.default].flat().join(' ')}`]),
      ...(option.kind === 'list' ? ['may be repeated'] : []),
    ];
    const value = option.placeholder === '' ? '' : ` ${option.placeholder}`;
    return [`  ${alias}--${name}${value}`, notes.join('; ')] as const;
  });
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, notes]) => `${flag.padEnd(width)}   ${notes}`.trimEnd());
}
