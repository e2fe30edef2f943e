import { describe, expect, it } from 'vitest';
import { InputProblem } from '../../src/base/input-problem.js';
import type { FileEnd } from '../../src/engine/recording/file-end.js';
import { feedRecording, readHeader } from '../../src/inspect/feed-recording.js';
import { RecordedSimulation } from '../support/recorded.js';
import { scenarioFrom } from '../support/simulate.js';
import { textRecording } from '../support/text-recording.js';

const WHOLE: FileEnd = { kind: 'whole' };

/** The lines of a recording of one second: a header, inputs, and the end. */
function recorded(): string[] {
  const simulation = new RecordedSimulation(scenarioFrom('servers: { p: { serves: [] } }'));
  simulation.follow('xds:///greeter', 'greeter');
  simulation.clock.advanceBy(1000);
  return simulation.finish().trimEnd().split('\n');
}

const END = (reason: string): string => JSON.stringify({ at: 1000, kind: 'end', reason });

/** Feeds lines; times are relative to the start of the recording. */
async function fed(lines: readonly string[], { until, end }: { until?: number; end?: FileEnd } = {}) {
  const file = textRecording(lines, end);
  const header = await readHeader(file);
  const times: number[] = [];
  let ended: number | undefined;
  const limit = until === undefined ? undefined : header.start + until;
  const result = await feedRecording(
    { file, header, until: limit },
    { input: (_, at) => times.push(at - header.start), end: (at) => (ended = at - header.start) },
  );
  return {
    inputs: times.length,
    last: times.at(-1),
    ended,
    end: result.end - header.start,
    remark: result.remark,
    read: file.read,
  };
}

describe('the header of a recording', () => {
  it('is read from the first line alone', async () => {
    const file = textRecording(recorded());
    expect((await readHeader(file)).tool).toBe('xds-inspect');
    expect(file.read).toBe(1);
  });

  it.each<[title: string, lines: string[], FileEnd, problem: string]>([
    ['is missing in an empty file', [], WHOLE, 'it is empty'],
    ['is missing in a file that is cut in its first line', [], { kind: 'cut', what: 'it is cut' }, 'it is cut'],
    ['is missing in another file', ['text'], WHOLE, 'it is not JSON'],
  ])('%s', async (_, lines, end, problem) => {
    await expect(readHeader(textRecording(lines, end))).rejects.toThrow(`a.xdsrec cannot be replayed: ${problem}`);
  });
});

describe('a replayed recording', () => {
  it('gives every input and ends when the session ended, without a remark', async () => {
    const lines = recorded();
    const [inputs, read] = [lines.length - 2, lines.length];
    expect(await fed(lines)).toMatchObject({ inputs, ended: 1000, end: 1000, remark: undefined, read });
  });

  it('stops at a damaged line, ignores what follows, and says which line', async () => {
    const { inputs, read, remark } = await fed(recorded().toSpliced(3, 0, '{}'));
    expect([inputs, read]).toEqual([2, 4]);
    expect(remark).toMatch(/^a\.xdsrec: line 4 cannot be used: "at" is not a time\. Showing the session up to there: /);
  });

  it('ignores lines after its end', async () => {
    const lines = recorded();
    expect((await fed([...lines, 'text'])).read).toBe(lines.length);
  });

  it('stops at the wanted time and reads no further', async () => {
    const [header = '', input = ''] = recorded();
    const late = JSON.stringify({ ...JSON.parse(input), at: 700 });
    const lines = [header, input, late, late, END('closed')];
    expect(await fed(lines, { until: 500 })).toMatchObject({
      inputs: 1,
      end: 500,
      ended: 500,
      remark: undefined,
      read: 3,
    });
  });

  it('says that the recorder was killed if it has no end', async () => {
    expect((await fed(recorded().slice(0, -1))).remark).toMatch(/^a\.xdsrec: it was not closed: /);
  });

  it('says why it ends before the session', async () => {
    expect((await fed([...recorded().slice(0, -1), END('the disk is full')])).remark).toBe(
      'a.xdsrec: it ends before the session: the disk is full. Showing the session up to there: 1.0 s.',
    );
  });

  it('says that the file is cut', async () => {
    const { remark } = await fed(recorded().slice(0, -1), { end: { kind: 'cut', what: 'its last line is cut' } });
    expect(remark).toMatch(/^a\.xdsrec: its last line is cut\. /);
  });

  it.each<[title: string, rest: string, problem: string]>([
    ['without inputs is refused', END('closed'), 'a.xdsrec contains nothing to replay'],
    [
      'without inputs is refused with the damage that explains it',
      '[]',
      'a.xdsrec contains nothing to replay: line 2 cannot be used: it is not a JSON object',
    ],
  ])('%s', async (_, rest, problem) => {
    const [header = ''] = recorded();
    await expect(fed([header, rest])).rejects.toThrow(new InputProblem(problem));
  });

  it('may have no inputs up to the wanted time', async () => {
    const [header = ''] = recorded();
    expect(await fed([header, END('closed')], { until: 10 })).toMatchObject({ inputs: 0, end: 10 });
  });
});
