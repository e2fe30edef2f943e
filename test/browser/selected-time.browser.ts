import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortName } from '../../src/view/page/text.js';
import { ROOT } from '../support/root.js';
import { showFragment } from './support/open-page.js';
import {
  type ShownResource,
  shownOutcome,
  shownResources,
  shownVerdicts,
  unfoldResources,
  waitForTime,
} from './support/read-page.js';
import { openRecording, type Recorded, ROLLOUT, recordingOf, replay, replayJson } from './support/recordings.js';

interface Case {
  recording: Recorded | string;
  method: string;
  headers?: string[];
}

const cause = (name: string): Recorded => ({
  scenario: `causes/${name}.yaml`,
  targets: { 'xds:///greeter': 'greeter' },
  seconds: 40,
});

const CASES: Record<string, Case> = {
  'a rollout': { recording: ROLLOUT, method: '/orders.v1.Refunds/Get' },
  'the first look': {
    recording: join(ROOT, 'fixtures/recordings/first-look.xdsrec'),
    method: '/helloworld.Greeter/SayHello',
  },
  'a config tear': { recording: cause('config-tear-cluster'), method: '/a.B/C' },
  'a fallback': { recording: cause('on-fallback-stream'), method: '/a.B/C' },
  'a deleted cluster': { recording: cause('deleted-cds'), method: '/a.B/C' },
  'a lost server': { recording: cause('unreachable-cached'), method: '/a.B/C' },
  'a silent server': { recording: cause('silent-cds'), method: '/a.B/C' },
};

interface Status {
  scopes: { channels: { target: string }[]; resources: StatusResource[] }[];
}

interface StatusResource {
  type: string;
  name: string;
  status: string;
  version: string | null;
  error: { version: string } | null;
}

interface Explained {
  target: string;
  status: { code: string; message: string } | null;
}

/** Up to `count` different times in the session at which something happened, and the end. */
async function interestingTimes(path: string, count: number): Promise<number[]> {
  const lines = (await replay(path, '--events', '-o', 'ndjson')).trim().split('\n');
  const at = lines.map((line) => Date.parse((JSON.parse(line) as { at: string }).at));
  const { start } = JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '') as { start: number };
  const all = [...new Set(at.map((one) => one - start))];
  return all.filter((_, i) => i % Math.ceil(all.length / count) === 0 || i === all.length - 1);
}

/** A resource as the timeline shows it, with its full name. */
function shownAs(resource: StatusResource): ShownResource {
  const { type, name, status } = resource;
  return { type, status, name, version: shortName(versionText(resource), 14) };
}

/** The timeline cuts long names in the middle. */
function withFullName(shown: ShownResource, all: readonly StatusResource[]): ShownResource {
  const [start = '', end = ''] = shown.name.split('…');
  const full = all.filter(({ type, name }) => type === shown.type && name.startsWith(start) && name.endsWith(end));
  return full.length === 1 && shown.name.includes('…') ? { ...shown, name: full[0]?.name ?? '' } : shown;
}

/** `9 (10)`: version 9 is in use, 10 was rejected. */
function versionText({ version, status, error }: StatusResource): string {
  const rejected = error?.version && error.version !== version ? `(${error.version})` : '';
  if (version !== null) return [version === '' ? '–' : version, rejected].filter((part) => part !== '').join(' ');
  return status === 'REQUESTED' ? 'requested' : status === 'NACKED' ? rejected || 'error' : 'error';
}

const byName = (all: ShownResource[]): ShownResource[] =>
  [...all].sort((a, b) => (`${a.type} ${a.name}` < `${b.type} ${b.name}` ? -1 : 1));

/** The line of a target in the report, without its columns. */
function headOf(report: string, target: string): string {
  const line = report.split('\n').find((one) => one.startsWith(`${target} `)) ?? '';
  return line
    .replace(/^\S+ /, '')
    .replace(/[\s,]+/g, ' ')
    .trim();
}

describe('the selected time', () => {
  it.each(Object.entries(CASES))('shows what replay --at shows: %s', async (_, { recording, method }) => {
    const path = typeof recording === 'string' ? recording : recordingOf(recording);
    const page = await openRecording(path, { fragment: `method=${method}` });
    await page.getByRole('tab', { name: 'Graph' }).waitFor();
    for (const at of await interestingTimes(path, 4)) {
      const time = `${at}ms`;
      const report = await replay(path, 'report', '--at', time);
      const status = await replayJson<Status>(path, 'status', '--at', time);
      const explained = await replayJson<Explained | Explained[]>(path, 'explain', '--method', method, '--at', time);
      for (const { channels, resources } of status.scopes)
        for (const { target } of channels) {
          await showFragment(page, `t=${at / 1000}&method=${method}&target=${encodeURIComponent(target)}`);
          await waitForTime(page, at);
          await unfoldResources(page);
          const verdict = (await shownVerdicts(page)).find((one) => one.target === shortName(target, 44));
          expect(`${verdict?.word} ${verdict?.cause}`.replace(/[\s,]+/g, ' ').trim(), time).toBe(
            headOf(report, target),
          );
          const shown = (await shownResources(page)).map((one) => withFullName(one, resources));
          expect(byName(shown), time).toEqual(byName(resources.map(shownAs)));
          const call = [explained].flat().find((one) => one.target === target)?.status;
          if (call) expect(await shownOutcome(page), time).toEqual({ word: call.code, message: call.message });
        }
    }
  });
});
