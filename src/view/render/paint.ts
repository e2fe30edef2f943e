/** Functions that colour a text by its meaning. */
export type Paint = Record<'error' | 'warning' | 'note' | 'good' | 'dim' | 'strong', (text: string) => string>;

const plain = (text: string): string => text;

/** Colours for a report. Chalk is loaded only if they are enabled. */
export async function paintFor(color: boolean): Promise<Paint> {
  if (!color) return { error: plain, warning: plain, note: plain, good: plain, dim: plain, strong: plain };
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    error: chalk.red,
    warning: chalk.yellow,
    note: chalk.cyan,
    good: chalk.green,
    dim: chalk.dim,
    strong: chalk.bold,
  };
}
