import { cpus, release, totalmem, type } from 'node:os';
import { toolchains } from '../peers/toolchains.ts';

/** The machine and its toolchains: figures of different machines cannot be compared. */
export function machine(): string {
  const all = cpus();
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0);
  const versions = toolchains()
    .filter(({ name }) => name === 'go' || name === 'python')
    .map(({ version }) => version.replace(/^go version /, ''));
  const day = new Date().toISOString().slice(0, 10);
  const hardware = `${all.length} cores (${all[0]?.model.trim()}), ${gibibytes} GiB of memory`;
  return `Measured on ${day}: ${hardware}, ${type()} ${release()}; Node ${process.versions.node}, ${versions.join(', ')}.`;
}
