import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import { UsageError } from '../../base/failure.js';
import type { Printer } from '../printer.js';
import type { LiveUi, UiInput } from './live-ui.js';

/** The flags that request a live page. */
export interface UiFlags {
  ui?: number | undefined;
  open?: boolean;
}

/** Runs a command with the live page that `--ui` requests. Loads the code for it on demand. */
export async function withUi(
  input: UiFlags & UiInput,
  out: Printer,
  run: (ui: LiveUi | undefined) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { ui: port, open = false } = input;
  if (port === undefined) {
    if (open) throw new UsageError('--open requires --ui');
    return await run(undefined);
  }
  const ui = await (await import('./live-ui.js')).LiveUi.start(input, port, open, out);
  let reason = 'it failed';
  try {
    const code = await run(ui);
    reason = code === EXIT.interrupted ? 'it was interrupted' : 'the command is complete';
    return code;
  } finally {
    await ui.close(reason);
  }
}
