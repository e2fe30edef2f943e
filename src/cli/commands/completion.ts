import { EXIT } from '../../base/exit-codes.js';
import { formatsOf } from '../../view/formats.js';
import { argument, type Command, command } from '../command.js';

/** Completes all commands, including itself. The script contains all words, so the shell does not run xds-inspect to complete. */
export const completionCommand = (commands: () => readonly Command[]): Command =>
  command(
    {
      name: 'completion',
      describe: 'Print a shell script that completes commands, flags and their values',
      arguments: { shell: argument.choice('Shell', formatsOf('completion')) },
      options: {},
      examples: {
        'source <($0 completion bash)': 'In ~/.bashrc',
        '$0 completion fish | source': 'In ~/.config/fish/config.fish',
      },
    },
    async () => {
      const [{ completionModel }, { builtInScenarios }, { loadManual }, { Manual }, { Printer }] = await Promise.all([
        import('../completion.js'),
        import('../../io/built-in-scenarios.js'),
        import('../../io/manual.js'),
        import('../../view/manual/manual.js'),
        import('../printer.js'),
      ]);
      return async (input, env) => {
        const model = completionModel(commands(), {
          scenarios: builtInScenarios(env),
          pages: new Manual(loadManual(env)).words.filter((word) => !word.includes(' ')),
        });
        await new Printer(input, env).print('completion', input.shell, model);
        return EXIT.ok;
      };
    },
  );
