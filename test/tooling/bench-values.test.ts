import { describe, expect, it } from 'vitest';
import { amount, type Value, valueText } from '../../tools/bench/page/value.js';

const time = (median: number): Value => ({ unit: 'ms', median });

describe('a benchmark prints', () => {
  it.each<[string, Value, string]>([
    ['text as it is', '64 %', '64 %'],
    ['a count with separators', 100_000, '100,000'],
    ['a time below a millisecond in µs', time(0.0042), '4.2 µs'],
    ['a time below a second in ms', time(999), '999 ms'],
    ['at most three digits', time(196.51), '197 ms'],
    ['no exponent', time(1480), '1.48 s'],
    ['a time of some seconds in s', time(22_496), '22.5 s'],
    ['a time of two minutes and more in min', time(150_000), '2.5 min'],
    ['a large time with separators', time(12_345 * 60_000), '12,300 min'],
    ['memory in MiB', { unit: 'MiB', median: 181.4 }, '181 MiB'],
    ['a large memory in GiB', { unit: 'MiB', median: 1536 }, '1.5 GiB'],
    ['a small memory in KiB', { unit: 'MiB', median: 0.5 }, '512 KiB'],
    ['some bytes in bytes', { unit: 'bytes', median: 1234 }, '1,230 bytes'],
    ['many bytes in KiB', { unit: 'bytes', median: 20_480 }, '20 KiB'],
    ['more bytes in MiB', { unit: 'bytes', median: 3 * 2 ** 20 }, '3 MiB'],
    ['the spread in the unit of the median', amount('ms', [1500, 900, 2000]), '1.5 s (0.9–2)'],
    ['no spread of a single run', amount('ms', [7]), '7 ms'],
    ['no spread that rounding hides', amount('MiB', [60.01, 60, 59.99]), '60 MiB'],
    ['a ratio above a tenth as a multiple', { ratio: 1.34 }, '1.34 ×'],
    ['a ratio of a tenth as a fraction', { ratio: 0.1 }, '1/10 of'],
    ['a small ratio as a fraction', { ratio: 0.00078 }, '1/1,280 of'],
    ['no value as zero', { ratio: 0 }, '0 ×'],
    ['a lower time as faster', { speed: 0.19 }, '5.3 times faster'],
    ['a higher time as slower', { speed: 7.12 }, '7.1 times slower'],
    ['nearly equal times as equal', { speed: 0.97 }, 'as fast'],
  ])('%s', (_title, value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
