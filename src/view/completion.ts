/** The values that a shell can complete for a flag or an argument. */
export interface Values {
  words: readonly string[];
  /** The value is a list of words, separated by commas. */
  isList: boolean;
  isFile: boolean;
  /** The shell lists the contexts when it completes: they change more often than the script. */
  isContext?: boolean;
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
  /** By position. */
  arguments: readonly Values[];
  isLastRepeated: boolean;
}

/** All commands, flags and values, for the completion scripts of all shells. */
export interface CompletionModel {
  commands: readonly CompletedCommand[];
  /** The first words of commands with two words. */
  groups: readonly { name: string; about: string }[];
  /** The flag that is completed without a command, too. */
  contextFlag: Flag;
  /** Names of built-in scenarios. An argument that accepts one also accepts a file. */
  scenarios: readonly string[];
}
