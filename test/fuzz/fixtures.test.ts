import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { formatsOf, isForPeople } from '../../src/view/formats.js';
import { checkCommand } from '../../tools/fuzz/command-run.js';
import { checkRecording } from '../../tools/fuzz/engine/checked-session.js';
import { checkPrinted } from '../../tools/fuzz/messages/printed-check.js';
import { ROOT } from '../support/root.js';

const FOLDER = join(ROOT, 'fixtures/fuzz');
const filesOf = (pattern: RegExp): string[] => readdirSync(FOLDER).filter((name) => pattern.test(name));
const VIEWS = ['report', 'status', 'config', 'tears', 'explain', 'wait'] as const;

describe('a session in which fuzzing has found a bug', () => {
  it.each(filesOf(/\.xdsrec$/))('passes all checks of the engine: %s', (name) => {
    checkRecording(readFileSync(join(FOLDER, name), 'utf8'));
  });

  it.each(filesOf(/\.xdsrec$/))('prints harmless text in every view of a replay: %s', async (name) => {
    const path = join(FOLDER, name);
    const { length } = readFileSync(path);
    await checkCommand(['replay', path], length);
    await checkCommand(['replay', path, 'watch', '-o', 'lines'], length);
    for (const view of VIEWS) {
      const until = view === 'wait' ? ['--until', 'ready'] : [];
      for (const format of formatsOf(view).filter(isForPeople))
        await checkCommand(['replay', path, view, ...until, '-o', format], length);
    }
  });
});

describe('a message in which fuzzing has found a bug', () => {
  it.each(filesOf(/\.json$/))('prints the same after it was printed and parsed: %s', (name) => {
    const { type_url: typeUrl, bytes } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Record<string, string>;
    checkPrinted(typeUrl as string, Buffer.from(bytes as string, 'base64'));
  });
});
