import type { Command } from '../command.js';
import { bootstrapResolveCommand } from './bootstrap-resolve.js';
import { bootstrapValidateCommand } from './bootstrap-validate.js';
import { checkCommand } from './check.js';
import { compareCommand } from './compare.js';
import { completionCommand } from './completion.js';
import { configCommand } from './config.js';
import { csdsCommand } from './csds.js';
import { demoCommand } from './demo.js';
import { docsCommand } from './docs.js';
import { explainCommand } from './explain.js';
import { getCommand } from './get.js';
import { recordCommand } from './record.js';
import { replayCommand } from './replay.js';
import { reportCommand } from './report.js';
import { serveCommand } from './serve.js';
import { statusCommand } from './status.js';
import { tearsCommand } from './tears.js';
import { validateCommand } from './validate.js';
import { waitCommand } from './wait.js';
import { watchCommand } from './watch.js';

/** Every command, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  demoCommand,
  reportCommand,
  statusCommand,
  watchCommand,
  configCommand,
  tearsCommand,
  explainCommand,
  compareCommand,
  recordCommand,
  replayCommand,
  csdsCommand,
  waitCommand,
  checkCommand,
  getCommand,
  bootstrapValidateCommand,
  bootstrapResolveCommand,
  validateCommand,
  serveCommand,
  docsCommand,
  completionCommand(() => COMMANDS),
];
