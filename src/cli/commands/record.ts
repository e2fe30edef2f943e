import { command, type Input } from '../command.js';
import { text } from '../option.js';
import { connectingOptions, forOption, servingOptions } from '../options/connecting.js';
import { pageOption } from '../options/page.js';
import { anyTargets } from '../options/targets.js';

const { record: _file, ...connecting } = connectingOptions;

const declared = {
  arguments: anyTargets,
  options: {
    ...connecting,
    ...pageOption,
    ...servingOptions,
    file: text('Write the recording to this file, which must not exist; compressed if the name ends in .gz', {
      alias: 'f',
      isRequired: true,
    }),
    ...forOption,
  },
  examples: {
    '$0 record greeter -f greeter.xdsrec --for 5m': 'Five minutes',
    '$0 record greeter cart -f night.xdsrec.gz': 'Two targets, compressed, until Ctrl-C',
  },
};
export type RecordInput = Input<typeof declared>;

export const recordCommand = command(declared, async () => (await import('../run/record.js')).record);
