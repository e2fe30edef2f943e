// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes start with one
const COLOUR = /\u001b\[[0-9;]*m/g;

/** How many columns a text takes, for texts of this project: no wide characters, perhaps colours. */
export default function stringWidth(text: string): number {
  return text.replace(COLOUR, '').length;
}
