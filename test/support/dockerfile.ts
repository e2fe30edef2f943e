import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, DockerfileParser } from 'dockerfile-ast';
import { ROOT } from './root.js';

export interface Stage {
  image: string;
  name: string | undefined;
  instructions: Instruction[];
}

export interface Instruction {
  keyword: string;
  /** The arguments without flags, on one line. */
  text: string;
  /** The stage that COPY copies from; undefined for the build context. */
  from: string | undefined;
}

/** The stages of the Dockerfile of this project. */
export function dockerfileStages(): Stage[] {
  const file = DockerfileParser.parse(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const stages: Stage[] = [];
  for (const instruction of file.getInstructions()) {
    const keyword = instruction.getKeyword();
    const text = instruction
      .getArguments()
      .map((argument) => argument.getValue())
      .join(' ');
    if (keyword !== 'FROM') {
      const from = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : undefined;
      stages.at(-1)?.instructions.push({ keyword, text, from: from ?? undefined });
      continue;
    }
    const [image = '', , name] = text.split(' ');
    stages.push({ image, name, instructions: [] });
  }
  return stages;
}

/** The files and folders that .dockerignore lets into the build. It ignores everything, and then names what is needed. */
export function buildContext(): string[] {
  const [first, ...lines] = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trimEnd().split('\n');
  if (first !== '*') throw new Error('.dockerignore must begin with *');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}
