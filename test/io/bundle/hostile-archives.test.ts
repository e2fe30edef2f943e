import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { recordingFile } from '../../../src/io/recording-lines.js';
import { paxRecord, type TarMember, tarArchive } from '../../../tools/fuzz/files/tar-archive.js';
import { temporaryFolder } from '../../support/clean-up.js';
import { ROOT, runCli } from '../../support/cli.js';

const MIB = 1024 * 1024;
const TEXT = readFileSync(join(ROOT, 'fixtures/recordings/first-look.xdsrec'));
const RECORDING: TarMember = { name: 'b/session.xdsrec', body: TEXT };

/** Replays bytes. Returns the exit code and the message without the path. */
async function replay(contents: Buffer, name = 'out.tgz') {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, contents);
  const { code, stdout, stderr } = await runCli(['replay', path, 'status', '--fail-on', 'none']);
  return { code, stdout, stderr: stderr.replaceAll(path, 'FILE'), path };
}

const bundle = (...more: TarMember[]): Buffer => gzipSync(tarArchive([...more, RECORDING]));

describe('a recording in an archive is found by the contents of the file', () => {
  const plain = tarArchive([RECORDING]);
  const readable: [title: string, contents: Buffer, name?: string][] = [
    ['a compressed archive', gzipSync(plain)],
    ['an archive without compression', plain, 'out.tar'],
    ['an archive with another name', gzipSync(plain), 'attachment'],
    ['a compressed recording', gzipSync(tarArchive([{ name: 'b/session.xdsrec.gz', body: gzipSync(TEXT) }]))],
    ['a compressed recording without .gz', gzipSync(tarArchive([{ name: 's.xdsrec', body: gzipSync(TEXT) }]))],
    [
      'other files, folders and attributes',
      bundle(
        { name: 'pax_global_header', type: 'g', body: paxRecord('comment', 'x') },
        { name: 'b/', type: '5' },
        { name: 'b/._session.xdsrec', body: 'attributes of macOS' },
        { name: 'b/notes.txt', body: 'hello' },
      ),
    ],
    [
      'a long name of GNU tar',
      gzipSync(
        tarArchive([
          { name: '././@LongLink', type: 'L', body: `${'d'.repeat(150)}/s.xdsrec\0` },
          { name: 'cut', body: TEXT },
        ]),
      ),
    ],
    [
      'a long name in an attribute',
      gzipSync(
        tarArchive([
          { name: 'x', type: 'x', body: paxRecord('path', `${'d'.repeat(150)}/s.xdsrec`) },
          { name: 'cut', body: TEXT },
        ]),
      ),
    ],
    [
      'an archive of several gzip members',
      Buffer.concat([gzipSync(plain.subarray(0, 700)), gzipSync(plain.subarray(700))]),
    ],
  ];
  it.each(readable)('%s', async (_, contents, name) => {
    const direct = await runCli([
      'replay',
      join(ROOT, 'fixtures/recordings/first-look.xdsrec'),
      'status',
      '--fail-on',
      'none',
    ]);
    expect(direct.code).toBe(0);
    expect(await replay(contents, name)).toMatchObject({
      code: direct.code,
      stdout: direct.stdout,
      stderr: direct.stderr,
    });
  });
});

