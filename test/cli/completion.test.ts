import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/cli/command.js';
import { allCommands } from '../../src/cli/commands/index.js';
import { completionModel } from '../../src/cli/completion.js';
import { bashCompletion } from '../../src/view/render/completion/bash.js';
import { fishCompletion } from '../../src/view/render/completion/fish.js';
import { zshCompletion } from '../../src/view/render/completion/zsh.js';
import { runCli } from '../support/cli.js';

const COMMANDS = await allCommands();

/** A scenario with a space and a quote in its file name. */
const STORIES = ['first-look', "it's odd"];
const MODEL = completionModel(COMMANDS, {
  scenarios: STORIES,
  pages: ['XI203', 'XI204', 'tear'],
  schemas: ['bootstrap', 'CDS'],
});
const SCRIPTS = { bash: bashCompletion(MODEL), zsh: zshCompletion(MODEL), fish: fishCompletion(MODEL) };
const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** The program that a shell runs to complete contexts. It fails for any other command line. */
const PROGRAM = `#!/bin/sh
echo problem >&2
[ "$*" = 'context list -o name' ] && printf 'prod\\nprod-eu\\nstaging\\n'
`;

let folder: string;
const withProgram = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` });
const script = (shell: keyof typeof SCRIPTS): string => join(folder, `script.${shell}`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xds inspect '));
  for (const shell of ['bash', 'zsh', 'fish'] as const) writeFileSync(script(shell), SCRIPTS[shell]);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/xds-inspect'), PROGRAM, { mode: 0o755 });
  mkdirSync(join(folder, 'here'));
  writeFileSync(join(folder, 'here/my boot.json'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The completions that a shell offers at the end of a line. */
interface Case {
  line: string;
  offers: string[];
}

const COMMAND_WORDS = [...new Set(COMMANDS.map((command) => wordsOf(command)[0] as string))];

const CASES: Case[] = [
  { line: 'xds-inspect ', offers: COMMAND_WORDS },
  { line: 'xds-inspect sta', offers: ['status'] },
  { line: 'xds-inspect nonsense', offers: [] },
  { line: 'xds-inspect bootstrap ', offers: ['validate', 'resolve'] },
  { line: 'xds-inspect bootstrap val', offers: ['validate'] },
  { line: 'xds-inspect completion ', offers: ['bash', 'zsh', 'fish'] },
  { line: 'xds-inspect status --outp', offers: ['--output'] },
  { line: 'xds-inspect status --tim', offers: ['--timestamp', '--timeout'] },
  { line: 'xds-inspect status --color a', offers: ['auto', 'always'] },
  {
    line: 'xds-inspect status -o ',
    offers: ['table', 'wide', 'json', 'yaml', 'name', 'ndjson', 'csds', 'html', 'jsonpath='],
  },
  { line: 'xds-inspect status greeter --output j', offers: ['json', 'jsonpath='] },
  { line: 'xds-inspect bootstrap validate -o g', offers: ['github'] },
  { line: 'xds-inspect validate -o j', offers: ['json', 'junit', 'jsonpath='] },
  { line: 'xds-inspect status -v --type L', offers: ['LDS'] },
  { line: 'xds-inspect status --type LDS,R', offers: ['LDS,RDS'] },
  { line: 'xds-inspect status --fail-on NACKED,no', offers: ['NACKED,none'] },
  { line: 'xds-inspect demo fir', offers: ['first-look'] },
  { line: 'xds-inspect serve --port 0 fir', offers: ['first-look'] },
  { line: 'xds-inspect docs XI2', offers: ['XI203', 'XI204'] },
  { line: 'xds-inspect docs te', offers: ['tear'] },
  { line: 'xds-inspect status gre', offers: [] },
  { line: 'xds-inspect conte', offers: ['context'] },
  { line: 'xds-inspect context ', offers: ['list'] },
  { line: 'xds-inspect status --conte', offers: ['--context'] },
  { line: 'xds-inspect status --context prod', offers: ['prod', 'prod-eu'] },
  { line: 'xds-inspect csds --context s', offers: ['staging'] },
  { line: 'xds-inspect --context s', offers: ['staging'] },
  { line: 'xds-inspect status --context x', offers: [] },
];

describe('bash', () => {
  /** Splits words as readline does: at blanks, `=` and `:`. */
  function outputOf(line: string): string {
    const words = line.split(' ').flatMap((word) => word.split(/([=:])/).filter((part, i) => part !== '' || i === 0));
    const driver = `
      compopt() { echo "compopt $*"; }
      source "$1"; shift
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _xds_inspect
      printf 'offer %s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', driver, 'bash', script('bash'), ...words], {
      encoding: 'utf8',
      env: withProgram(),
    });
  }

  function offered(line: string): { offers: string[]; files: boolean } {
    const out = outputOf(line);
    const offers = out.split('\n').flatMap((text) => /^offer (.+)$/.exec(text)?.[1] ?? []);
    return { offers, files: out.includes('compopt -o default') };
  }

  it.each(CASES)('$line', ({ line, offers }) => {
    expect(offered(line).offers).toEqual(offers);
  });

  it.each<[line: string, offers: string[], files: boolean]>([
    // The value of a flag is not the command.
    ['xds-inspect --color never stat', ['status'], false],
    ['xds-inspect status --output=js', ['json', 'jsonpath='], false],
    [
      'xds-inspect status --output=',
      ['table', 'wide', 'json', 'yaml', 'name', 'ndjson', 'csds', 'html', 'jsonpath='],
      false,
    ],
    ['xds-inspect status xds:///a -o js', ['json', 'jsonpath='], false],
    ['xds-inspect bootstrap resolve xds:///a:1 b', [], true],
    ['xds-inspect bootstrap resolve xds', [], false],
    ['xds-inspect status -b x', [], true],
    ['xds-inspect validate a.yaml b', [], true],
    ['xds-inspect demo it', ["it\\'s\\ odd"], false],
    ['xds-inspect status -- --out', [], false],
    ['xds-inspect greeter --context=pr', ['prod', 'prod-eu'], false],
    ['xds-inspect --conte', ['--context'], false],
  ])('%s', (line, offers, files) => {
    expect(offered(line)).toEqual({ offers, files });
  });

  it('adds no space after jsonpath=, whose value follows', () => {
    expect(outputOf('xds-inspect status -o jsonp')).toContain('compopt -o nospace');
    expect(outputOf('xds-inspect status -o js')).not.toContain('nospace');
    expect(outputOf('xds-inspect status -o ta')).not.toContain('nospace');
  });
});

