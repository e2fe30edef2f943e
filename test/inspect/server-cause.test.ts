import { describe, expect, it } from 'vitest';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { degradedCause } from '../../src/inspect/verdict/server-cause.js';
import type { TargetCase } from '../../src/inspect/verdict/verdict.js';

type Authority = Parameters<typeof degradedCause>[1];

const CASE = { scope: { scope: 's' }, facts: new VerdictFacts(), nodeId: 'n', now: 0 } as unknown as TargetCase;

/** An authority that uses its fallback server. */
function onFallback(primary: object): Authority {
  const servers = [
    { uri: 'primary:1', priority: 0, isActive: false, ...primary },
    { uri: 'fallback:1', priority: 1, isActive: true },
  ];
  return { name: '', servers } as unknown as Authority;
}

describe('a target that uses its fallback server', () => {
  it('names the failure of the primary server and its next connection attempt', () => {
    const failure = { code: 14, message: 'xDS channel for server primary:1: connect ECONNREFUSED 10.0.0.7:1' };
    expect(degradedCause(CASE, onFallback({ failure, retryAt: 3000 }))).toMatchObject({
      ...{ code: 'on-fallback', server: 'fallback:1' },
      message: 'on the fallback server fallback:1 (the primary primary:1 refuses connections; next try in 3 s)',
    });
  });

  it('says that a primary server without a failure has not responded since', () => {
    expect(degradedCause(CASE, onFallback({}))).toMatchObject({
      message: 'on the fallback server fallback:1 (the primary primary:1 has not answered yet)',
      advice: 'Read the log of the control plane primary:1.',
    });
  });
});
