import type { FindingView } from '../../view/finding.js';
import { findingLines } from '../../view/render/findings.js';
import { paintFor } from '../../view/render/paint.js';
import { fitLines } from '../../view/render/wrap.js';
import { type ColorChoice, useColor } from '../color.js';
import type { Arguments } from '../command.js';
import { type CliEnvironment, type Output, widthOf } from '../environment.js';

/** Below what a command has to say for people. */
export async function printFound(
  found: readonly FindingView[],
  args: Arguments,
  env: CliEnvironment,
  to: Output = env.stdout,
): Promise<void> {
  if (found.length === 0) return;
  const paint = await paintFor(useColor(args.color as ColorChoice, env, to));
  const text = `\nThe control plane:\n${findingLines(found, paint).join('\n')}\n`;
  to.write(fitLines(text, args.output === 'wide' ? undefined : widthOf(to)));
}
