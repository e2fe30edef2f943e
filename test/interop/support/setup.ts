import { stripVTControlCharacters } from 'node:util';
import { afterEach } from 'vitest';
import { cleanUp } from '../../support/clean-up.js';
import { reportFigure } from './report-figure.js';

// Real programs use much CPU and memory: all end with their test.
afterEach(cleanUp);

// Vitest does not report why it repeated a test that passes in the end.
afterEach(({ task }) => {
  const { errors = [], retryCount = 0, state } = task.result ?? {};
  if (state !== 'fail' || retryCount >= Number(task.retry ?? 0)) return;
  reportFigure(`ran again: ${task.name}: ${errors.map(reasonOf).join('; ')}`);
});

/** The message of a failed assertion, with the values that it received. */
function reasonOf({ message, diff = '' }: { message: string; diff?: string | undefined }): string {
  const received = stripVTControlCharacters(diff)
    .split('\n')
    .filter((line) => /^[+-] /.test(line) && !/^[+-] (Expected|Received)$/.test(line));
  return [message, ...received].join(' ');
}
