/** Stub until the findings branch is merged. */
export function parseCodes(typed: string): { ok: true; codes: ReadonlySet<string> } | { ok: false; message: string } {
  return { ok: true, codes: new Set(typed.split(',').filter((c) => c !== '')) };
}
