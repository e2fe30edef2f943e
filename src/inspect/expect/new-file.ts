import type { PathStep } from '../../base/problem.js';

/** A remark on a value of a file. */
export interface Comment {
  path: readonly PathStep[];
  /** Names and messages of a control plane in it are data: escape them. */
  text: string;
}

/** An expectations file as data, with comments. */
export interface NewFile {
  file: object;
  comments: Comment[];
}

/** Part of a new file; the paths of its comments begin there. */
export type FilePart<T> = { value: T; comments: Comment[] };

/** What a file that holds right away expects, although it is hardly meant. */
export const FAILING_NOW = 'failing now: is this meant?';

/** Comments as the part that encloses them has them. */
export function below(path: readonly PathStep[], comments: readonly Comment[]): Comment[] {
  return comments.map((one) => ({ ...one, path: [...path, ...one.path] }));
}
