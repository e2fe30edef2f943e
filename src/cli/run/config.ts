import type { ExitCode } from '../../base/exit-codes.js';
import { hasLostAuthority } from '../../engine/lost.js';
import { findingViews } from '../../inspect/finding-view.js';
import type { ClientInspection } from '../../inspect/inspection.js';
import { exitCode } from '../../inspect/outcome.js';
import { defaultTimeLimit, settled } from '../../inspect/settled.js';
import { configView } from '../../view/config.js';
import { serviceConfigs } from '../../view/service-config.js';
import { isWithoutServer, unreachableSentences } from '../../view/unreachable.js';
import type { ConfigInput } from '../commands/config.js';
import type { CliEnvironment } from '../environment.js';
import { Printer } from '../printer.js';
import { connect } from './connect.js';
import { show, type View } from './show.js';

/** `config`: the resolved configuration, however the wait for it ends. */
export async function config(input: ConfigInput, env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const inspection = await connect(input, out, env);
  return await show(inspection, configurationView(inspection, input, out), input, out, env);
}

export function configurationView(
  inspection: ClientInspection,
  { output, timeout }: Pick<ConfigInput, 'output'> & { timeout?: number | undefined },
  out: Printer,
): View {
  return {
    condition: settled(inspection),
    limit: timeout ?? defaultTimeLimit(inspection),
    progress: (line) => line.show(inspection),
    finish: (ending) => {
      const { as, bootstrap } = inspection;
      const snapshot = inspection.snapshot();
      const now = inspection.now();
      const waited = now - inspection.startedAt();
      const configs = snapshot.flatMap((scope) =>
        scope.channels.map((channel) => configView(scope, channel, bootstrap.node?.id)),
      );
      const findings = findingViews(inspection.findings());
      return async () => {
        const settings = { now, hasData: !isWithoutServer(snapshot) };
        if (output === 'service-config') await out.print(output, output, serviceConfigs(snapshot), settings);
        else await out.print('config', output, { schema: 'xds-inspect/config/v1', as, configs, findings }, settings);
        for (const sentence of unreachableSentences(snapshot, waited)) out.say(sentence);
        const isPublished = configs.every((view) => view.config === 'published');
        return exitCode({
          isInterrupted: ending === 'interrupted',
          isLost: !isPublished && snapshot.some(hasLostAuthority),
          isTimedOut: !isPublished && ending === 'timed out',
          hasFindings: !isPublished,
        });
      };
    },
  };
}
