/** Replaces the home directory in paths by `~`: its name is often that of a person. */
export function withoutHome(text: string, home: string | undefined): string {
  const folder = home?.replace(/[/\\]+$/, '');
  if (folder === undefined || !/^([/\\]|[A-Za-z]:)[^/\\]*[^/\\]/.test(folder)) return text;
  // In JSON, a backslash is written twice.
  const escaped = folder.replaceAll('\\', '\\\\').replace(/[.*+?^${}()|[\]]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w.~-])${escaped}(?![\\w.-])`, 'g'), '~');
}
