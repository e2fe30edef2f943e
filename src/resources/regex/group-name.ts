/** The characters that RE2 allows in group names: letters, marks, digits and connectors. */
const ALLOWED = /^[\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]+$/u;

/**
 * Characters (in hexadecimal) that are newer than the Unicode version of C-core's RE2. The JavaScript engine may know
 * them, but RE2 does not.
 */
const NEWER = `
  88f 897 c5c cdc cf3 ece 1acf-1add 1ae0-1aeb 1c89-1c8a a7cb-a7cf a7d2 a7d4 a7da-a7dc a7f1 105c0-105f3 10940-10959
  10d40-10d65 10d69-10d6d 10d6f-10d85 10ec2-10ec7 10efa-10eff 1123f-11241 11380-11389 1138b 1138e 11390-113b5
  113b7-113c0 113c2 113c5 113c7-113ca 113cc-113d3 113e1-113e2 116d0-116e3 11b60-11b67 11bc0-11be0 11bf0-11bf9
  11db0-11ddb 11de0-11de9 11f00-11f10 11f12-11f3a 11f3e-11f42 11f50-11f5a 1342f 13440-13455 13460-143fa
  16100-16139 16d40-16d6c 16d70-16d79 16ea0-16eb8 16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cff 18d09-18d1e
  18d80-18df2 1b132 1b155 1ccf0-1ccf9 1df25-1df2a 1e030-1e06d 1e08f 1e4d0-1e4f9 1e5d0-1e5fa 1e6c0-1e6de
  1e6e0-1e6f5 1e6fe-1e6ff 2b739-2b73f 2cea2-2cead 2ebf0-2ee5d 31350-33479`;

const RANGES = NEWER.trim()
  .split(/\s+/)
  .map((range) => range.split('-').map((end) => Number.parseInt(end, 16)))
  .map(([from = 0, to = from]) => ({ from, to }));

export function isGroupName(name: string): boolean {
  return ALLOWED.test(name) && ![...name].some((character) => isNewer(character.codePointAt(0) as number));
}

function isNewer(code: number): boolean {
  return RANGES.some(({ from, to }) => from <= code && code <= to);
}
