export type AgainstArguments = { kind: 'ref'; ref: string } | { kind: 'usage'; message: string };

export function readArguments(args: readonly string[]): AgainstArguments {
  const [ref, ...others] = args;
  if (ref === undefined || ref === '' || others.length > 0)
    return { kind: 'usage', message: 'against requires one commit, branch or tag: npm run bench -- against main' };
  return { kind: 'ref', ref };
}
