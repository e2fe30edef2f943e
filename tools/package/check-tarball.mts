import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What publint and Are the types wrong? find in a packed package; empty if its entries and types fit together. */
export async function tarballProblems(path: string): Promise<string[]> {
  const bytes = readFileSync(path);
  return [...(await entryProblems(bytes)), ...(await typeProblems(bytes))];
}

async function entryProblems(bytes: Buffer): Promise<string[]> {
  const tarball = new Uint8Array(bytes).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((one) => `publint: ${one.type}: ${formatMessage(one, pkg, { color: false })}`);
}

async function typeProblems(bytes: Buffer): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (result.types === false) return ['attw: the package has no types'];
  return result.problems.map((problem) => {
    const where = 'entrypoint' in problem ? ` (${problem.entrypoint}, ${problem.resolutionKind})` : '';
    return `attw: ${problemKindInfo[problem.kind].title}${where}`;
  });
}
