import { command, type Input } from '../command.js';
import { liveView } from '../live-view.js';
import { callOptions } from '../options/call.js';
import { connectingOptions, probeOption, timeoutOption } from '../options/connecting.js';
import { suppressOption } from '../options/findings.js';
import { outputOption } from '../options/output.js';
import { pageOption } from '../options/page.js';
import { clientTargets } from '../options/targets.js';

const declared = {
  arguments: clientTargets,
  options: {
    ...connectingOptions,
    ...pageOption,
    ...callOptions,
    ...suppressOption,
    ...outputOption('explain', 'page'),
    ...timeoutOption,
    ...probeOption,
  },
  examples: {
    '$0 explain greeter --method /helloworld.Greeter/SayHello': 'One method',
    '$0 explain greeter --method /a.B/C --header env:canary --deadline 5s': 'With metadata and a deadline',
  },
};
export type ExplainInput = Input<typeof declared>;

export const explainCommand = command(
  declared,
  liveView(async () => (await import('../run/explain.js')).explainView),
);
