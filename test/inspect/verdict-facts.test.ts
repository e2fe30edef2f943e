import { describe, expect, it } from 'vitest';
import type { Event, ResponseEvent } from '../../src/core/event.js';
import { VerdictFacts } from '../../src/inspect/verdict/facts.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';

const who = { at: 5, scope: 's', server: 'p' };

function response(typeUrl: string, names: readonly string[]): ResponseEvent {
  return {
    kind: 'response',
    ...who,
    stream: 1,
    typeUrl,
    version: '1',
    nonce: '',
    names,
    errors: [],
    bytes: 0,
    ignored: undefined,
    stops: false,
    refused: undefined,
    added: 0,
    changed: 0,
    unrequested: [],
    missing: [],
    heartbeats: [],
    otherTypes: [],
  };
}

function deletion(name: string): Event {
  const status = { code: 5, message: 'does not exist' };
  return {
    kind: 'error',
    ...who,
    typeUrl: RESOURCE_TYPES.LDS,
    name,
    cache: 'DOES_NOT_EXIST',
    watchers: 1,
    cause: 'deletion',
    nature: 'data',
    origin: 'server',
    status,
    version: '2',
    failOnDataErrors: true,
    effect: 'dropped',
    final: 'OnResourceChanged',
    draft: 'OnServerDataError',
  };
}

describe('the facts for a verdict', () => {
  it('keep a bounded number of names of a response, and the total number', () => {
    const facts = new VerdictFacts();
    const names = Array.from({ length: 50_000 }, (_, i) => `n${i}`);
    facts.observe(response(RESOURCE_TYPES.CDS, names));
    const answer = facts.lastResponse('s', 'p', RESOURCE_TYPES.CDS, 0);
    expect([answer?.names.length, answer?.count]).toEqual([100, 50_000]);
  });

  it('ignore responses of types that gRPC does not use', () => {
    const facts = new VerdictFacts();
    facts.observe(response('type.googleapis.com/x', ['a']));
    expect([facts.server('s', 'p').hasResponded, facts.lastResponse('s', 'p', 'type.googleapis.com/x', 0)]).toEqual([
      true,
      undefined,
    ]);
  });

  it('do not match a request with a response that arrived before it', () => {
    const facts = new VerdictFacts();
    facts.observe(response(RESOURCE_TYPES.CDS, ['a']));
    expect(facts.lastResponse('s', 'p', RESOURCE_TYPES.CDS, 5)?.names).toEqual(['a']);
    expect(facts.lastResponse('s', 'p', RESOURCE_TYPES.CDS, 6)).toBeUndefined();
    expect(facts.lastResponse('other', 'p', RESOURCE_TYPES.CDS, 0)).toBeUndefined();
  });

  it('drop the oldest deletions beyond the limit', () => {
    const facts = new VerdictFacts();
    for (let i = 0; i < 1500; i++) facts.observe(deletion(`n${i}`));
    expect(facts.deletion('s', RESOURCE_TYPES.LDS, 'n499')).toBeUndefined();
    expect(facts.deletion('s', RESOURCE_TYPES.LDS, 'n500')).toEqual({ server: 'p', version: '2' });
  });

  it('drop a deletion when the resource arrives again', () => {
    const facts = new VerdictFacts();
    facts.observe(deletion('a'));
    const typeUrl = RESOURCE_TYPES.LDS;
    const rest = { change: 'updated', status: 'ACKED', version: '3', replaces: undefined, watchers: 1 } as const;
    facts.observe({ kind: 'resource', ...who, typeUrl, name: 'a', ...rest });
    expect(facts.deletion('s', typeUrl, 'a')).toBeUndefined();
  });
});
