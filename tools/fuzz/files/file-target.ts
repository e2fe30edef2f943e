import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dice } from '../../oracle/mutation/dice.js';
import { shrink } from '../shrink.js';
import type { CaseResult, FuzzTarget, SmallestCase } from '../target.js';
import { messageOf, oracleOf } from '../violation.js';

export interface FileTargetOptions {
  name: string;
  description: string;
  share: number;
  /** The extension of the file, with its dot. */
  extension: string;
  /** Generates the contents of a file. */
  generate(dice: Dice): Uint8Array;
  /** Returns a function that reads the file and checks the results; the same for every variant of the contents. */
  checkOf(dice: Dice): (path: string, contents: Uint8Array) => Promise<void> | void;
}

/** A target whose input is one file. A failing file is shrunk by its lines, or by parts if it has only one line. */
export function fileTarget({ name, description, share, extension, generate, checkOf }: FileTargetOptions): FuzzTarget {
  let folder: string | undefined;
  return {
    name,
    description,
    share,
    run: async (dice): Promise<CaseResult> => {
      folder ??= mkdtempSync(join(tmpdir(), 'xds-inspect-fuzz-'));
      const path = join(folder, `input${extension}`);
      const contents = generate(dice);
      const check = checkOf(dice);
      const failureOf = async (bytes: Uint8Array): Promise<unknown> => {
        writeFileSync(path, bytes);
        try {
          await check(path, bytes);
          return undefined;
        } catch (error) {
          return error;
        }
      };
      const error = await failureOf(contents);
      if (error === undefined) return { inputs: 1 };
      const smallest = (): Promise<SmallestCase> => smallestFile(contents, error, extension, failureOf);
      return { inputs: 1, failure: { oracle: oracleOf(error), message: messageOf(error), smallest } };
    },
    close: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

async function smallestFile(
  contents: Uint8Array,
  first: unknown,
  extension: string,
  failureOf: (bytes: Uint8Array) => Promise<unknown>,
): Promise<SmallestCase> {
  const oracle = oracleOf(first);
  let last = first;
  const fails = async (parts: readonly Uint8Array[]): Promise<boolean> => {
    const error = await failureOf(Buffer.concat(parts));
    if (error === undefined || oracleOf(error) !== oracle) return false;
    last = error;
    return true;
  };
  const lines = await shrink(linesOf(Buffer.from(contents)), fails);
  const parts = await shrink(partsOf(Buffer.concat(lines)), fails);
  const smallest = Buffer.concat(parts);
  return { message: messageOf(last), inputs: 1, reproducers: [{ extension, contents: smallest }] };
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, next));
    from = next;
  }
  return lines;
}

const MAX_PARTS = 400;

function partsOf(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / MAX_PARTS));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