describe.skipIf(!isInstalled('fish'))('fish', () => {
  function offered(line: string): string[] {
    const run = ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script('fish'), line];
    const out = execFileSync('fish', run, { encoding: 'utf8', cwd: join(folder, 'here'), env: withProgram() });
    return out.split('\n').flatMap((text) => (text === '' ? [] : [text.split('\t')[0] as string]));
  }

  it.each(CASES)('$line', ({ line, offers }) => {
    expect(offered(line).sort()).toEqual([...offers].sort());
  });

  it('completes files with spaces in their names, and scenarios', () => {
    expect(offered('xds-inspect validate my')).toEqual(['my boot.json']);
    expect(offered('xds-inspect status -b my')).toEqual(['my boot.json']);
    expect(offered('xds-inspect demo it')).toEqual(["it's odd"]);
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh', () => {
  /** The lines of an interactive zsh after Tab was pressed on each. */
  function completed(lines: readonly string[]): string[] {
    const driver = `
      zmodload zsh/zpty
      zpty z zsh -i
      zpty -w z "PS1=; autoload -Uz compinit; compinit -u -D; source \${(q)1}; cd \${(q)2}; show() { print -r -- \\"BUFFER<\\$BUFFER>\\"; zle kill-buffer }; zle -N show; bindkey '^X' show; print READY"
      zpty -r z out '*READY*READY*'
      for line in "\${@:3}"; do
        zpty -w -n z "$line"$'\\t\\x18'
        zpty -r z out '*BUFFER<*>*'
        print -r -- "\${\${out##*BUFFER<}%%>*}"
      done
      zpty -d z`;
    const out = execFileSync('zsh', ['-c', driver, 'zsh', script('zsh'), join(folder, 'here'), ...lines], {
      encoding: 'utf8',
      env: withProgram(),
    });
    return out.trimEnd().split('\n');
  }

  it('completes unique words', () => {
    const unique = CASES.filter(({ offers }) => offers.length === 1);
    const lines = completed(unique.map(({ line }) => line)).map((line) => line.trimEnd().replace(/[,=]$/, ''));
    const expected = unique.map(({ line, offers }) => `${line.slice(0, line.lastIndexOf(' '))} ${offers[0]}`);
    expect(lines).toEqual(expected);
  });

  it('completes files with spaces in their names, and scenarios', () => {
    expect(
      completed([
        'xds-inspect validate my',
        'xds-inspect status -b my',
        'xds-inspect demo it',
        'xds-inspect status my',
      ]),
    ).toEqual([
      'xds-inspect validate my\\ boot.json ',
      'xds-inspect status -b my\\ boot.json ',
      "xds-inspect demo it\\'s\\ odd ",
      'xds-inspect status my',
    ]);
  });
});

describe('completion scripts', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('%s contains every command and flag', async (shell) => {
    const { code, stdout, stderr } = await runCli(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('first-look');
    const spelled = (name: string): string => (shell === 'fish' ? `-l ${name} ` : `--${name}`);
    for (const command of COMMANDS) {
      for (const word of wordsOf(command)) expect(stdout).toContain(word);
      for (const flag of Object.keys(command.options)) expect(stdout).toContain(spelled(flag));
    }
  });

  it('have no flag that is a switch in one command and takes a value in another', () => {
    const flags = MODEL.commands.flatMap((command) => command.flags);
    const takes = (isSwitch: boolean): Set<string> =>
      new Set(flags.flatMap(({ names, values }) => ((values === undefined) === isSwitch ? names : [])));
    expect([...takes(true)].filter((name) => takes(false).has(name))).toEqual([]);
  });

  it('have valid zsh syntax', () => {
    // Without zsh, bash checks at least quotes and brackets.
    const parser = isInstalled('zsh') ? 'zsh' : 'bash';
    expect(spawnSync(parser, ['-n', script('zsh')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});
