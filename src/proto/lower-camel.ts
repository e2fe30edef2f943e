/** Converts `snake_case` to `lowerCamelCase` as protobuf derives JSON names. */
export function lowerCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replace(/_/g, '');
}