const NOT = 'it is no support bundle: ';
const cases: [title: string, contents: () => Buffer, problem: string][] = [
  ['a path with ..', () => bundle({ name: '../../.ssh/config' }), `${NOT}../../.ssh/config has a path with ..`],
  ['a path with \\..\\', () => bundle({ name: 'a\\..\\b' }), `${NOT}a\\..\\b has a path with ..`],
  ['an absolute path', () => bundle({ name: '/etc/passwd' }), `${NOT}/etc/passwd has an absolute path`],
  ['a path with a drive', () => bundle({ name: 'C:\\x' }), `${NOT}C:\\x has an absolute path`],
  ['a symbolic link', () => bundle({ name: 'a', type: '2', link: '/etc/passwd' }), `${NOT}a is a link to /etc/passwd`],
  [
    'a recording that is a symbolic link',
    () => gzipSync(tarArchive([{ name: 's.xdsrec', type: '2', link: '/x.xdsrec' }])),
    `${NOT}s.xdsrec is a link to /x.xdsrec`,
  ],
  ['a hard link', () => bundle({ name: 'a', type: '1', link: 'b' }), `${NOT}a is a link to b`],
  ['a device', () => bundle({ name: 'zero', type: '3' }), `${NOT}zero is not a file but a character-device`],
  ['a named pipe', () => bundle({ name: 'pipe', type: '6' }), `${NOT}pipe is not a file but a fifo`],
  [
    'a sparse file',
    () => bundle({ name: 'x', type: 'x', body: paxRecord('GNU.sparse.size', '9999999999') }),
    `${NOT}b/session.xdsrec is a sparse file`,
  ],
  [
    'escapes in a name',
    () => bundle({ name: '\u001b[31ma', type: '2', link: '\u202eb' }),
    `${NOT}\\u{1b}[31ma is a link to \\u{202e}b`,
  ],
  [
    'zeros after the compression',
    () => Buffer.concat([bundle(), Buffer.alloc(100)]),
    'it has other data after the archive',
  ],
  ['the same name twice', () => bundle({ name: 'a' }, { name: 'a' }), `${NOT}a is in it twice`],
  ['a file without a name', () => bundle({ name: '' }), `${NOT}a file has no name`],
  [
    'a very long name',
    () => bundle({ name: 'x', type: 'x', body: paxRecord('path', 'n'.repeat(300)) }, { name: 'a' }),
    `${NOT}${'n'.repeat(255)}… has a name with more than 255 characters`,
  ],
  [
    'several problems',
    () => bundle({ name: '/a' }, { name: 'b', type: '1', link: 'c' }),
    `${NOT}/a has an absolute path, b is a link to c`,
  ],
  [
    'no recording',
    () => gzipSync(tarArchive([{ name: 'report.txt' }])),
    'it is an archive without a recording (FILE.xdsrec or FILE.xdsrec.gz)',
  ],
  ['no files', () => gzipSync(tarArchive([])), 'it is an archive without a recording (FILE.xdsrec or FILE.xdsrec.gz)'],
  [
    'two recordings',
    () => bundle({ name: 'a.xdsrec.gz' }),
    'it has several recordings: a.xdsrec.gz, b/session.xdsrec. Unpack it, and replay one of them',
  ],
  ['many files', () => bundle(...[...Array(200).keys()].map((i) => ({ name: `${i}` }))), 'it has more than 100 files'],
  ['a wrong checksum', () => bundle({ name: 'a', checksum: 1 }), 'it is damaged: Invalid tar header checksum.'],
  [
    'a wrong checksum of the compression',
    () => {
      const b = bundle();
      b[b.length - 6] = (b.at(-6) as number) ^ 1;
      return b;
    },
    'it is damaged: incorrect data check',
  ],
  [
    'damaged compression',
    () => {
      const b = bundle();
      b.fill(0xff, 700, 800);
      return b;
    },
    'it is damaged: ',
  ],
  [
    'the end missing',
    () => gzipSync(tarArchive([RECORDING]).subarray(0, -1024)),
    'it is truncated: the end of the archive is missing',
  ],
  [
    'the end of a file missing',
    () => gzipSync(tarArchive([RECORDING]).subarray(0, 2000)),
    'it is truncated: the end of the archive is missing',
  ],
  [
    'the end of the compression missing',
    () => bundle().subarray(0, -100),
    'it is truncated: the end of the archive is missing',
  ],
  [
    'other data after the archive',
    () => gzipSync(Buffer.concat([tarArchive([RECORDING]), Buffer.from('more')])),
    'it has other data after the archive',
  ],
  [
    'other data after the compression',
    () => Buffer.concat([bundle(), Buffer.from('more data')]),
    'it has other data after the archive',
  ],
  [
    'a size that is no number',
    () => bundle({ name: 'a', change: (header) => header.write('what?', 124) }),
    'it is damaged: Invalid tar number.',
  ],
  [
    'a size of 8 EiB',
    () => bundle({ name: 'a', change: (header) => header.fill(0x80, 124, 125) && header.fill(0xff, 125, 136) }),
    'it is damaged: TAR number too large',
  ],
  [
    'a size beyond the end',
    () => bundle({ name: 'a', size: 7 * 1024 * MIB }),
    'it is truncated: the end of the archive is missing',
  ],
  [
    'a size beyond the end in an attribute',
    () => bundle({ name: 'x', type: 'x', body: paxRecord('size', '99999999999') }, { name: 'a' }),
    'it is truncated: the end of the archive is missing',
  ],
  [
    'attributes of 1 GiB',
    () => bundle({ name: 'x', type: 'x', size: 1024 * MIB }),
    'it is damaged: Tar metadata entry exceeds maximum size.',
  ],
  [
    'a zip file',
    () => Buffer.from('504b03041400', 'hex'),
    'it is a zip file: unpack it, and replay the bundle or the recording in it',
  ],
  [
    'an archive that is compressed by xz',
    () => Buffer.from('fd377a585a0000', 'hex'),
    'it is compressed by xz, not by gzip: unpack it first',
  ],
  ['a damaged recording', () => gzipSync(tarArchive([{ name: 's.xdsrec', body: 'what?\n' }])), 'it is not JSON'],
  ['an empty recording', () => gzipSync(tarArchive([{ name: 's.xdsrec.gz' }])), 'it is empty'],
  [
    'a bomb of zeros',
    () => gzipSync(tarArchive([{ name: 'report.html', body: Buffer.alloc(64 * MIB) }])),
    'it expands to more than 200 times its size',
  ],
  [
    'a bomb in the recording',
    () => gzipSync(tarArchive([{ name: 's.xdsrec.gz', body: gzipSync(Buffer.alloc(64 * MIB, ' ')) }])),
    'it expands to more than 200 times its size',
  ],
  [
    'a bomb of empty lines',
    () => gzipSync(tarArchive([{ name: 's.xdsrec.gz', body: gzipSync(Buffer.alloc(64 * MIB, '\n')) }])),
    'it has more than 1000 empty lines',
  ],
];

describe('replay refuses an archive with', () => {
  it.each(cases)('%s', async (_, contents, problem) => {
    const { code, stdout, stderr, path } = await replay(contents());
    expect(stderr).toContain(`xds-inspect: FILE cannot be replayed: ${problem}`);
    expect([code, stdout]).toEqual([65, '']);
    expect(readdirSync(join(path, '..'))).toEqual(['out.tgz']);
  });
});

describe('the rest of a recording in an archive', () => {
  it('is not read if the reader stops', async () => {
    const path = join(temporaryFolder(), 'out.tgz');
    writeFileSync(path, bundle());
    let lines = 0;
    const end = await recordingFile(path).readLines(() => ++lines < 3);
    expect([lines, end]).toEqual([3, { kind: 'whole' }]);
  });
});
