import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { MemoryRecording } from '../../src/io/page/memory-recording.js';
import { base64Parts, PackedText } from '../../src/io/page/packed-text.js';
import { MAX_RECORDING_BYTES } from '../../src/io/recording-file.js';

it.each([0, 1, 2, 3, 4, 200_000])('packs %i characters into one gzip member, in base64', async (length) => {
  const text = 'añ漢'.repeat(length).slice(0, length);
  const packing = new PackedText();
  for (let i = 0; i < length; i += 1000) packing.write(text.slice(i, i + 1000));
  await packing.ready();
  packing.end();
  const base64 = [...base64Parts(await packing.packed())].join('');
  expect(gunzipSync(Buffer.from(base64, 'base64')).toString()).toBe(text);
  expect(base64).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
});

it('joins chunks of any length in base64', () => {
  const chunks = [1, 2, 3, 4, 5, 1].map((length, i) => Buffer.alloc(length, i));
  expect([...base64Parts(chunks)].join('')).toBe(Buffer.concat(chunks).toString('base64'));
});

it('reads the lines of a recording in memory until the reader has enough', async () => {
  const recording = new MemoryRecording();
  for (const line of ['a\n', 'b\n', 'c\n']) recording.write(line);
  recording.close();
  recording.write('late\n');
  const lines: [string, number][] = [];
  const read = async (count: number) =>
    await recording.asFile('x').readLines((line, number) => {
      lines.push([line, number]);
      return lines.length < count;
    });
  expect(await read(2)).toEqual({ kind: 'whole' });
  expect(lines.splice(0)).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  await read(9);
  expect(lines.map(([line]) => line)).toEqual(['a', 'b', 'c']);
});

it('limits a recording in memory as one on disk', () => {
  const recording = new MemoryRecording();
  recording.write('x'.repeat(100));
  expect(recording.hasRoomFor(MAX_RECORDING_BYTES - 100)).toBe(true);
  expect(recording.hasRoomFor(MAX_RECORDING_BYTES - 99)).toBe(false);
  recording.close();
  expect(recording.hasRoomFor(1)).toBe(false);
});
