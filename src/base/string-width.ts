const COLOUR = /\p{Cc}\[[0-9;]*m/gu;

/** How many columns a text takes, for texts of this project: no wide characters, perhaps colours. */
export default function stringWidth(text: string): number {
  return text.replace(COLOUR, '').length;
}
