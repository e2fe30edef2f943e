import type { PathStep } from '../../base/problem.js';

/** A YAML comment on a value of a file. */
export interface Comment {
  path: readonly PathStep[];
  /** It may contain names and messages from a control plane: escape them. */
  text: string;
}

/** An expectations file as data, with comments. */
export interface NewFile {
  file: object;
  comments: Comment[];
}

/** A part of a new file. The paths of its comments are relative to it. */
export type FilePart<T> = { value: T; comments: Comment[] };

/** Marks an expectation that documents a current failure, which is probably not intended. */
export const FAILING_NOW = 'failing now: is this intended?';

/** Prefixes the paths of comments with the path of the enclosing part. */
export function below(path: readonly PathStep[], comments: readonly Comment[]): Comment[] {
  return comments.map((one) => ({ ...one, path: [...path, ...one.path] }));
}
