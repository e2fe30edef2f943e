import { describe, expect, it } from 'vitest';
import { CAUSE_CODES } from '../../src/inspect/verdict/verdict.js';
import { causeScenarios, scenarioFiles } from './cause-scenarios.js';

const SCENARIOS = causeScenarios();

describe('the verdict, its cause, advice and clients in the scenario', () => {
  it.each(SCENARIOS)('$name', async ({ reached, expected }) => {
    const { inspection } = await reached();
    const [found] = inspection.verdict();
    inspection.close();
    expect({
      verdict: found?.verdict,
      cause: found?.cause?.code ?? null,
      message: found?.cause?.message ?? null,
      advice: found?.advice,
      clients: found?.clients,
    }).toEqual({
      verdict: expected.verdict,
      cause: expected.cause,
      message: expected.message,
      advice: expected.advice,
      clients: expected.clients,
    });
  });
});

describe('the scenarios of causes', () => {
  it('all have an expectation', () => {
    expect(SCENARIOS.map(({ name }) => name).sort()).toEqual(scenarioFiles().sort());
  });

  it('show every cause code at least twice', () => {
    const counts = new Map(CAUSE_CODES.map((code) => [code, 0]));
    for (const { expected } of SCENARIOS) {
      if (expected.cause !== null) counts.set(expected.cause, (counts.get(expected.cause) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count < 2)).toEqual([]);
  });

  it('have advice of one sentence for every cause', () => {
    const advised = SCENARIOS.filter(({ expected }) => expected.cause !== null);
    for (const { name, expected } of advised)
      expect([name, expected.advice]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)]);
    for (const { name, expected } of advised) expect([name, expected.message?.endsWith('.')]).toEqual([name, false]);
  });
});
