/** A step into a resource: a field or map key, a list index, or the list element whose field has a value. */
export type FieldStep = string | number | { key: string; value: string };

const STEP =
  /(?:^|\.)([A-Za-z_@][\w@-]*)|\[(?:(\d{1,9})|("(?:[^"\\]|\\.)*")|([A-Za-z_]\w*)=(?:("(?:[^"\\]|\\.)*")|([^\]"]+)))\]/y;

/** Parses `virtual_hosts[name=greeter].routes[0].route.cluster`. A key with other characters is written `["a.b"]`. */
export function parseFieldPath(text: string): FieldStep[] | undefined {
  const steps: FieldStep[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const parts = STEP.exec(text);
    if (parts === null) return undefined;
    const [, name, index, quoted, key, quotedValue, value] = parts;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(unquoted(quoted));
    else steps.push({ key: key as string, value: value ?? unquoted(quotedValue as string) });
  }
  return steps.length === 0 ? undefined : steps;
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1');
}

export function formatFieldPath(steps: readonly FieldStep[]): string {
  let text = '';
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (typeof step === 'object') text += `[${step.key}=${step.value}]`;
    else if (/^[A-Za-z_@][\w@-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
