import { describe, expect, it } from 'vitest';
import { isAtLeast, SEVERITIES, worstFirst } from '../../src/base/finding.js';
import { suppressOption } from '../../src/cli/options/findings.js';
import { unknownCodes, unlessSuppressed } from '../../src/findings/suppress.js';

describe('--suppress', () => {
  it('accepts codes in lower case, with spaces, and of every family', () => {
    const codes = suppressOption.suppress.read([' xi012, XI101,', 'XI203,dc53'], 'suppress');
    expect(codes).toEqual(new Set(['XI012', 'XI101', 'XI203', 'DC53']));
    expect(unknownCodes(codes)).toBe(undefined);
    expect(suppressOption.suppress.read(undefined, 'suppress')).toEqual(new Set());
  });

  it('rejects codes that are not in the catalogue', () => {
    expect(unknownCodes(new Set(['XI012', 'XI999']))).toMatch(/^unknown finding code "XI999"/);
  });

  it('hides findings, but not the errors of gRPC itself', () => {
    const findings = ['XI001', 'XI002', 'XI012', 'XI100', 'XI203'].map((code) => ({ code }));
    const all = new Set(findings.map(({ code }) => code));
    expect(findings.filter(unlessSuppressed(all)).map(({ code }) => code)).toEqual(['XI001', 'XI002', 'XI100']);
  });
});

describe('severities of findings', () => {
  it('are compared with the threshold', () => {
    const counted = (threshold: (typeof SEVERITIES)[number]) =>
      SEVERITIES.filter((severity) => isAtLeast(threshold)({ severity }));
    expect(SEVERITIES.map(counted)).toEqual([['error'], ['error', 'warning'], ['error', 'warning', 'note']]);
  });

  it('are sorted with the most severe first, then by code', () => {
    const findings = [
      { code: 'XI205', severity: 'note' as const },
      { code: 'XI216', severity: 'error' as const },
      { code: 'XI203', severity: 'error' as const },
    ];
    expect(findings.sort(worstFirst).map(({ code }) => code)).toEqual(['XI203', 'XI216', 'XI205']);
  });
});
