import { UsageError } from '../../base/failure.js';
import type { CsdsContextInput } from '../../bootstrap/contexts/apply-context.js';
import { type Option, text } from '../option.js';

const named = text('Named control plane of the configuration file; "context list" prints all', {
  completes: 'context',
});

/** `--context`. */
const context: Option<string | undefined> = {
  ...named,
  placeholder: 'NAME',
  read: (typed, flag) => {
    if (typed === '') throw new UsageError(`--${flag} takes the name of a context, not an empty value`);
    return named.read(typed, flag);
  },
};

/** `--context` of commands that use a control plane. */
export const contextOption = {
  context: {
    ...context,
    expand: async (input, env) => {
      const { context: name } = input as { context?: string };
      if (name === undefined) return input;
      const { withContext } = await import('../run/context.js');
      return withContext(input, name, env);
    },
  } satisfies Option<string | undefined>,
};

/** `--context` of commands whose last arguments are bootstrap files, which take precedence over XDS_INSPECT_CONTEXT. */
export const bootstrapContextOption = {
  context: {
    ...context,
    expand: async (input, env) => {
      const { context: name, file: typed, files = [] } = input as { context?: string; file?: string; files?: string[] };
      const file = typed ?? files[0];
      if (file === undefined) return await contextOption.context.expand(input, env);
      if (name === undefined || name === env.variables.XDS_INSPECT_CONTEXT) return input;
      throw new UsageError(`--context excludes the file ${file}: both name a bootstrap`);
    },
  } satisfies Option<string | undefined>,
};

/** `--context` of `csds`, which connects to other processes. */
export const csdsContextOption = {
  context: {
    ...context,
    expand: async (input, env) => {
      const { context: name } = input as { context?: string };
      if (name === undefined) return input;
      const { withCsdsContext } = await import('../run/context.js');
      return withCsdsContext(input as typeof input & CsdsContextInput, name, env);
    },
  } satisfies Option<string | undefined>,
};
