import { describe, expect, it } from 'vitest';
import { isAtLeast, SEVERITIES, worstFirst } from '../../src/base/finding.js';
import { parseCodes, unlessSuppressed } from '../../src/findings/suppress.js';

describe('the codes of --suppress', () => {
  it('may be lower case, spaced, and of every family', () => {
    expect(parseCodes(' xi012, XI101,,XI203,dc53')).toEqual({
      ok: true,
      codes: new Set(['XI012', 'XI101', 'XI203', 'DC53']),
    });
    expect(parseCodes('')).toEqual({ ok: true, codes: new Set() });
  });

  it('are refused if the catalogue does not have them', () => {
    expect(parseCodes('XI012,XI999')).toEqual({
      ok: false,
      message: expect.stringMatching(/^there is no finding "XI999"/),
    });
  });

  it('hide findings, but not the verdict of gRPC', () => {
    const findings = ['XI001', 'XI002', 'XI012', 'XI100', 'XI203'].map((code) => ({ code }));
    const all = new Set(findings.map(({ code }) => code));
    expect(findings.filter(unlessSuppressed(all)).map(({ code }) => code)).toEqual(['XI001', 'XI002', 'XI100']);
  });
});

describe('severities', () => {
  it('count from the threshold on', () => {
    const counted = (threshold: (typeof SEVERITIES)[number]) =>
      SEVERITIES.filter((severity) => isAtLeast(threshold)({ severity }));
    expect(SEVERITIES.map(counted)).toEqual([['error'], ['error', 'warning'], ['error', 'warning', 'note']]);
  });

  it('sort the worst first, then by code', () => {
    const findings = [
      { code: 'XI205', severity: 'note' as const },
      { code: 'XI216', severity: 'error' as const },
      { code: 'XI203', severity: 'error' as const },
    ];
    expect(findings.sort(worstFirst).map(({ code }) => code)).toEqual(['XI203', 'XI216', 'XI205']);
  });
});
