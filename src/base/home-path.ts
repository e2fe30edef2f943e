/** Folders of persons, such as `/home/alice`. `/root` names nobody, and may be the path of a route. */
const MIN_DEPTH = 2;

/** Replaces the home directory in paths by `~`: its name is often that of a person. */
export function withoutHome(text: string, home: string | undefined): string {
  const names = (home ?? '').split(/[/\\]+/).filter((name) => name !== '');
  if (names.length < MIN_DEPTH || !/^([/\\]|[A-Za-z]:)/.test(home ?? '')) return text;
  const start = /^[/\\]/.test(home ?? '') ? '[/\\\\]' : '';
  // In JSON, a backslash is written twice.
  const path = start + names.map((name) => name.replace(/[.*+?^${}()|[\]]/g, '\\$&')).join('[/\\\\]{1,2}');
  return text.replace(new RegExp(`(?<![\\w.~-])${path}(?![\\w.-])`, 'g'), '~');
}
