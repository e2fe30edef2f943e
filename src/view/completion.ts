/** What a value may be, as far as a shell can tell. */
export interface Values {
  words: readonly string[];
  /** Words joined by commas. */
  isList: boolean;
  isFile: boolean;
}

export interface Flag {
  /** `--output` first. */
  names: readonly string[];
  about: string;
  /** Undefined for a switch. */
  values: Values | undefined;
  isRepeated: boolean;
}

export interface CompletedCommand {
  /** `bootstrap validate` */
  name: string;
  about: string;
  flags: readonly Flag[];
  /** By place; the last one may be repeated. */
  arguments: readonly Values[];
  isLastRepeated: boolean;
}

/** Everything that can be typed, for the scripts of all shells. */
export interface CompletionModel {
  commands: readonly CompletedCommand[];
  /** Commands with two words, by their first. */
  groups: readonly { name: string; about: string }[];
  /** Where a story may stand, so may a file. */
  stories: readonly string[];
}
