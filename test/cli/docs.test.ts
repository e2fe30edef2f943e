import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli.js';

describe('docs', () => {
  it.each([
    [['XI204'], '# XI204: '],
    [['tear'], '# config tear\n'],
    [['ambient', 'error'], '# ambient error\n'],
    [['A74'], '# A74\n\nhttps://github.com/grpc/proposal/'],
    [['report'], '# xds-inspect report\n'],
    [['glossary'], '# Glossary\n'],
    [['XdsTargetFails'], '# XdsTargetFails: '],
    [['monitoring'], '# Monitoring\n'],
    [[], '# The manual\n'],
  ])('%j prints that part of the manual', async (words, start) => {
    const { code, stdout, stderr } = await runCli(['docs', ...words]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.slice(0, start.length)).toBe(start);
  });

  it('links from the term tear to the page on tears', async () => {
    const { stdout } = await runCli(['docs', 'tear']);
    expect(stdout).toMatch(/^See also: .*\(tears\.md\)/m);
  });

  it('exits with 64 and the nearest word for an unknown word', async () => {
    const { code, stdout, stderr } = await runCli(['docs', 'glossery']);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain('no manual page for "glossery" (did you mean "glossary"?)');
  });

  it.each([[['--help']], [['report', '--help']]])('is named at the end of the output of %j', async (argv) => {
    const { stdout } = await runCli(argv);
    expect(stdout).toMatch(
      /\n.*: xds-inspect docs TERM .*\nAll terms: xds-inspect docs glossary, or docs\/glossary\.md\n$/,
    );
  });
});
