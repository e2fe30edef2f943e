/** Whether the text is an IPv4 address in canonical form: `127.0.0.1`. */
export function isIpv4(text: string): boolean {
  return (
    /^(\d{1,3}\.){3}\d{1,3}$/.test(text) &&
    text.split('.').every((part) => String(Number(part)) === part && Number(part) < 256)
  );
}

/** Whether the text is an IPv6 address without brackets. It may have a zone. */
export function isIpv6(text: string): boolean {
  const [address = '', zone] = text.split(/%(.*)/s);
  if (zone === '') return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1);
  const hasIpv4 = last?.includes('.') === true && isIpv4(last) && !address.endsWith('::');
  const hex = hasIpv4 ? groups.slice(0, -1) : groups;
  const length = hex.length + (hasIpv4 ? 2 : 0);
  return hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) && (halves.length === 2 ? length < 8 : length === 8);
}

export function isIp(text: string): boolean {
  return isIpv4(text) || isIpv6(text);
}
